import { takeKeys } from '../../base/core/key-pair.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { andMore, countOf, listOf, moreLine, shortened, shownOf, someOf } from '../../base/core/words.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { placeAt, type Span } from '../../base/source/source.ts';
import {
  type BrokenPairs,
  type Finding,
  isDrift,
  type ObjectName,
  type Problem,
  type SomeClusters,
  type Uncompared,
} from '../../live/drift/drift.ts';
import type { ExplainedCluster } from '../../live/drift/explain-cluster.ts';
import type { Json } from '../../live/dumps/json.ts';
import type { Paint } from './paint.ts';

export interface DriftReport {
  readonly clusters: readonly ExplainedCluster[];
  /** Clusters of the fleet that were not compared. */
  readonly others: readonly string[];
}

interface DriftLook {
  readonly paint: Paint;
  /** Shows every cluster, every problem and every finding. */
  readonly verbose: boolean;
}

const CLUSTERS_SHOWN = 20;
const NAMES_SHOWN = 6;

/** The most problems of one cluster, and lines of one problem. */
interface DriftDetail {
  readonly problems: number;
  readonly lines: number;
}

/** Without --verbose, fewer details of each cluster are shown when more of them differ. */
function detailFor(clusters: number): DriftDetail {
  if (clusters <= 5) return { problems: 8, lines: 5 };
  return clusters <= 10 ? { problems: 3, lines: 2 } : { problems: 2, lines: 0 };
}

interface Page extends DriftLook {
  readonly detail: DriftDetail;
  /** Hints that were printed, so that each is printed once. */
  readonly hints: Set<string>;
}

/** `weft drift`: a paragraph for each cluster that differs, with a block for each problem; then a line for all. */
export function printDrift({ clusters, others }: DriftReport, look: DriftLook): string {
  const { paint, verbose } = look;
  const isQuiet = (it: ExplainedCluster): boolean => it.problems.length === 0 && it.drift.uncompared.length === 0;
  const alone = verbose || clusters.length <= CLUSTERS_SHOWN;
  const loud = clusters.filter((it) => alone || !isQuiet(it));
  const quiet = alone ? [] : clusters.filter(isQuiet);
  const shown = verbose ? loud.length : shownOf(loud.length, CLUSTERS_SHOWN);
  const differing = loud.filter((it) => it.problems.length > 0).length;
  const page = { ...look, hints: new Set<string>(), detail: detailFor(differing) };
  const lines = [
    ...loud.slice(0, shown).flatMap((it) => explainedLines(it, page)),
    ...moreLine(loud.length - shown, ` ${stateCounts(loud.slice(shown))}; -v shows all`, 'cluster'),
    ...(quiet.length === 0
      ? []
      : [
          `${paint.good('as compiled')}: ${visibleText(
            someOf(
              quiet.map((it) => it.drift.cluster),
              NAMES_SHOWN,
            ),
          )}`,
        ]),
  ];
  return `${[...lines, '', `${totalText(clusters, paint)}${lookedAt(clusters.length, others)}`].join('\n')}\n`;
}

/** `(2 with drift)`, for the clusters that are left out. */
const stateCounts = (clusters: readonly ExplainedCluster[]): string =>
  `(${clusters.filter((it) => it.rollout.state === 'drift').length} with drift)`;

function totalText(clusters: readonly ExplainedCluster[], paint: Paint): string {
  const count = (state: ExplainedCluster['rollout']['state']): number =>
    clusters.filter((it) => it.rollout.state === state).length;
  const [drift, waiting] = [count('drift'), count('waiting')];
  const parts = [
    ...(drift > 0 ? [paint.error(`drift in ${countOf(drift, 'cluster')}`)] : []),
    ...(waiting > 0 ? [paint.warning(`${countOf(waiting, 'cluster')} not there yet`)] : []),
  ];
  if (parts.length > 0) return parts.join(', ');
  const isPartial = clusters.some((it) =>
    it.drift.uncompared.some(({ why }) => why === 'not-in-dump' || why === 'forbidden'),
  );
  return isPartial ? paint.warning('no drift in what was compared') : paint.good('no drift');
}

function lookedAt(count: number, others: readonly string[]): string {
  const all = `${countOf(count, 'cluster')} compared`;
  if (others.length === 0) return `; ${all}`;
  return `; ${all}, ${others.length} not: ${visibleText(someOf(others, NAMES_SHOWN))}`;
}

