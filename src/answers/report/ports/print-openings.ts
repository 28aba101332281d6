import { visibleText } from '../../../base/core/visible-text.ts';
import { destinationsOf } from '../../../reach/ports/destinations-of.ts';
import type { Opening } from '../../../reach/ports/opening.ts';
import { markdownTable } from '../markdown-table.ts';
import { markdownText } from '../markdown-text.ts';
import type { Paint } from '../paint.ts';
import { printTable } from '../print-table.ts';
import { wrapText } from '../wrap-text.ts';
import { behindLines } from './behind-lines.ts';
import { openingRemarks } from './opening-remarks.ts';
import { destinationTable, type OpeningTable, openingTable } from './opening-tables.ts';

/** Cells of the terminal that sentences are wrapped for. */
const WIDTH = 80;

/** Openings, and the clusters whose firewalls they are for; none for a list of the fleet. */
interface OpeningList {
  readonly openings: readonly Opening[];
  readonly clusters: readonly string[];
}

/** `weft ports`: what must be open, then what is behind the addresses, then what else to consider. */
export function printOpenings(list: OpeningList, paint: Paint): string {
  const table = ({ titles, rows }: OpeningTable) => printTable(titles, rows, paint);
  const width = Math.min(WIDTH, paint.columns ?? WIDTH);
  const wrapped = (sentences: readonly string[]) => sentences.flatMap((it) => wrapText(visibleText(it), width));
  return joined([
    ...sectionsOf(list).map(({ title, ...it }) =>
      it.rows.length === 0 ? [`${title}: nothing`] : [paint.strong(title), ...table(it)],
    ),
    table(destinationTable(destinationsOf(list.openings))),
    wrapped(behindLines(list.openings)),
    wrapped(openingRemarks(list.openings)),
  ]);
}

/** The same for a ticket or a wiki. */
export function printOpeningsMarkdown(list: OpeningList): string {
  const table = ({ titles, rows }: OpeningTable): readonly string[] =>
    markdownTable(
      titles.map((it) => it.toLowerCase()),
      rows.map((row) => row.map(markdownText)),
    ).slice(1);
  const remarks = [...behindLines(list.openings), ...openingRemarks(list.openings)];
  return joined([
    ...sectionsOf(list).flatMap(({ title, ...it }) => [
      [`### ${title}`],
      it.rows.length === 0 ? ['Nothing.'] : table(it),
    ]),
    table(destinationTable(destinationsOf(list.openings))),
    remarks.map((it) => `- ${markdownText(it)}`),
  ]);
}

/** For the fleet one table; for a cluster one of each direction. Where packets leave, they do not have their outer source yet. */
function sectionsOf({ openings, clusters }: OpeningList): readonly (OpeningTable & { readonly title: string })[] {
  if (clusters.length === 0) {
    return [{ title: 'Between the clusters', ...openingTable(openings, ['from', 'source', 'to']) }];
  }
  return clusters.flatMap((cluster) => [
    {
      title: `Out of ${cluster}`,
      ...openingTable(
        openings.filter((it) => it.from === cluster),
        ['to'],
      ),
    },
    {
      title: `Into ${cluster}`,
      ...openingTable(
        openings.filter((it) => it.to === cluster),
        ['from', 'source'],
      ),
    },
  ]);
}

/** Parts with an empty line between them; empty parts are left out. */
const joined = (parts: readonly (readonly string[])[]): string =>
  `${parts
    .filter((it) => it.length > 0)
    .map((it) => it.join('\n'))
    .join('\n\n')}\n`;
