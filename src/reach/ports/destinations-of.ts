import { groupBy } from '../../base/core/group-by.ts';
import type { Opening } from './opening.ts';

/** Everything that is dialled at one address, as one rule can allow it. */
export interface Destination extends Pick<Opening, 'to' | 'protocol' | 'range'> {
  readonly address: string | null;
  /** In order, each once. */
  readonly ports: readonly number[];
  /** Number of openings. */
  readonly count: number;
}

/** The openings by address and protocol, in the order in which they come first. */
export function destinationsOf(openings: readonly Opening[]): readonly Destination[] {
  const groups = groupBy(openings, ({ to, protocol, dialled }) => [`${to} ${protocol} ${dialled.address ?? ''}`]);
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const ports = all.flatMap(({ dialled }) => (dialled.port === null ? [] : [dialled.port]));
    return [
      {
        to: first.to,
        protocol: first.protocol,
        address: first.dialled.address,
        ports: [...new Set(ports)].sort((a, b) => a - b),
        range: commonRange(all),
        count: all.length,
      },
    ];
  });
}

/** The range that all ports are chosen from, so that opening it once is enough for later links, too. */
function commonRange(all: readonly Opening[]): Opening['range'] {
  const [first, ...others] = all.map((it) => it.range);
  if (first === undefined || first === null) return null;
  return others.every((it) => it?.first === first.first && it.last === first.last) ? first : null;
}

/** `30000-30089` for ports that follow each other. */
export function printPortRanges(ports: readonly number[]): readonly string[] {
  const runs: { first: number; last: number }[] = [];
  for (const port of ports) {
    const run = runs.at(-1);
    if (run !== undefined && run.last + 1 === port) run.last = port;
    else runs.push({ first: port, last: port });
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}
