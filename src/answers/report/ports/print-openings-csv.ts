import type { Opening } from '../../../reach/ports/opening.ts';
import { targetInside } from '../../../reach/ports/target-inside.ts';
import { printCsv } from '../print-csv.ts';
import { pathText } from './behind-lines.ts';

const TITLES = [
  'purpose',
  'protocol',
  'from',
  'source',
  'to',
  'address',
  'port',
  'inside_address',
  'inside_port',
  'behind',
  'remark',
] as const;

/** One row for each opening, also where two differ in nothing but their clusters. What is not known is an empty cell. */
export const printOpeningsCsv = (openings: readonly Opening[]): string => printCsv([TITLES, ...openings.map(rowOf)]);

function rowOf(opening: Opening): readonly string[] {
  const { purpose, protocol, from, to, sources, dialled, recorded } = opening;
  const inside = targetInside(opening);
  return [
    purpose,
    protocol,
    from,
    sources.join(' '),
    to,
    dialled.address ?? '',
    textOf(dialled.port),
    inside.address ?? '',
    textOf(inside.port),
    pathText(opening),
    recorded ? '' : 'the lock does not have this port yet',
  ];
}

const textOf = (port: number | null): string => (port === null ? '' : String(port));
