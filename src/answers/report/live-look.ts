import { visibleText } from '../../base/core/visible-text.ts';
import { firstLines, moreLine, shownOf, someOf } from '../../base/core/words.ts';
import type { ClusterProblem } from '../../live/drift/causes-first.ts';
import { faultText, type LinkFault } from '../../live/problems/link-faults.ts';
import { pairsText } from './drift.ts';
import { type Paint, plainPaint } from './paint.ts';

/** The live data behind an answer. */
export interface LookReport {
  /** The dumps and contexts that the user named. */
  readonly sources: readonly string[];
  readonly looked: readonly string[];
  /** Clusters without a dump, inferred from their peers. */
  readonly inferred: readonly string[];
  /** Differences from git of the clusters in the answer, causes first; `null` without git. */
  readonly differences: readonly ClusterProblem[] | null;
  /** Faults of the links in the answer. */
  readonly faults: readonly LinkFault[];
  /** Differences from git. */
  readonly gitSays: readonly string[];
}

const NAMED = 6;
const SHOWN = 20;

/**
 * Adds sources and what differs from git above an answer about live clusters, faults below; other answers stay
 * unchanged.
 */
export const withLook = (text: string, look: LookReport | null, paint: Paint): string =>
  look === null ? text : `${headOf(look)}${differencesOf(look, paint)}${text}${footOf(look, paint)}`;

/** True when the clusters of an answer differ from git, so that the answer is not the first thing to read. */
export const differsFromGit = (look: LookReport | null): boolean => (look?.differences ?? []).length > 0;

/** Like `withLook`, in Markdown. */
export const withLookMarkdown = (text: string, look: LookReport | null): string =>
  look === null
    ? text
    : `${headOf(look)}${listed(differencesOf(look, plainPaint))}${text}${listed(footOf(look, plainPaint))}`;

const listed = (lines: string): string => lines.replace(/^(?=\S)/gm, '- ');

/** The key that programs get with the answer. */
export const lookKeys = (look: LookReport | null): object => (look === null ? {} : { live: lookDocument(look) });

function headOf({ sources, looked, inferred }: LookReport): string {
  const rest = inferred.length === 0 ? '' : `; ${someOf(inferred, NAMED)} only as their peers know them`;
  return `${visibleText(`Live, not git: ${someOf(looked, NAMED)}, from ${someOf(sources, NAMED)}${rest}.`)}\n\n`;
}

const CAUSES_SHOWN = 3;
const DETAILS_SHOWN = 3;

/** Differences from git: the first cause with its evidence and what to do, the next ones in a line each. */
function differencesOf({ differences }: LookReport, paint: Paint): string {
  if (differences === null || differences.length === 0) return '';
  const [first, ...others] = differences.slice(0, shownOf(differences.length, CAUSES_SHOWN));
  const lines = (it: ClusterProblem | undefined): readonly string[] => {
    if (it === undefined) return [];
    const { code, severity, message } = it.problem.diagnostic;
    return [`${paint[severity](code)}  ${visibleText(message)}`];
  };
  const { pairs = [], details = [], diagnostic } = first?.problem ?? {};
  const more = [...pairs.map(pairsText), ...details].map((it) => `  ${visibleText(it)}`);
  return `${[
    ...lines(first),
    ...firstLines(more, DETAILS_SHOWN, (left) => `  ... and ${left} more; "weft drift" shows all`),
    ...(diagnostic?.hint === undefined ? [] : [`  ${paint.good('hint')}: ${visibleText(diagnostic.hint)}`]),
    ...others.flatMap(lines),
    ...moreLine(differences.length - others.length - 1, '; "weft drift" shows all', 'problem'),
  ].join('\n')}\n\n`;
}

/** Empty without faults and differences. */
function footOf({ faults, gitSays }: LookReport, paint: Paint): string {
  const lines = [
    ...faults.map((it) => paint.warning(visibleText(faultText(it)))),
    ...gitSays.map((it) => visibleText(it)),
  ];
  if (lines.length === 0) return '';
  return `\n${firstLines(lines, SHOWN, (left) => `... and ${left} more; -o json lists all`).join('\n')}\n`;
}

const lookDocument = ({ faults, differences, ...look }: LookReport) => ({
  ...look,
  drift:
    differences?.map(({ cluster, problem: { peer, diagnostic, isWaiting, details, pairs } }) => {
      const { code, severity, message, hint = null } = diagnostic;
      const sentences = [...pairs.map(pairsText), ...details];
      return { cluster, peer, code, severity, message, hint, isWaiting, details: sentences };
    }) ?? null,
  faults: faults.map((it) => {
    const { cluster, peer, kind, stops } = it;
    return { cluster, peer, kind, stops, text: faultText(it) };
  }),
});