function explainedLines(it: ExplainedCluster, look: Page): readonly string[] {
  const { paint } = look;
  const { drift, problems } = it;
  const shown = look.verbose ? problems.length : shownOf(problems.length, look.detail.problems);
  return [
    `${paint.strong(visibleText(drift.cluster))}: ${stateText(it, paint)}`,
    ...allDown(it).map((line) => `  ${paint.strong(line)}`),
    ...problems.slice(0, shown).flatMap((one) => problemLines(one, look)),
    ...moreLine(problems.length - shown, '; -v shows all', 'problem').map((line) => `  ${line}`),
    ...uncomparedLines(drift.uncompared).map((line) => `  ${paint.quiet(visibleText(line))}`),
  ];
}

/** The fewest tunnels of which it is said that all are down. */
const FEWEST_TUNNELS = 3;

/** A sentence when every tunnel is down: the cause is then in the cluster, and not in 45 links. Empty otherwise. */
export function allDown({ ends, problems }: ExplainedCluster): readonly string[] {
  const down = new Set(
    problems.flatMap(({ diagnostic, peer }) => (diagnostic.code === 'drift/not-connected' ? [peer] : [])),
  ).size;
  return down < FEWEST_TUNNELS || down < ends.size
    ? []
    : [`all ${down} tunnels are down: look at what they share first, its nodes, its address and its firewall for UDP`];
}

function stateText({ drift, problems, rollout }: ExplainedCluster, paint: Paint): string {
  const objects = `${rollout.there} of ${countOf(drift.compared, 'object')} there`;
  const waits = rollout.waitsFor === null ? '' : `, waits for ${visibleText(rollout.waitsFor)}`;
  switch (rollout.state) {
    case 'same':
      return `${paint.good('as compiled')} (${countOf(drift.compared, 'object')} compared)`;
    case 'waiting':
      return `${paint.warning('not there yet')} (${objects})${waits}`;
    case 'drift':
      return `${paint.error(countOf(problems.filter(isDrift).length, 'problem'))} (${objects})${waits}`;
  }
}

function problemLines(it: Problem, { paint, verbose, hints, detail }: Page): readonly string[] {
  const { diagnostic, details, pairs, findings, effects } = it;
  const { severity } = diagnostic;
  const more = [...pairs.map(pairsText), ...details].map(visibleText);
  const shown = verbose ? more.length : shownOf(more.length, detail.lines);
  const hint = diagnostic.hint === undefined || hints.has(diagnostic.hint) ? [] : [diagnostic.hint];
  for (const text of hint) hints.add(text);
  return [
    `  ${paint[severity](diagnostic.code)}  ${visibleText(diagnostic.message)}`,
    ...more.slice(0, shown).map((line) => `    ${line}`),
    ...(shown === 0 ? [] : moreLine(more.length - shown, '; -v shows all')).map((line) => `    ${line}`),
    ...hint.map((text) => `    ${paint.quiet(`hint: ${visibleText(text)}`)}`),
    ...(verbose || detail.lines === 0 ? [] : [`    ${paint.quiet(placeAndEffects(it))}`]),
    ...(verbose ? [...findings, ...effects].flatMap((one) => findingLines(one, paint)) : []),
  ];
}

/** `out/rome/expected/networks.yaml:76; 2 differences that only follow from it`. */
function placeAndEffects({ diagnostic, effects }: Problem): string {
  const follows =
    effects.length === 0
      ? ''
      : `; ${countOf(effects.length, 'difference')} that only ${effects.length === 1 ? 'follows' : 'follow'} from it`;
  return `${visibleText(placeText(diagnostic.span))}${follows}`;
}

function findingLines(it: Finding, paint: Paint): readonly string[] {
  const object = visibleText(objectText(it.object));
  switch (it.kind) {
    case 'missing':
      return [`    ${paint.error('missing')}  ${object}${promisedAt(it.at, paint)}`];
    case 'being-deleted':
      return [`    ${paint.error('leaving')}  ${object}, which is being deleted${promisedAt(it.at, paint)}`];
    case 'extra':
      return [`    ${paint.warning('extra')}    ${object}, which git does not have`];
    case 'different':
      return [
        `    ${paint.error('differs')}  ${object}: ${visibleText(fieldText(it.path))}${promisedAt(it.at, paint)}`,
        `               git ${visibleText(valueText(it.promised))}`,
        `               live ${visibleText(valueText(it.live))}`,
      ];
  }
}

