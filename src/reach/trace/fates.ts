import { quoted } from '../../base/core/words.ts';
import { containsAddress, moveHost } from '../../base/net/prefix.ts';
import { specialNetworkOf } from '../../base/net/special-networks.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { NEWEST_PATCH, translatesSourcesWrongly } from '../../base/releases/release.ts';
import { firstLineWith } from '../../base/releases/traits.ts';
import { POLICY_NAME } from '../../bundle/enforcement/lower-policies.ts';
import { type AddressedCluster, unknownSource, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets, keylessEnds, type Link } from '../../fleet/model/network-model.ts';
import type { Meaning } from '../whois/owners-of.ts';
import { type Address, isInside, printTraced, sameAddress } from './address.ts';
import type { Crossing, UnlikeRules } from './cross-link.ts';
import type { LostRoute } from './walk.ts';

// Sentences for all fates.

const fate = (kind: FateKind, why: string, change: string | null): Fate => ({ kind, why, change });

export const delivered = (from: string, to: string): Fate =>
  fate('delivered', `"${from}" and "${to}" have a link, and each has a view of the other.`, null);

export const deliveredThrough = (hub: string, to: string): Fate =>
  fate(
    'delivered',
    `"${hub}" maps the pod to a single address of its external CIDR, once it has offloaded the pod to "${to}".`,
    null,
  );

/**
 * A path through a hub of which no loan says that pods of the hub run in the receiver: only those get an address that
 * the hub maps. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/ipmapping/pod_controller.go.
 */
export const needsOffloading = (from: AddressedCluster, hub: string, to: AddressedCluster): Fate =>
  fate(
    'needs-offloading',
    `"${hub}" maps only pods that it has offloaded to "${to.name}", and the topology has no loan from "${to.name}" to "${hub}".`,
    `Add ${[loanText(hub, to.name), ...directPathText(from, to)].join(', or ')}.`,
  );

/** The loan that lets a hub offload pods, as an entry of `sharing`. */
export const loanText = (consumer: string, provider: string): string =>
  `\`{ consumer: ${consumer}, provider: ${provider} }\` to \`sharing\``;

/** The change that gives two clusters a path without a hub; empty when they have one. */
export function directPathText(from: AddressedCluster, to: AddressedCluster): readonly string[] {
  const link = from.peers.get(to.name)?.link;
  if (link === undefined) return [`[${from.name}, ${to.name}] to \`peerings\``];
  return link.isOff || carriesPackets(link) ? [] : [`keys for their link with \`${keysCommand(link)}\``];
}

export const self = ({ name }: AddressedCluster): Fate =>
  fate('self', `Both ends are in "${name}": its own network delivers the packet, without Liqo.`, null);

export const retired = ({ name }: AddressedCluster): Fate =>
  fate('retired', `"${name}" is retired: no cluster has a link to it.`, `Remove \`retired\` from "${name}".`);

export const noLink = (from: AddressedCluster, to: AddressedCluster): Fate =>
  fate(
    'no-route',
    `"${from.name}" and "${to.name}" have no link, and no cluster has links to both.`,
    'Add a link to `peerings`, or make both spokes of one hub.',
  );

export const noKeys = (link: Link): Fate =>
  link.isOff
    ? fate('tunnel-down', `${idleSentence(link)}, so nothing passes between the two.`, null)
    : fate('no-keys', `${idleSentence(link)}, so the tunnel between the two does not come up.`, keysChange(link));

const keysCommand = ({ keySource }: Link): string =>
  keySource === 'liqo' ? 'weft keys collect' : 'weft keys generate';

/** The change that gives the gateways of a link their keys, as a sentence. */
export const keysChange = (link: Link): string =>
  link.keySource === 'liqo'
    ? 'Apply the bundles, run `weft keys collect`, and commit the keys file.'
    : 'Run `weft keys generate`, commit the keys file, and apply the Secrets.';

