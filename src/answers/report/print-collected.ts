import { countOf } from '../../base/core/words.ts';
import type { CollectedPair } from '../../live/identities/collect-answers.ts';
import { type Answer, unlessQuiet } from './answer.ts';
import { alignRows, printLines } from './layout.ts';
import type { Paint } from './paint.ts';
import { recordedLines } from './recorded-file.ts';

interface CollectReport {
  /** The identities file. */
  readonly file: string;
  readonly changes: boolean;
  readonly check: boolean;
  readonly pairs: readonly CollectedPair[];
}

/** `weft identities collect`. */
export const collectedAnswer: Answer<'identities collect', CollectReport> = {
  text: unlessQuiet((report, { paint }) => printCollected(report, paint)),
  json: (report) => ({ identities: collectedDocument(report) }),
};

const WORDS: Readonly<Record<CollectedPair['result'], string>> = {
  new: 'recorded',
  renewed: 'recorded again',
  unchanged: 'unchanged',
  older: 'kept: the dump is older',
  'not-signed': 'not signed yet',
  refused: 'refused',
  'not-asked': 'not asked',
};

/** `weft identities collect`: a line for each requested pair, then the result for the file, and the missing answers. */
function printCollected({ file, changes, check, pairs }: CollectReport, paint: Paint): string {
  const asked = pairs.filter((it) => it.result !== 'not-asked');
  const rows = asked.map(({ consumer, provider, result, notAfter }) => [
    `${consumer} from ${provider}`,
    WORDS[result],
    notAfter === null ? '' : `until ${notAfter.slice(0, 10)}`,
  ]);
  const missing = pairs.filter((it) => it.notAfter === null).length;
  const refused = pairs.filter((it) => it.result === 'refused' && it.notAfter !== null).length;
  const problems = [
    ...(missing > 0 ? [`${countOf(missing, 'answer')} of ${pairs.length} missing`] : []),
    ...(refused > 0 ? [`${countOf(refused, 'recorded answer')} not replaced`] : []),
  ];
  return printLines([
    ...alignRows(rows),
    ...recordedLines({ file, changes, check, whole: 'every answer', problems }, paint),
  ]);
}

/** The report for programs. */
const collectedDocument = ({ file, changes, check, pairs }: CollectReport) => ({
  file,
  changed: changes,
  written: changes && !check,
  pairs,
});
