import { carriesPackets } from '../../fleet/model/keyless-ends.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import type { Reflection } from './reflection.ts';
import type { TranslatedAddress, Way } from './translation.ts';

/** The links without keys that packets to the received addresses would take, by the order of the addresses. */
export function keylessLinks(reflection: Reflection, addresses: readonly TranslatedAddress[]): readonly Link[] {
  const links = addresses.flatMap((it) =>
    (Object.keys(it.arrivals) as Way[]).flatMap((way) => linksTo(reflection, it, way)),
  );
  return [...new Set(links)].filter((it) => !carriesPackets(it));
}

/** The links from the receiver to the pod behind an address that it received. */
function linksTo(
  { hub, receiver, hubSeen }: Reflection,
  { owner, arrivals }: TranslatedAddress,
  way: Way,
): readonly Link[] {
  const arrival = arrivals[way]?.arrival;
  if (arrival?.kind !== 'known' && arrival?.kind !== 'run-time') return [];
  if (owner.kind === 'own') return [hubSeen.link];
  const onward = (arrival.kind === 'known' ? receiver : hub).peers.get(owner.peer)?.link;
  return [...(arrival.kind === 'known' ? [] : [hubSeen.link]), ...(onward ? [onward] : [])];
}
