import { countOf } from '../../base/core/words.ts';
import type { CollectedKey } from '../../live/public-keys/collect-public-keys.ts';
import { type Answer, unlessQuiet } from './answer.ts';
import { alignRows, printLines } from './layout.ts';
import type { Paint } from './paint.ts';
import { recordedLines } from './recorded-file.ts';

interface CollectedKeysReport {
  /** The keys file. */
  readonly file: string;
  readonly changes: boolean;
  readonly check: boolean;
  readonly gateways: readonly CollectedKey[];
}

/** `weft keys collect`. */
export const collectedKeysAnswer: Answer<'keys collect', CollectedKeysReport> = {
  text: unlessQuiet((report, { paint }) => printCollectedKeys(report, paint)),
  json: ({ file, changes, check, gateways }) => ({
    keys: { file, changed: changes, written: changes && !check, gateways },
  }),
};

const WORDS: Readonly<Record<CollectedKey['result'], string>> = {
  new: 'recorded',
  replaced: 'replaced',
  unchanged: 'unchanged',
  differs: 'differs, and the recorded one stays',
  'not-made': 'not made yet',
  refused: 'refused',
  'not-asked': 'not asked',
};

/** A line for each gateway whose cluster was read, then the result for the file, and the missing keys. */
function printCollectedKeys({ file, changes, check, gateways }: CollectedKeysReport, paint: Paint): string {
  const rows = gateways
    .filter((it) => it.result !== 'not-asked')
    .map(({ cluster, peer, result }) => [`${cluster} towards ${peer}`, WORDS[result]]);
  const missing = gateways.filter((it) => it.publicKey === null).length;
  const problems = missing === 0 ? [] : [`${countOf(missing, 'key')} of ${gateways.length} missing`];
  return printLines([
    ...alignRows(rows),
    ...recordedLines({ file, changes, check, whole: 'every key', problems }, paint),
  ]);
}
