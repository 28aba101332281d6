import { visibleText } from '../../base/core/visible-text.ts';
import { countOf } from '../../base/core/words.ts';
import type { CollectedPair } from '../../live/identities/collect-answers.ts';
import type { CollectedKey } from '../../live/public-keys/collect-public-keys.ts';
import { type Answer, unlessQuiet } from './answer.ts';
import { alignRows, printLines } from './layout.ts';
import type { Paint } from './paint.ts';

/** A file beside the topology in which a command records what clusters have: their keys, or answers of providers. */
interface RecordedFile {
  readonly file: string;
  readonly changes: boolean;
  /** True when nothing is written. */
  readonly check: boolean;
}

interface CollectedIdentities extends RecordedFile {
  readonly pairs: readonly CollectedPair[];
}

/** `weft identities collect`: a line for each requested pair, then the result for the file, and the missing answers. */
export const collectedAnswer: Answer<'identities collect', CollectedIdentities> = {
  text: unlessQuiet((report, { paint }) => printCollected(report, paint)),
  json: (report) => ({ identities: { ...fileDocument(report), pairs: report.pairs } }),
};

const PAIR_WORDS: Readonly<Record<CollectedPair['result'], string>> = {
  new: 'recorded',
  renewed: 'recorded again',
  unchanged: 'unchanged',
  older: 'kept: the dump is older',
  'not-signed': 'not signed yet',
  refused: 'refused',
  'not-asked': 'not asked',
};

function printCollected({ pairs, ...file }: CollectedIdentities, paint: Paint): string {
  const asked = pairs.filter((it) => it.result !== 'not-asked');
  const rows = asked.map(({ consumer, provider, result, notAfter }) => [
    `${consumer} from ${provider}`,
    PAIR_WORDS[result],
    notAfter === null ? '' : `until ${notAfter.slice(0, 10)}`,
  ]);
  const missing = pairs.filter((it) => it.notAfter === null).length;
  const refused = pairs.filter((it) => it.result === 'refused' && it.notAfter !== null).length;
  const problems = [
    ...(missing > 0 ? [`${countOf(missing, 'answer')} of ${pairs.length} missing`] : []),
    ...(refused > 0 ? [`${countOf(refused, 'recorded answer')} not replaced`] : []),
  ];
  return printLines([...alignRows(rows), ...recordedLines(file, { whole: 'every answer', problems }, paint)]);
}

interface CollectedKeys extends RecordedFile {
  readonly gateways: readonly CollectedKey[];
}

/** `weft keys collect`: a line for each gateway whose cluster was read, then the result for the file, and the missing keys. */
export const collectedKeysAnswer: Answer<'keys collect', CollectedKeys> = {
  text: unlessQuiet((report, { paint }) => printCollectedKeys(report, paint)),
  json: (report) => ({ keys: { ...fileDocument(report), gateways: report.gateways } }),
};

const KEY_WORDS: Readonly<Record<CollectedKey['result'], string>> = {
  new: 'recorded',
  replaced: 'replaced',
  unchanged: 'unchanged',
  differs: 'differs, and the recorded one stays',
  'not-made': 'not made yet',
  refused: 'refused',
  'not-asked': 'not asked',
};

function printCollectedKeys({ gateways, ...file }: CollectedKeys, paint: Paint): string {
  const rows = gateways
    .filter((it) => it.result !== 'not-asked')
    .map(({ cluster, peer, result }) => [`${cluster} towards ${peer}`, KEY_WORDS[result]]);
  const missing = gateways.filter((it) => it.publicKey === null).length;
  const problems = missing === 0 ? [] : [`${countOf(missing, 'key')} of ${gateways.length} missing`];
  return printLines([...alignRows(rows), ...recordedLines(file, { whole: 'every key', problems }, paint)]);
}

/** The file for programs. */
const fileDocument = ({ file, changes, check }: RecordedFile) => ({
  file,
  changed: changes,
  written: changes && !check,
});

interface RecordedContent {
  /** Everything that the file must contain: `every key`. */
  readonly whole: string;
  /** Missing content of the file: `2 keys missing`. */
  readonly problems: readonly string[];
}

/** The last lines of a command that records: the state of the file, what is not recorded, and the next command. */
export function recordedLines(
  { file, changes, check }: RecordedFile,
  { whole, problems }: RecordedContent,
  paint: Paint,
): readonly string[] {
  const state = changes ? (check ? 'would change' : paint.good('is written')) : 'stays as it is';
  const content = problems.length === 0 ? `${whole} is recorded` : problems.join(', ');
  return [`${visibleText(file)} ${state}; ${content}`, ...(changes && !check ? ['Next: weft compile'] : [])];
}
