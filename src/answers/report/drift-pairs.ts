import { andMore, listOf } from '../../base/core/words.ts';
import type { BrokenPairs, SomeClusters } from '../../live/drift/problem.ts';

/** `rome to milan: what dials 10.81.3.7 reaches nothing; dial 10.68.3.7`. */
export function pairsText({ from, to, through, dialled, now, reaches }: BrokenPairs): string {
  const way = through === null ? '' : ` through ${through}`;
  const found = reaches === null ? 'reaches nothing' : `reaches ${reaches}`;
  // Behind a hub each cluster has an address of its own for the pod, and the hub dials the one that moved.
  const who = through === null || from.names.includes(through) ? 'what dials' : `what ${through} dials for them at`;
  return `${clustersText(from)} to ${clustersText(to)}${way}: ${who} ${dialled} ${found}${now === null ? '' : `; the address is ${now} now`}`;
}

const clustersText = ({ names, more }: SomeClusters): string =>
  more > 0 ? `${names.join(', ')}${andMore(more)}` : listOf(names);
