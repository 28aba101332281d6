import { visibleText } from '../../base/core/visible-text.ts';
import { firstLines, someOf } from '../../base/core/words.ts';
import { faultText, type LinkFault } from '../../live/problems/link-faults.ts';
import { type Paint, plainPaint } from './paint.ts';

/** What an answer about live clusters rests on. */
export interface LookReport {
  /** Dumps and contexts, as the user named them. */
  readonly sources: readonly string[];
  readonly looked: readonly string[];
  /** Clusters that were not looked at, and are known from their peers. */
  readonly inferred: readonly string[];
  /** What is wrong with the links that the answer is about. */
  readonly faults: readonly LinkFault[];
  /** Where git says something else. */
  readonly gitSays: readonly string[];
}

const NAMED = 6;
const SHOWN = 20;

/** The text of an answer about live clusters, below what it rests on and above what is wrong with them; any other as it is. */
export const withLook = (text: string, look: LookReport | null, paint: Paint): string =>
  look === null ? text : `${headOf(look)}${text}${footOf(look, paint)}`;

/** The same in Markdown. */
export const withLookMarkdown = (text: string, look: LookReport | null): string =>
  look === null ? text : `${headOf(look)}${text}${footOf(look, plainPaint).replace(/^(?=.)/gm, '- ')}`;

/** The same for programs: the key that the answer gets. */
export const lookKeys = (look: LookReport | null): object => (look === null ? {} : { live: lookDocument(look) });

function headOf({ sources, looked, inferred }: LookReport): string {
  const rest = inferred.length === 0 ? '' : `; ${someOf(inferred, NAMED)} only as their peers know them`;
  return `${visibleText(`Live, not git: ${someOf(looked, NAMED)}, from ${someOf(sources, NAMED)}${rest}.`)}\n\n`;
}

/** Nothing where all is well and as git says. */
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
