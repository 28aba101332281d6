import { groupBy } from '../../../base/core/group-by.ts';
import { someOf } from '../../../base/core/words.ts';
import type { Opening, Place } from '../../../reach/ports/opening.ts';
import { targetText, UNKNOWN } from './target-text.ts';

/** Addresses in one line; each link behind NAT may have its own. */
const NAMED = 3;

/** What packets pass behind the addresses that are dialled, in a line for all with the same places. */
export function behindLines(openings: readonly Opening[]): readonly string[] {
  const known = openings.filter((it) => it.places.length > 0);
  return [...groupBy(known, (it) => [pathText(it)])].map(([path, all]) => {
    const addresses = new Set(all.map((it) => (it.nat ? targetText(it.dialled) : (it.dialled.address ?? UNKNOWN))));
    return `Behind ${someOf([...addresses], NAMED)}: ${path}.`;
  });
}

/** `NAT, nodes (192.168.7.4, port 30742), Service (port 51840), gateway pod (port 51840)`. The same port is the one that is dialled. */
export function pathText({ places, nat, dialled }: Opening): string {
  const texts = places.map((it, index) => {
    const address = index === 0 && nat ? `${it.address ?? 'unknown address'}, ` : '';
    const port = it.port === dialled.port ? 'same port' : `port ${it.port ?? 'chosen by Kubernetes'}`;
    return `${KINDS[it.kind]} (${address}${port})`;
  });
  return [...(nat ? ['NAT'] : []), ...texts].join(', ');
}

const KINDS: Readonly<Record<Place['kind'], string>> = {
  'load-balancer': 'load balancer',
  node: 'nodes',
  service: 'Service',
  pod: 'gateway pod',
};
