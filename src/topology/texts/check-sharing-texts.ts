import type { OffloadingEntry, SharingEntry, SliceEntry } from '../../schema-types/topology.ts';
import type { Reading } from '../../source/reading.ts';
import { DNS_LABEL } from '../formats/dns-label.ts';
import { SLICE_NAME } from '../formats/slice-name.ts';
import type { Report } from '../report.ts';
import { checkResources } from './check-resources.ts';
import { checkText } from './check-text.ts';

/** Names, classes and quantities of an entry of `sharing`. The names of clusters are checked by a rule. */
export function checkSharingTexts(entry: Reading<SharingEntry>, report: Report): void {
  // An entry without `slices` has the keys of the only one.
  for (const it of [entry as Reading<unknown> as Reading<SliceEntry>, ...entry.at('slices').items()]) {
    checkText(it.at('name').scalar(), SLICE_NAME, '`name` of a slice', report);
    checkText(it.at('class').scalar(), DNS_LABEL, '`class` of a slice', report);
    checkResources(it.at('resources'), '`resources`', report);
  }
}

/** Names of namespaces. */
export function checkOffloadingTexts(entry: Reading<OffloadingEntry>, report: Report): void {
  checkText(entry.at('namespace').scalar(), DNS_LABEL, '`namespace`', report);
  checkText(entry.at('remoteName').scalar(), DNS_LABEL, '`remoteName`', report);
}
