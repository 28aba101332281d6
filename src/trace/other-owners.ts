import { countOf } from '../core/words.ts';
import type { AddressedCluster, AddressedModel } from '../ipam/addressed-model.ts';
import { printAddress, printPrefix } from '../net/text.ts';
import { type Dial, dialOwner } from '../whois/dial-owner.ts';
import { ownersOf } from '../whois/owners-of.ts';
import { usesOf } from '../whois/uses-of.ts';
import { type Elsewhere, elsewhere } from '../whois/whois.ts';

/** So many other clusters are named. */
const NAMED = 3;

/**
 * Sentences about the other clusters that use a dialled address themselves, and what the sender dials for them. An
 * address that means nothing to the sender may also be a view of another cluster: the first one that sees a pod there.
 */
export function otherOwners(model: AddressedModel, sender: AddressedCluster, address: number): readonly string[] {
  const others = elsewhere(model, sender, address);
  const pods = others.filter((it) => it.role === 'pod');
  const owners = pods.length > 0 || usesOf(sender, address).length > 0 ? pods : others;
  const left = owners.length - NAMED;
  return [
    ...owners.slice(0, NAMED).map((it) => ownerSentence(sender, address, it)),
    ...(left > 0 ? [`${countOf(left, 'more cluster')} ${left === 1 ? 'uses' : 'use'} it, too.`] : []),
    ...(pods.length > 0 || usesOf(sender, address).length > 0 ? [] : seenElsewhere(model, sender, address)),
  ];
}

const ownerSentence = (sender: AddressedCluster, address: number, { cluster, role, dial }: Elsewhere): string =>
  `"${cluster.name}" uses ${printAddress(address)} ${OWNED[role]}; "${sender.name}" ${dialText(dial, role)}.`;

/** How a cluster uses an address of its own, after the address. */
export const OWNED = { pod: 'for a pod of its own', external: 'in its external CIDR' } as const;

/** What a cluster dials for the pod or the external address of another one, after its name. */
export function dialText(dial: Dial, role: Elsewhere['role']): string {
  const what = role === 'pod' ? 'that pod' : 'that address';
  switch (dial.kind) {
    case 'address':
      return `dials ${what} at ${printAddress(dial.address)}`;
    case 'through':
      return `dials ${what} through "${dial.hub}", at an address in ${printPrefix(dial.network)} that is assigned at run time`;
    case 'no-keys':
      return `does not reach ${what}, because a gateway has no public key`;
    case 'nothing':
      return `has no path to ${what}`;
  }
}

function seenElsewhere(model: AddressedModel, sender: AddressedCluster, address: number): readonly string[] {
  for (const viewer of model.clusters.values()) {
    if (viewer === sender) continue;
    const seen = usesOf(viewer, address).find((it) => it.kind === 'seen' && it.role === 'pod');
    if (seen?.kind !== 'seen') continue;
    const owner = ownersOf(model, seen.real).find((it) => it.cluster.name === seen.peer);
    if (!owner) continue;
    const pod = `"${viewer.name}" sees a pod of "${seen.peer}" at ${printAddress(address)}, there ${printAddress(seen.real)}`;
    if (owner.cluster === sender) return [`${pod}.`];
    return [`${pod}; "${sender.name}" ${dialText(dialOwner(model, sender, { address: seen.real, owner }), 'pod')}.`];
  }
  return [];
}
