import { visibleText } from '../core/visible-text.ts';
import { countOf, listOf, moreLine, shownOf, someOf } from '../core/words.ts';
import type { ClusterDrift, Finding, Uncompared } from '../drift/drift.ts';
import { placeAt, type Span } from '../source/source.ts';
import { objectText, pathText, valueText } from './drift-words.ts';
import type { Paint } from './paint.ts';

export interface DriftReport {
  readonly clusters: readonly ClusterDrift[];
  /** Clusters of the fleet that were not looked at. */
  readonly others: readonly string[];
}

interface DriftLook {
  readonly paint: Paint;
  /** Shows every finding. */
  readonly verbose: boolean;
}

/** Findings of a cluster that are shown without --verbose. */
const SHOWN = 20;
const NAMES_SHOWN = 6;

/** `weft drift`: a paragraph for each cluster, with a line for each finding, then what was not looked at. */
export function printDrift({ clusters, others }: DriftReport, look: DriftLook): string {
  const lines = clusters.flatMap((it) => clusterLines(it, look));
  const drifted = clusters.filter((it) => it.findings.length > 0).length;
  const total =
    drifted === 0 ? look.paint.good('no drift') : look.paint.error(`drift in ${countOf(drifted, 'cluster')}`);
  return `${[...lines, '', `${total}${lookedAt(clusters.length, others)}`].join('\n')}\n`;
}

function lookedAt(count: number, others: readonly string[]): string {
  const all = `${countOf(count, 'cluster')} compared`;
  if (others.length === 0) return `; ${all}`;
  return `; ${all}, ${others.length} not: ${visibleText(someOf(others, NAMES_SHOWN))}`;
}

function clusterLines({ cluster, compared, findings, uncompared }: ClusterDrift, look: DriftLook): readonly string[] {
  const { paint } = look;
  const shown = look.verbose ? findings.length : shownOf(findings.length, SHOWN);
  const found = findings.length === 0 ? paint.good('as compiled') : countOf(findings.length, 'difference');
  return [
    `${paint.strong(visibleText(cluster))}: ${found} (${countOf(compared, 'object')} compared)`,
    ...findings.slice(0, shown).flatMap((it) => findingLines(it, paint)),
    ...moreLine(findings.length - shown, '; -v shows all').map((it) => `  ${it}`),
    ...uncomparedLines(uncompared).map((it) => `  ${paint.quiet(visibleText(it))}`),
  ];
}

function findingLines(it: Finding, paint: Paint): readonly string[] {
  const object = visibleText(objectText(it.object));
  switch (it.kind) {
    case 'missing':
      return [`  ${paint.error('missing')}  ${object}${promisedAt(it.at, paint)}`];
    case 'being-deleted':
      return [`  ${paint.error('leaving')}  ${object}, which is being deleted${promisedAt(it.at, paint)}`];
    case 'extra':
      return [`  ${paint.warning('extra')}    ${object}, which git does not have`];
    case 'different':
      return [
        `  ${paint.error('differs')}  ${object}: ${visibleText(pathText(it.path))}${promisedAt(it.at, paint)}`,
        `             git ${visibleText(valueText(it.promised))}`,
        `             live ${visibleText(valueText(it.live))}`,
      ];
  }
}

function promisedAt({ source, start }: Span, paint: Paint): string {
  return `  ${paint.quiet(`${visibleText(source.path)}:${placeAt(source, start).line}`)}`;
}

/** `2 Identities`, `1 Identity`. */
const countOfKind = (count: number, kind: string): string =>
  countOf(count, kind, kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`);

function uncomparedLines(uncompared: readonly Uncompared[]): readonly string[] {
  const of = (why: Uncompared['why']) => uncompared.filter((it) => it.why === why);
  const kinds = (some: readonly Uncompared[]): string =>
    listOf(some.map((it) => countOfKind(it.objects, it.key.split('.')[0] ?? '')));
  const [absent, forbidden] = [of('not-in-dump'), of('forbidden')];
  return [
    ...(absent.length === 0 ? [] : [`not compared: ${kinds(absent)}; the dump has no object of that kind`]),
    ...(forbidden.length === 0 ? [] : [`not compared: ${kinds(forbidden)}; the user of the context may not list them`]),
  ];
}
