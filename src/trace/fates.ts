import { quotedNames } from '../core/words.ts';
import { type AddressedCluster, unknownSource } from '../ipam/addressed-model.ts';
import { containsAddress, moveHost } from '../net/prefix.ts';
import { printAddress, printPrefix } from '../net/text.ts';
import { type Address, printTraced } from './address.ts';
import type { Fate, FateKind } from './fate.ts';
import type { Meaning } from './meanings.ts';

// Every fate is worded here, and nowhere else.

const fate = (kind: FateKind, why: string, change: string | null): Fate => ({ kind, why, change });

export const delivered = (from: string, to: string): Fate =>
  fate('delivered', `"${from}" and "${to}" have a link, and each has a view of the other.`, null);

export const deliveredThrough = (hub: string, to: string): Fate =>
  fate(
    'delivered',
    `"${hub}" maps the pod to a single address of its external CIDR, once it has offloaded the pod to "${to}".`,
    null,
  );

export const self = ({ name }: AddressedCluster): Fate =>
  fate('self', `Both ends are in "${name}": its own network delivers, and Liqo has no part in it.`, null);

export const retired = ({ name }: AddressedCluster): Fate =>
  fate('retired', `"${name}" is retired: no cluster has a link to it.`, `Take \`retired\` out of "${name}".`);

export const noLink = (from: AddressedCluster, to: AddressedCluster, between: readonly string[]): Fate =>
  fate(
    'no-route',
    `"${from.name}" and "${to.name}" have no link and no hub in common.`,
    between.length === 0
      ? 'A link in `peerings`, or a hub that both are spokes of.'
      : `A link in \`peerings\`, or a hub that both are spokes of; ${quotedNames(between)} has links to both, and is not the hub of both.`,
  );

export const noSuchHub = (hub: AddressedCluster, from: AddressedCluster, to: AddressedCluster): Fate =>
  fate(
    'no-route',
    `"${hub.name}" has no link to ${hub.peers.has(from.name) ? `"${to.name}"` : `"${from.name}"`}.`,
    `Another way than through "${hub.name}".`,
  );

export const noView = ({ name }: AddressedCluster, address: Address): Fate =>
  fate(
    'no-route',
    `"${name}" sees no cluster at ${printTraced(address)}, so the packet leaves by its default route.`,
    `An address that "${name}" knows: \`weft view ${name}\` lists them.`,
  );

export const ring = ({ name }: AddressedCluster): Fate =>
  fate(
    'no-route',
    `Single addresses stand for each other in a ring that comes back to "${name}".`,
    'Other IP resources.',
  );

export const noReturn = (at: AddressedCluster, source: Address, from: string): Fate =>
  fate(
    'no-return',
    `"${at.name}" gets the packet from ${printTraced(source)}, which is none of its views of "${from}", so no answer finds back.`,
    `A sender in a pod CIDR that "${at.name}" sees, or Liqo 1.2 in "${at.name}".`,
  );

export const ambiguous = (at: AddressedCluster, address: Address, meanings: readonly Meaning[]): Fate =>
  fate(
    'ambiguous',
    `${printTraced(address)} means ${meanings.length} things in "${at.name}": ${meanings.map((it) => meant(it)).join(', and ')}.`,
    `Networks of "${at.name}" that lie inside its pools, so that its IPAM keeps them free.`,
  );

function meant(meaning: Meaning): string {
  switch (meaning.kind) {
    case 'pod':
      return `its own pods (${printPrefix(meaning.network)})`;
    case 'own':
      return `${OWN[meaning.role]} (${printPrefix(meaning.network)})`;
    case 'peer':
      return `${meaning.cidr === 'pod' ? 'pods' : 'the external CIDR'} of "${meaning.peer.name}" (${printPrefix(meaning.view.seenAs)})`;
  }
}

