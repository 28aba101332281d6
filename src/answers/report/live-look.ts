import { visibleText } from '../../base/core/visible-text.ts';
import { firstLines, someOf } from '../../base/core/words.ts';
import { faultText, type LinkFault } from '../../live/problems/link-faults.ts';
import { type Paint, plainPaint } from './paint.ts';

/** The live data behind an answer. */
export interface LookReport {
  /** The dumps and contexts that the user named. */
  readonly sources: readonly string[];
  readonly looked: readonly string[];
  /** Clusters without a dump, inferred from their peers. */
  readonly inferred: readonly string[];
  /** Faults of the links in the answer. */
  readonly faults: readonly LinkFault[];
  /** Differences from git. */
  readonly gitSays: readonly string[];
}

const NAMED = 6;
const SHOWN = 20;

/** Adds sources above an answer about live clusters, faults and differences below; other answers stay unchanged. */
export const withLook = (text: string, look: LookReport | null, paint: Paint): string =>
  look === null ? text : `${headOf(look)}${text}${footOf(look, paint)}`;

/** Like `withLook`, in Markdown. */
export const withLookMarkdown = (text: string, look: LookReport | null): string =>
  look === null ? text : `${headOf(look)}${text}${footOf(look, plainPaint).replace(/^(?=.)/gm, '- ')}`;

/** The key that programs get with the answer. */
export const lookKeys = (look: LookReport | null): object => (look === null ? {} : { live: lookDocument(look) });

function headOf({ sources, looked, inferred }: LookReport): string {
  const rest = inferred.length === 0 ? '' : `; ${someOf(inferred, NAMED)} only as their peers know them`;
  return `${visibleText(`Live, not git: ${someOf(looked, NAMED)}, from ${someOf(sources, NAMED)}${rest}.`)}\n\n`;
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

const lookDocument = ({ faults, ...look }: LookReport) => ({
  ...look,
  faults: faults.map((it) => {
    const { cluster, peer, kind, stops } = it;
    return { cluster, peer, kind, stops, text: faultText(it) };
  }),
});
