import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, moreLine, shownOf } from '../../../base/core/words.ts';
import type { InventoryUpdate } from '../../../live/inventory/update-inventory.ts';
import { type Answer, unlessQuiet } from '../answer.ts';
import type { Paint } from '../paint.ts';

/** `weft import --clusters`. */
export const inventoryAnswer: Answer<'import', InventoryReport> = {
  text: unlessQuiet((report, { paint }) => printInventory(report, paint)),
  json: (report) => ({ inventory: inventoryDocument(report) }),
};

/** The result of `weft import --clusters`. */
interface InventoryReport extends Omit<InventoryUpdate, 'text'> {
  readonly topology: string;
  readonly file: string;
  readonly topologyChange: 'new' | 'includes-file' | 'none';
  readonly written: readonly string[];
  readonly isCheck: boolean;
}

const TOPOLOGY_WORDS = {
  new: 'a new topology: name its hub there',
  'includes-file': 'one line more, which includes the clusters',
} as const;

/** Rows of clusters and keys that are printed; `-o json` has all of them. */
const MOST_ROWS = 20;

function printInventory(report: InventoryReport, paint: Paint): string {
  const { added, changed, unchanged, gone, elsewhere, written, isCheck, topology, topologyChange } = report;
  const files = written.map((it) => {
    const what = it === topology && topologyChange !== 'none' ? ` (${TOPOLOGY_WORDS[topologyChange]})` : '';
    return `${isCheck ? 'would write' : 'wrote'} ${visibleText(it)}${what}`;
  });
  const changedClusters = new Set(changed.map((it) => it.cluster)).size;
  const counts = [
    `${added.length} added`,
    `${changedClusters} changed`,
    `${unchanged.length} unchanged`,
    ...(elsewhere.length === 0 ? [] : [`${elsewhere.length} in other files of the fleet`]),
    ...(gone.length === 0 ? [] : [`${gone.length} no longer in the inventory`]),
  ];
  const total = added.length + changedClusters + unchanged.length + elsewhere.length;
  return [
    ...files,
    `${countOf(total, 'cluster')} in the inventory: ${counts.join(', ')}`,
    ...rows(added, (it) => `${paint.good('+')} ${visibleText(it)}`),
    ...rows(
      changed,
      ({ cluster, key, from, to }) =>
        `${paint.warning('~')} ${visibleText(`${cluster}: ${key} ${from === null ? to : `${from} -> ${to}`}`)}`,
    ),
    ...rows(gone, (it) => `${paint.warning('!')} ${visibleText(it)} stays, see the warning`),
    ...nextStep(report),
    '',
  ].join('\n');
}

function rows<T>(items: readonly T[], print: (item: T) => string): readonly string[] {
  const count = shownOf(items.length, MOST_ROWS);
  const more = moreLine(items.length - count).map((it) => `  ${it}`);
  return [...items.slice(0, count).map((it) => `  ${print(it)}`), ...more];
}

function nextStep({ written, isCheck }: InventoryReport): readonly string[] {
  if (written.length === 0) return ['nothing to write: the clusters are up to date'];
  if (isCheck) return ['nothing was written: run it again without --check'];
  return ['"weft plan" shows what this changes in the network'];
}

/** The document of `weft import --clusters -o json`. Programs rely on it: keys are added, never removed or changed in meaning. */
const inventoryDocument = ({ isCheck, written, ...report }: InventoryReport) => ({
  files: written,
  written: !isCheck,
  topology: report.topology,
  file: report.file,
  topologyChange: report.topologyChange,
  added: report.added,
  changed: report.changed,
  unchanged: report.unchanged,
  gone: report.gone,
  elsewhere: report.elsewhere,
});