const OWN = {
  service: 'its own services',
  external: 'its own external CIDR',
  internal: 'its own internal CIDR',
  reserved: 'a network that it reserves',
} as const;

/** The sender's address is in no pod CIDR of its cluster. */
export const senderNotAPod = ({ name, podCIDRs }: AddressedCluster, address: number): Fate =>
  fate(
    'not-a-pod-address',
    `${printAddress(address)} is in no pod CIDR of "${name}" (${podCIDRs.map((it) => printPrefix(it.value)).join(', ')}).`,
    'Say --from-node when a node sends, or a pod that shares its network.',
  );

/** The receiver's address is in no pod CIDR of its cluster. */
export function notAPod(cluster: AddressedCluster, address: number, sender: AddressedCluster): Fate {
  const peer = sender.peers.get(cluster.name);
  const view = peer?.podViews.find((it) => containsAddress(it.seenAs, address));
  if (view) {
    return fate(
      'not-a-pod-address',
      `${printAddress(address)} is no pod of "${cluster.name}"; it is how "${sender.name}" sees ${printAddress(moveHost(address, view.cidr))} there.`,
      `Ask for ${printAddress(address)} without a cluster, or for ${cluster.name}/${printAddress(moveHost(address, view.cidr))}.`,
    );
  }
  const [what, change] = elsewhere(cluster, address);
  return fate('not-a-pod-address', `${printAddress(address)} in "${cluster.name}" is ${what}.`, change);
}

const ASK_A_POD = 'Ask for the address of a pod.';

function elsewhere(cluster: AddressedCluster, address: number): readonly [what: string, change: string] {
  const { name, serviceCIDR, internalCIDR, externalCIDR, reserved, podCIDRs } = cluster;
  const lies = containsAddress;
  if (address === unknownSource(cluster)) return [UNKNOWN_SOURCE, ASK_A_POD];
  if (lies(externalCIDR, address))
    return ['an address of its external CIDR, which only clusters with a link to it can use', ASK_A_POD];
  if (lies(serviceCIDR.value, address))
    return [
      'a Service, which exists inside its cluster only',
      'Offload the Service: Liqo then makes one in the other cluster, with addresses of pods behind it.',
    ];
  if (lies(internalCIDR, address))
    return ["a gateway's or a node's end of the overlay, known to its cluster only", ASK_A_POD];
  if (reserved.some((it) => lies(it.value, address)))
    return ['in a network that it reserves, and no pod', `An IP resource in "${name}" gives peers an address for it.`];
  const pods = podCIDRs.map((it) => printPrefix(it.value)).join(', ');
  return [
    `in none of its pod CIDRs (${pods})`,
    `${ASK_A_POD} An IP resource gives peers an address for anything else.`,
  ];
}

const UNKNOWN_SOURCE =
  'its unknown source, which stands for senders that are no pods: it is answered to and never called';

/** A packet that ended, in some cluster, in one of the cluster's own networks without pods. */
export const inOwnNetwork = (cluster: AddressedCluster, address: Address): Fate =>
  address.kind === 'known'
    ? fate(
        'not-a-pod-address',
        `${printTraced(address)} in "${cluster.name}" is ${elsewhere(cluster, address.value)[0]}.`,
        ASK_A_POD,
      )
    : needsRunTimeAddress(cluster, address);

export const needsRunTimeAddress = ({ name }: AddressedCluster, address: Address): Fate =>
  fate(
    'needs-run-time-address',
    `${printTraced(address)} is in the external CIDR of "${name}", and whom it stands for is known to the IP resources there.`,
    `Look there: \`kubectl get ips.ipam.liqo.io -A\` in "${name}"; then ask for the pod itself.`,
  );

export const leavesFleet = ({ name }: AddressedCluster, address: Address): Fate =>
  fate(
    'not-a-pod-address',
    `In "${name}" it stands for ${printTraced(address)}, which is in no network that "${name}" knows.`,
    ASK_A_POD,
  );
