import { type CompileReport, compileReport } from '../../answers/report/compile-report.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import { firstLines } from '../../base/core/words.ts';
import type { ComparedFleet, FileDifference, WrittenFleet } from '../app/compile-fleet.ts';

const SIGNS = { add: '+', change: '~', remove: '-' } as const;
const SHOWN_DIFFERENCES = 50;

/** Printed after `weft compile --check`. */
export function printCompared({ topology, out: folder, differences }: ComparedFleet): string {
  const out = visibleText(folder);
  if (differences.length === 0) return `${out}/ and ${visibleText(topology.files.lock)} are current.\n`;
  const lines = differences.map((it) => `  ${SIGNS[it.change]} ${visibleText(it.path)}`);
  return [
    `${out}/ is out of date:`,
    ...firstLines(lines, SHOWN_DIFFERENCES, (left) => `  ... and ${left} more`),
    'Run "weft compile" and commit the result.',
    '',
  ].join('\n');
}

/** One topology of `weft compile -o json`. */
type CompileRow = Omit<CompileReport, 'counts' | 'accepted' | 'byDefault'> & {
  readonly accepted: Omit<CompileReport['accepted'], 'errors'>;
  readonly differences: readonly { readonly action: FileDifference['change']; readonly file: string }[];
};

export function compileRow(
  fleet: WrittenFleet | ComparedFleet,
  differences: readonly FileDifference[] = [],
): CompileRow {
  const { counts: _counts, byDefault: _byDefault, accepted, ...report } = compileReport(fleet);
  const { warnings, notes } = accepted;
  const files = differences.map(({ change: action, path: file }) => ({ action, file }));
  return { ...report, accepted: { warnings, notes }, differences: files };
}