const promisedAt = (span: Span, paint: Paint): string => `  ${paint.quiet(visibleText(placeText(span)))}`;

const placeText = ({ source, start }: Span): string => `${source.path}:${placeAt(source, start).line}`;

/** `2 Identities`, `1 Identity`. */
const countOfKind = (count: number, kind: string): string =>
  countOf(count, kind, /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`);

function uncomparedLines(uncompared: readonly Uncompared[]): readonly string[] {
  const of = (why: Uncompared['why']) => uncompared.filter((it) => it.why === why);
  const kinds = (some: readonly Uncompared[]): string =>
    listOf(some.map((it) => countOfKind(it.objects, it.key.split('.')[0] ?? '')));
  const [absent, forbidden, left, unknown] = [of('not-in-dump'), of('forbidden'), of('not-asked'), of('unknown-key')];
  const keys = unknown.filter((it) => it.key === PUBLIC_KEY);
  const loans = unknown.filter((it) => it.key !== PUBLIC_KEY);
  return [
    ...(absent.length === 0 ? [] : [`not compared: ${kinds(absent)}; the dump has no object of that kind`]),
    ...(left.length === 0 ? [] : [`not compared: ${kinds(left)}; the dump was made without them`]),
    ...(forbidden.length === 0 ? [] : [`not compared: ${kinds(forbidden)}; the user of the context may not list them`]),
    ...(keys.length === 0
      ? []
      : [
          `not compared: ${kinds(keys)}; git does not know ${keys[0]?.objects === 1 ? 'this key' : 'these keys'}: ${takeKeys(keys[0]?.objects === 1 ? 'it' : 'them')} from this dump`,
        ]),
    ...(loans.length === 0
      ? []
      : [
          `not compared: ${kinds(loans)}; git does not know the keys of these loans: ${takeKeys('them')} from dumps with Tenants and Secrets`,
        ]),
  ];
}

const PUBLIC_KEY = 'PublicKey.networking.liqo.io';

/** `Configuration liqo-tenant-milan/milan`. */
const objectText = ({ kind, namespace, name }: ObjectName): string =>
  `${kind} ${namespace === null ? '' : `${namespace}/`}${name}`;

/** `spec.endpoint.addresses[0]`, `metadata.labels["liqo.io/remote-cluster-id"]`. */
function fieldText(path: readonly string[]): string {
  return path
    .map((it, index) => {
      if (/^\d+$/.test(it)) return `[${it}]`;
      if (!/^[\w-]+$/.test(it)) return `["${it}"]`;
      return index === 0 ? it : `.${it}`;
    })
    .join('');
}

/** The most UTF-16 code units of a value that are shown. */
const LONGEST = 80;

/** A part of an object on one line. */
const valueText = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : shortened(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);

/** `rome to milan: what dials 10.81.3.7 reaches nothing; dial 10.68.3.7`. */
export function pairsText({ from, to, through, dialled, now, reaches }: BrokenPairs): string {
  const way = through === null ? '' : ` through ${through}`;
  const found = reaches === null ? 'reaches nothing' : `reaches ${reaches}`;
  // Behind a hub, each cluster has its own address for the pod, and the hub dials the one that moved.
  const who = through === null || from.names.includes(through) ? 'what dials' : `what ${through} dials for them at`;
  return `${clustersText(from)} to ${clustersText(to)}${way}: ${who} ${dialled} ${found}${now === null ? '' : `; the address is ${now} now`}`;
}

const clustersText = ({ names, more }: SomeClusters): string =>
  more > 0 ? `${names.join(', ')}${andMore(more)}` : listOf(names);

/** Every problem as a diagnostic at the place of the promise, with its evidence in the message. */
export const driftDiagnostics = (clusters: readonly ExplainedCluster[]): readonly Diagnostic[] =>
  clusters.flatMap(({ problems }) =>
    problems.map(({ diagnostic, pairs, details }) => ({
      ...diagnostic,
      message: [diagnostic.message, ...pairs.map(pairsText), ...details].join('; '),
    })),
  );
