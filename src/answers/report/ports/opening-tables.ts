import { someOf } from '../../../base/core/words.ts';
import { type Destination, printPortRanges } from '../../../reach/ports/destinations-of.ts';
import type { Opening } from '../../../reach/ports/opening.ts';
import { PURPOSES, UNKNOWN } from './target-text.ts';

/** Runs of ports that are printed of one address; a hub has one port for each of its spokes. */
const NAMED_PORTS = 3;

export interface OpeningTable {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

type Column = readonly [title: string, cell: (opening: Opening) => string];

const ENDS = {
  from: ['FROM', (it) => it.from],
  source: ['SOURCE', ({ sources }) => sources[0] ?? UNKNOWN],
  to: ['TO', (it) => it.to],
} as const satisfies Readonly<Record<string, Column>>;

/**
 * One row for each opening, with these columns in front, and one more for each further source. Addresses come last, because DNS
 * names can be long.
 */
export function openingTable(openings: readonly Opening[], ends: readonly (keyof typeof ENDS)[]): OpeningTable {
  const columns: readonly Column[] = [
    ...ends.map((it) => ENDS[it]),
    ['WHAT', (it) => PURPOSES[it.purpose]],
    ['PORT', ({ protocol, dialled }) => `${protocol.toUpperCase()} ${dialled.port ?? UNKNOWN}`],
    ['ADDRESS', ({ dialled }) => dialled.address ?? UNKNOWN],
  ];
  return {
    titles: columns.map(([title]) => title),
    rows: openings.flatMap((it) => [
      columns.map(([, cell]) => cell(it)),
      ...(ends.includes('source') ? it.sources.slice(1) : []).map((source) =>
        columns.map(([title]) => (title === 'SOURCE' ? source : '')),
      ),
    ]),
  };
}

/** The ports at each address that several openings share. */
export function destinationTable(destinations: readonly Destination[]): OpeningTable {
  const shared = destinations.filter((it) => it.count > 1 && it.address !== null);
  return {
    titles: ['AT ADDRESS', 'OF', 'PORTS', 'CHOSEN FROM'],
    rows: shared.map(({ address, to, protocol, ports, range }) => [
      address ?? UNKNOWN,
      to,
      `${protocol.toUpperCase()} ${someOf(printPortRanges(ports), NAMED_PORTS)}`,
      range === null ? '' : `${range.first}-${range.last}`,
    ]),
  };
}