/** The text of `idleText` with a capital letter, as the beginning of a sentence. */
export function idleSentence(link: Link): string {
  const text = idleText(link);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The reason why a link carries nothing, as a part of a sentence: it is off, or gateways have no public key. */
export function idleText(link: Link): string {
  const [one, ...others] = keylessEnds(link).map((it) => it.cluster.name);
  const both = [link.server, link.client].map((it) => it.cluster.name);
  if (link.isOff) return `the link of ${both.map(quoted).sort().join(' and ')} is off`;
  if (others.length > 0)
    return `the gateways of ${both.map(quoted).join(' and ')} towards each other have no public keys`;
  return `the gateway of "${one}" towards "${both.find((it) => it !== one)}" has no public key`;
}

export const noSuchHub = (hub: AddressedCluster, from: AddressedCluster, to: AddressedCluster): Fate =>
  fate(
    'no-route',
    `"${hub.name}" has no link to ${hub.peers.has(from.name) ? `"${to.name}"` : `"${from.name}"`}.`,
    `Choose another hub than "${hub.name}".`,
  );

export const noView = ({ name }: AddressedCluster, address: Address): Fate =>
  fate(
    'no-route',
    `No view of "${name}" contains ${printTraced(address)}, ${withoutView(address)}.`,
    `Use an address that \`weft view ${name}\` lists; \`weft whois ${printTraced(address)}\` shows whose this one is.`,
  );

function withoutView(address: Address): string {
  const special = address.kind === 'known' ? specialNetworkOf(address.value) : undefined;
  return special === undefined
    ? 'so the packet leaves by its default route'
    : `and no cluster routes it: ${printPrefix(special.prefix)} are ${special.what}`;
}

export const lostInGateway = ({ here, far, gateway: { before, after } }: Crossing): Fate =>
  fate(
    'no-route',
    `The gateway of "${here.name}" towards "${far.name}" ${sameAddress(before.destination, after.destination) ? 'keeps' : `makes ${printTraced(before.destination)} into`} ${printTraced(after.destination)}, which is in no network of "${far.name}", so it has no route for it.`,
    null,
  );

/** A connection that a fence refuses: no entry of `boundaries` lets it in. */
export const refused = ({ here, far, gateway: { after } }: Crossing, isOfPod: boolean): Fate =>
  fate(
    'refused',
    `The fence of "${far.name}" refuses it: the link from "${here.name}" is closed, and no entry of \`boundaries\` opens this connection from ${printTraced(after.source)} to ${printTraced(after.destination)}.`,
    `Add \`{ from: ${here.name}, ${isOfPod ? '' : 'masqueraded: true, '}to: ${far.name} }\` with its ports to \`boundaries\`, if it is meant to pass.`,
  );

interface RefusingPolicy {
  /** The cluster at the other end of the link. */
  readonly from: string;
  readonly to: string;
  readonly namespace: string;
  /** False for the policy of the sender. */
  readonly isAtReceiver: boolean;
}

/** A connection that fences let in, and the policy of a namespace refuses. */
export const refusedByPolicy = ({ from, to, namespace, isAtReceiver }: RefusingPolicy): Fate =>
  fate(
    'refused-by-policy',
    `NetworkPolicy ${POLICY_NAME} in namespace "${namespace}" of "${isAtReceiver ? to : from}" refuses it: no entry of \`boundaries\` opens this connection from "${from}" to "${to}" for the namespace.`,
    `Add \`{ from: ${from}, ${isAtReceiver ? '' : `fromNamespace: ${namespace}, `}to: ${to}${isAtReceiver ? `, toNamespace: ${namespace}` : ''} }\` with its ports to \`boundaries\`, if it is meant to pass.`,
  );

/** The fate of a packet on whose path a device has other rules than those that follow from its cluster's views. */
export const byOtherRules = ({ kind, why }: Fate, { cluster, peer, device }: UnlikeRules): Fate =>
  fate(
    kind,
    `${device === 'gateway' ? `The gateway of "${cluster}"` : `Each node of "${cluster}"`} has other rules for "${peer}" than those that follow from the views. ${why}`,
    `Touch the Configuration of "${peer}" in "${cluster}", for instance with an annotation: Liqo then writes its FirewallConfigurations again.`,
  );

/** A packet, or its answer, for which a live cluster lacks a route. */
export const withoutRoute = ({ cluster, peer, of, route, to, isOfAnswer }: LostRoute): Fate =>
  fate(
    isOfAnswer ? 'no-return' : 'no-route',
    `"${cluster}" has no route for ${isOfAnswer ? 'the answer' : 'packets'} to ${printTraced(to)} of "${peer}": RouteConfiguration "${route}" lacks it.`,
    of === 'to-gateway'
      ? `Look at the InternalFabric of "${peer}" in "${cluster}" and at the logs of Liqo, which writes these routes again by itself.`
      : `Touch the Configuration of "${peer}" in "${cluster}", for instance with an annotation: Liqo then writes its RouteConfigurations again.`,
  );

export const ring = ({ name }: AddressedCluster): Fate =>
  fate(
    'no-route',
    `IP resources map single addresses to each other in a ring that returns to "${name}".`,
    'Correct the IP resources.',
  );

export function noReturn(at: AddressedCluster, source: Address, from: string): Fate {
  if (source.kind === 'node')
    return fate(
      'no-return',
      `"${at.name}" gets the packet from a node's own address, which is in none of its views of "${from}", so no answer can reach the sender.`,
      null,
    );
  if (keepsSource(at, source, from))
    return fate(
      'no-return',
      `Liqo ${at.release.version} has a wrong rule for sources, so "${at.name}" gets the packet from ${printTraced(source)}, which is not where it sees "${from}", and no answer can reach the sender.`,
      `Upgrade Liqo to ${NEWEST_PATCH[at.release.line]} in "${at.name}".`,
    );
  return fate(
    'no-return',
    `"${at.name}" gets the packet from ${printTraced(source)}, which is in none of its views of "${from}", so no answer can reach the sender.`,
    `Send from a pod CIDR that "${at.name}" has a view of, or run Liqo ${firstLineWith('remapsEveryPodCIDR')} in "${at.name}".`,
  );
}

/**
 * True when the cluster has a view of the sender's network, and only the wrong rule of 1.0.0 prevents the translation
 * of the source.
 */
function keepsSource({ release, peers }: AddressedCluster, source: Address, from: string): boolean {
  const peer = peers.get(from);
  if (!peer || !translatesSourcesWrongly(release)) return false;
  return viewsOf(peer).some((it) => isInside(it.cidr, source));
}

export const ambiguous = (at: AddressedCluster, address: Address, meanings: readonly Meaning[]): Fate =>
  fate(
    'ambiguous',
    `${printTraced(address)} has ${meanings.length} meanings in "${at.name}": ${meanings.map((it) => meaningText(it)).join(', and ')}.`,
    `Choose networks of "${at.name}" inside its pools, so that its IPAM keeps them free.`,
  );

function meaningText(meaning: Meaning): string {
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

/** The fate of a packet whose sender's address is in no pod CIDR of its cluster. */
export function senderNotAPod({ name, podCIDRs, peers }: AddressedCluster, address: number): Fate {
  const owner = [...peers.values()].find((it) =>
    it.cluster.podCIDRs.some((network) => containsAddress(network.value, address)),
  )?.cluster.name;
  const other = owner === undefined ? '' : `Send from ${owner}/${printAddress(address)}, which is a pod. `;
  return fate(
    'not-a-pod-address',
    `${printAddress(address)} is in no pod CIDR of "${name}" (${podCIDRs.map((it) => printPrefix(it.value)).join(', ')}).`,
    `${other}Add --from-node when a node sends, or a pod in the network of its node.`,
  );
}

/** The fate of a packet whose receiver's address is in no pod CIDR of its cluster. */
export function notAPod(cluster: AddressedCluster, address: number, sender: AddressedCluster): Fate {
  const peer = sender.peers.get(cluster.name);
  const view = peer?.podViews.find((it) => containsAddress(it.seenAs, address));
  if (view) {
    return fate(
      'not-a-pod-address',
      `${printAddress(address)} is no pod of "${cluster.name}"; it is the address by which "${sender.name}" sees ${printAddress(moveHost(address, view.cidr))} there.`,
      `Trace to ${printAddress(address)} without a cluster, or to ${cluster.name}/${printAddress(moveHost(address, view.cidr))}.`,
    );
  }
  const [what, change] = otherPlace(cluster, address);
  return fate('not-a-pod-address', `${printAddress(address)} in "${cluster.name}" is ${what}.`, change);
}

const USE_A_POD = 'Trace to the address of a pod.';

function otherPlace(cluster: AddressedCluster, address: number): readonly [what: string, change: string] {
  const { name, serviceCIDR, internalCIDR, externalCIDR, reserved, podCIDRs } = cluster;
  const isIn = containsAddress;
  if (address === unknownSource(cluster)) return [UNKNOWN_SOURCE, USE_A_POD];
  if (isIn(externalCIDR, address))
    return ['an address of its external CIDR, which only clusters with a link to it can use', USE_A_POD];
  if (isIn(serviceCIDR.value, address))
    return [
      'a Service, which exists inside its cluster only',
      'Offload the Service: Liqo then creates one in the other cluster, with the addresses of its pods.',
    ];
  if (isIn(internalCIDR, address))
    return ['an overlay address of a gateway or a node, which exists inside its cluster only', USE_A_POD];
  if (reserved.some((it) => isIn(it.value, address)))
    return [
      'in a network that it reserves, and no pod',
      `Create an IP resource in "${name}", which maps it to an address for peers.`,
    ];
  const pods = podCIDRs.map((it) => printPrefix(it.value)).join(', ');
  return [
    `in none of its pod CIDRs (${pods})`,
    `${USE_A_POD} For any other host, create an IP resource, which maps it to an address for peers.`,
  ];
}

const UNKNOWN_SOURCE = 'its unknown source, the source address of senders that are no pods: it receives answers only';

/** A packet that ended in one of a cluster's own networks without pods. */
export const inOwnNetwork = (cluster: AddressedCluster, address: Address): Fate =>
  address.kind === 'known'
    ? fate(
        'not-a-pod-address',
        `${printTraced(address)} in "${cluster.name}" is ${otherPlace(cluster, address.value)[0]}.`,
        USE_A_POD,
      )
    : needsRunTimeAddress(cluster, address);

export const needsRunTimeAddress = ({ name }: AddressedCluster, address: Address): Fate =>
  fate(
    'needs-run-time-address',
    `${printTraced(address)} is in the external CIDR of "${name}", and the IP resources there map it to a pod at run time.`,
    `Run \`kubectl get ips.ipam.liqo.io -A\` in "${name}", then trace to the pod itself.`,
  );

export const leavesFleet = ({ name }: AddressedCluster, address: Address): Fate =>
  fate(
    'not-a-pod-address',
    `"${name}" maps it to ${printTraced(address)}, which is in no network of "${name}" or its peers.`,
    USE_A_POD,
  );

/** The ways in which a packet can end. Closed, so that a switch over it is complete. */
export type FateKind =
  /** A pod receives it, and the pod's answer reaches the sender. */
  | 'delivered'
  /** Both ends are in one cluster: its CNI delivers the packet without Liqo. */
  | 'self'
  /** No compiled route leads there: no link, no cluster with links to both, or no view that contains the address. */
  | 'no-route'
  /** A gateway on the way has no public key, so its tunnel carries nothing. */
  | 'no-keys'
  /** A tunnel on the way is down: a live one, or one that is off in a what-if. */
  | 'tunnel-down'
  /** The packet arrives, but the receiver cannot answer the source that it sees. */
  | 'no-return'
  /** One end is no pod: a Service, a node, the unknown source, an unused address. */
  | 'not-a-pod-address'
  /** The address has two meanings in one cluster. */
  | 'ambiguous'
  /** The packet reaches a gateway that maps single addresses, and this mapping exists at run time only. */
  | 'needs-run-time-address'
  /** The path leads through a hub, and no loan of a topology with loans lets this hub offload pods to the receiver. */
  | 'needs-offloading'
  /** The fence of a gateway on the way refuses the connection. */
  | 'refused'
  /** Fences let the connection in, and the policy of a namespace refuses it. */
  | 'refused-by-policy'
  /** One end is a retired cluster, to which no cluster has a link. */
  | 'retired';

export interface Fate {
  readonly kind: FateKind;
  /** The reason, as one sentence. */
  readonly why: string;
  /** An action that would change the fate, as one sentence; `null` when no change is needed. */
  readonly change: string | null;
}

/** True when the packet arrives. */
export const arrives = ({ kind }: Pick<Fate, 'kind'>): boolean => kind === 'delivered' || kind === 'self';
