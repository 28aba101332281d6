import { countOf } from '../../base/core/words.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { type Dial, dialOwner, gatewaysAt, ownersOf } from '../whois/owners-of.ts';
import { type Elsewhere, elsewhere, usesOf } from '../whois/whois.ts';

/** Largest number of other clusters that are named. */
const NAMED = 3;

/**
 * Sentences about the other clusters that use a dialled address themselves, and the addresses that the sender dials for
 * them. For an address without a meaning for the sender, they also name the cluster that sees a pod there, uses it
 * internally, or has a gateway there.
 */
export function otherOwners(model: AddressedModel, sender: AddressedCluster, address: number): readonly string[] {
  const others = elsewhere(model, sender, address);
  const pods = others.filter((it) => it.role === 'pod');
  const isUnused = pods.length === 0 && usesOf(sender, address).length === 0;
  const owners = isUnused ? others : pods;
  const left = owners.length - NAMED;
  return [
    ...owners.slice(0, NAMED).map((it) => ownerSentence(sender, address, it)),
    ...(left > 0 ? [`${countOf(left, 'more cluster')} ${left === 1 ? 'uses' : 'use'} it, too.`] : []),
    ...(isUnused ? meaningElsewhere(model, sender, address) : []),
  ];
}

const ownerSentence = (sender: AddressedCluster, address: number, { cluster, role, dial }: Elsewhere): string =>
  `"${cluster.name}" uses ${printAddress(address)} ${OWNED[role]}; "${sender.name}" ${dialText(dial, role)}.`;

/** Text for the way in which a cluster uses an address of its own; it follows the address. */
export const OWNED = { pod: 'for a pod of its own', external: 'in its external CIDR' } as const;

/**
 * Text for the address that a cluster dials for a pod or an external address of another cluster; it follows the
 * cluster's name.
 */
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

/**
 * Sentences about the first cluster that sees a pod there, otherwise the first that uses the address internally; then
 * the gateways there.
 */
function meaningElsewhere(model: AddressedModel, sender: AddressedCluster, address: number): readonly string[] {
  const seen = firstOther(model, sender, (viewer) => seenSentence(model, { viewer, sender }, address));
  const inside = firstOther(model, sender, (it) => insideSentence(it, address));
  const gateways = gatewaysAt(model, address).map(
    ({ cluster }) => `"${cluster}" has a gateway at ${printAddress(address)}, outside of the networks of all clusters.`,
  );
  return [...(seen ?? inside ?? []), ...gateways];
}

function firstOther(
  { clusters }: AddressedModel,
  sender: AddressedCluster,
  sentence: (cluster: AddressedCluster) => string | undefined,
): readonly string[] | undefined {
  for (const it of clusters.values()) {
    const found = it === sender ? undefined : sentence(it);
    if (found !== undefined) return [found];
  }
  return undefined;
}

function seenSentence(
  model: AddressedModel,
  { viewer, sender }: { readonly viewer: AddressedCluster; readonly sender: AddressedCluster },
  address: number,
): string | undefined {
  const seen = usesOf(viewer, address).find((it) => it.kind === 'seen' && it.role === 'pod');
  if (seen?.kind !== 'seen') return undefined;
  const owner = ownersOf(model, seen.real).find((it) => it.cluster.name === seen.peer);
  if (!owner) return undefined;
  const pod = `"${viewer.name}" sees a pod of "${seen.peer}" at ${printAddress(address)}, there ${printAddress(seen.real)}`;
  if (owner.cluster === sender) return `${pod}.`;
  return `${pod}; "${sender.name}" ${dialText(dialOwner(model, sender, { address: seen.real, owner }), 'pod')}.`;
}

function insideSentence(cluster: AddressedCluster, address: number): string | undefined {
  const use = usesOf(cluster, address).find((it) => it.kind === 'own');
  if (use?.kind !== 'own' || use.role === 'pod' || use.role === 'external') return undefined;
  return `"${cluster.name}" uses ${printAddress(address)} ${INSIDE[use.role]}, and no other cluster can dial it.`;
}

const INSIDE = {
  service: 'for a Service',
  reserved: 'in a network that it reserves',
  internal: 'in its overlay',
  'unknown-source': 'as its unknown source',
} as const;
