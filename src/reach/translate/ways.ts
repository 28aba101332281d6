import { oncePer } from '../../base/core/once.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { containsAddress, moveHost, samePrefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { firstLineWith } from '../../base/releases/traits.ts';
import { shortcutsOfHub } from '../../bundle/liqo/lower-shortcut-connections.ts';
import type { AddressedCluster, AddressedModel, Peer, View } from '../../fleet/ipam/addressed-model.ts';
import type { Link } from '../../fleet/model/network-model.ts';
import { nameShortcuts, unreadEnds } from '../../fleet/model/object-names.ts';
import type { EndpointOwner, ExplainedArrival } from './translation.ts';

/** The reason why the two cannot have direct connections; `null` when they can. */
export function directConnectionsAbsent({ hub, receiver }: Reflection): string | null {
  const old = [hub, receiver].find((it) => !it.traits.hasDirectConnections);
  return old === undefined
    ? null
    : `they need Liqo ${firstLineWith('hasDirectConnections')}, and "${old.name}" runs ${old.release.version}`;
}

/**
 * The result by direct connections of 1.2, for a Service with `liqo.io/use-direct-connections`. The hub sends every
 * address unchanged, and the receiver maps those of other providers with its own Configuration for that provider. It
 * finds them in the provider's real pod CIDRs only, so the hub must not remap the provider. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/shadowendpointslice-controller/mapping.go.
 */
export function passDirectly(reflection: Reflection, owner: EndpointOwner, address: number): ExplainedArrival {
  const { hub, receiver } = reflection;
  if (owner.kind === 'own') return receiveHubPod(reflection, address);
  if (owner.peer === receiver.name) return receiveOwnPod(receiver.name, owner.real);
  const sent = `the pod runs in "${owner.peer}"; "${hub.name}" sends its own view of it, ${printAddress(address)}, with the name of that cluster`;
  const link = receiver.peers.get(owner.peer);
  if (link === undefined)
    return refusedArrival(sent, `"${receiver.name}" has no link to "${owner.peer}" to map it with`);
  const view = link.podViews.find((it) => containsAddress(it.cidr, address));
  if (view === undefined) {
    const real = printPrefix(owner.view.cidr);
    return refusedArrival(
      sent,
      `"${receiver.name}" maps only addresses in the real pod CIDR ${real} of "${owner.peer}", and this one is not, since "${hub.name}" remaps that to ${printPrefix(owner.view.seenAs)}`,
    );
  }
  const received = moveHost(address, view.seenAs);
  const mapped = seenAs(receiver.name, `pods of "${owner.peer}"`, view);
  if (address === owner.real) return knownArrival(address, received, [sent, mapped]);
  // The hub's view of one pod CIDR may equal the real network of another one.
  const another = `"${receiver.name}" uses it as the real address ${printAddress(address)} of "${owner.peer}", which is another pod than ${printAddress(owner.real)}, since "${hub.name}" remaps`;
  return refusedArrival(sent, another);
}

/**
 * The result for an endpoint without a targetRef. The hub sends its address unchanged and without a cluster, so the
 * receiver does not change it, either. In the receiver, an address from the hub's view belongs to another host, or to
 * none.
 */
export function passUnattributed(reflection: Reflection, owner: EndpointOwner, address: number): ExplainedArrival {
  const { hub, receiver } = reflection;
  if (owner.kind === 'own' || owner.peer === receiver.name) return passDirectly(reflection, owner, address);
  return knownArrival(address, address, [
    `the endpoint has no targetRef, so "${hub.name}" does not send that the pod runs in "${owner.peer}"`,
    `"${receiver.name}" has no view of it in its Configuration for "${hub.name}" and leaves the address unchanged, although it belongs to another host there, or to none`,
  ]);
}

const refusedArrival = (...why: readonly string[]): ExplainedArrival => ({ arrival: { kind: 'refused' }, why });

/** The reason why the hub has no shortcut of the fork for the receiver; `null` when it has one. */
export function shortcutsAbsent(reflection: Reflection): string | null {
  const { model, hub, receiver } = reflection;
  if (!model.fleet.shortcutOperator) return 'the fork with its operator is not used: `liqo.shortcutOperator` is off';
  if (listForkPairs(reflection).length > 0) return null;
  return `no ForeignClusterConnection of "${hub.name}" refers to "${receiver.name}"`;
}

/**
 * The result by the fork's shortcuts. An address inside `podCIDR` of a ForeignClusterConnection that the fork reads
 * gets the network bits of `remappedPodCIDR`, and because of the label the receiver does not map it again. All other
 * addresses take the path through the hub. Source: Gabbe64/liqo@b83d06f2
 * pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export function passByShortcut(reflection: Reflection, owner: EndpointOwner, address: number): ExplainedArrival {
  const { hub, receiver } = reflection;
  const through = passThroughHub(reflection, owner, address);
  if (owner.kind === 'own' || owner.peer === receiver.name) return through;
  const pairs = listForkPairs(reflection).filter((it) => containsAddress(it.hubView.seenAs, address));
  const pair = pairs.find((it) => it.stoppedAt === null);
  if (pair === undefined) return { ...through, why: [whyNoShortcut(reflection, owner.peer, pairs[0]), ...through.why] };
  const received = moveHost(address, pair.receiverView.seenAs);
  return {
    arrival: { kind: 'known', sent: received, received, by: 'label' },
    why: [
      `the pod runs in "${pair.other}": ForeignClusterConnection "${pair.connection}" of "${hub.name}" has podCIDR ${printPrefix(pair.hubView.seenAs)}, so the address gets the network of remappedPodCIDR ${printPrefix(pair.receiverView.seenAs)}`,
      seenAs(receiver.name, `pods of "${pair.other}"`, pair.receiverView),
      `because of the label, "${receiver.name}" does not map it again`,
    ],
  };
}

function whyNoShortcut({ hub, receiver }: Reflection, owner: string, unread: ForkPair | undefined): string {
  if (unread === undefined) return `"${hub.name}" has no shortcut between "${receiver.name}" and "${owner}"`;
  return `the fork does not read ForeignClusterConnection "${unread.connection}" for "${receiver.name}": it stops at "${unread.stoppedAt}", where "${receiver.name}" is foreignClusterA`;
}

/**
 * The result in upstream Liqo without shortcuts. The hub maps a pod of another provider to an address of its external
 * CIDR, which the pod's IP resource gets at run time in order of arrival; the receiver maps this address with its
 * Configuration for the hub. Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export function passThroughHub(reflection: Reflection, owner: EndpointOwner, address: number): ExplainedArrival {
  const { hub, receiver, hubSeen } = reflection;
  if (owner.kind === 'own') return receiveHubPod(reflection, address);
  if (owner.peer === receiver.name) return receiveOwnPod(receiver.name, owner.real);
  const sentIn = hub.externalCIDR;
  const allocated = `the pod runs in "${owner.peer}", so "${hub.name}" sends the address of its IP resource: one of its external CIDR ${printPrefix(sentIn)}, assigned at run time in order of arrival`;
  return {
    arrival: { kind: 'run-time', sentIn, receivedIn: hubSeen.externalView.seenAs },
    why: [allocated, seenAs(receiver.name, `external CIDR of "${hub.name}"`, hubSeen.externalView)],
  };
}

/**
 * The result for the hub's own pod: its address is sent unchanged, and the receiver maps it with its Configuration for
 * the hub. Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/exposition/endpointslice.go,
 * pkg/utils/ipam/mapping.
 */
function receiveHubPod({ hub, receiver, hubSeen }: Reflection, address: number): ExplainedArrival {
  const sent = `it is a pod of "${hub.name}" itself, so it is sent unchanged`;
  const view =
    hubSeen.podViews.find((it) => containsAddress(it.cidr, address)) ??
    bug(`"${receiver.name}" has no view of ${printAddress(address)}, a pod of "${hub.name}"`);
  return knownArrival(address, moveHost(address, view.seenAs), [
    sent,
    seenAs(receiver.name, `pods of "${hub.name}"`, view),
  ]);
}

const knownArrival = (sent: number, received: number, why: readonly string[]): ExplainedArrival => ({
  arrival: { kind: 'known', sent, received, by: 'configuration' },
  why,
});

/** A part of a sentence such as `"rome" sees the pods of "milan", 10.202.0.0/16, as 10.61.0.0/16`. */
function seenAs(cluster: string, what: string, { cidr, seenAs: view }: View): string {
  const seen = samePrefix(cidr, view) ? 'as they are' : `as ${printPrefix(view)}`;
  return `"${cluster}" sees the ${what}, ${printPrefix(cidr)}, ${seen}`;
}

/** The result for a pod that runs in the receiver. */
const receiveOwnPod = (receiver: string, real: number): ExplainedArrival => ({
  arrival: { kind: 'skipped' },
  why: [`the pod runs in "${receiver}" as ${printAddress(real)}, which has this endpoint without the hub`],
});

/** One ForeignClusterConnection of the receiver, as the hub's virtual kubelet for the receiver uses it. */
interface ForkPair {
  /** Name of the ForeignClusterConnection. */
  readonly connection: string;
  /** Name of the other end. */
  readonly other: string;
  /** The view in `podCIDR` of its status. */
  readonly hubView: View;
  /** The view in `remappedPodCIDR` of its status. */
  readonly receiverView: View;
  /** The connection after which the fork reads no further; `null` when it reads this one. */
  readonly stoppedAt: string | null;
}

/** The pairs in the order in which the fork lists them. It supports one pod CIDR per cluster. */
const listForkPairs = oncePer(({ model, hub, receiver }: Reflection): readonly ForkPair[] => {
  const named = nameShortcuts(shortcutsOfHub(hub.name, model));
  const unread = new Set(unreadEnds(named).flatMap((it) => (it.end.cluster.name === receiver.name ? [it.link] : [])));
  const isClient = ({ client }: Link): boolean => client.cluster.name === receiver.name;
  const mentions = named.filter(({ link }) => isClient(link) || link.server.cluster.name === receiver.name);
  const stop = mentions.find(({ link }) => isClient(link));
  return mentions.flatMap(({ name, link }) => {
    const other = (isClient(link) ? link.server : link.client).cluster.name;
    const hubView = hub.peers.get(other)?.podViews[0];
    const receiverView = receiver.peers.get(other)?.podViews[0];
    if (hubView === undefined || receiverView === undefined) return [];
    const stoppedAt = unread.has(link) ? (stop?.name ?? null) : null;
    return [{ connection: name, other, hubView, receiverView, stoppedAt }];
  });
});

type OwnerReading =
  | { readonly ok: true; readonly owner: EndpointOwner }
  /** `why`: the meaning that the address has instead. */
  | { readonly ok: false; readonly why: string };

/** The owner of a pod by its address in one cluster. The views of a cluster are disjoint, so there is at most one. */
export function findOwner(cluster: AddressedCluster, address: number): OwnerReading {
  if (cluster.podCIDRs.some((it) => containsAddress(it.value, address))) return { ok: true, owner: { kind: 'own' } };
  for (const peer of cluster.peers.values()) {
    const view = peer.podViews.find((it) => containsAddress(it.seenAs, address));
    if (view === undefined) continue;
    return { ok: true, owner: { kind: 'peer', peer: peer.name, view, real: moveHost(address, view.cidr) } };
  }
  return { ok: false, why: otherMeaning(cluster, address) };
}

function otherMeaning(cluster: AddressedCluster, address: number): string {
  for (const { name, externalView } of cluster.peers.values()) {
    if (!containsAddress(externalView.seenAs, address)) continue;
    return `it is in ${printPrefix(externalView.seenAs)}, its view of the external CIDR of "${name}", and "${name}" maps it to a pod at run time only`;
  }
  const own = [
    ['service', cluster.serviceCIDR.value],
    ['external', cluster.externalCIDR],
    ['internal', cluster.internalCIDR],
  ] as const;
  const hit = own.find(([, cidr]) => containsAddress(cidr, address));
  if (hit !== undefined) return `it is in its own ${hit[0]} CIDR ${printPrefix(hit[1])}`;
  const reserved = cluster.reserved.find((it) => containsAddress(it.value, address));
  if (reserved !== undefined) return `it is in ${printPrefix(reserved.value)}, which is reserved`;
  for (const peer of cluster.peers.values()) {
    const real = peer.podViews.find((it) => containsAddress(it.cidr, address));
    if (real === undefined) continue;
    return `it is a pod in "${peer.name}", which "${cluster.name}" sees in ${printPrefix(real.seenAs)}`;
  }
  return 'it is neither in its pod CIDR nor in its view of any peer';
}

/** Two linked clusters; the hub reflects its endpoints to the receiver. */
export interface Reflection {
  readonly model: AddressedModel;
  /** The consumer, whose virtual kubelet for the receiver reflects the endpoints. */
  readonly hub: AddressedCluster;
  /** The provider. */
  readonly receiver: AddressedCluster;
  /** The hub from the receiver's point of view. */
  readonly hubSeen: Peer;
}

/** Returns `undefined` when the two have no link, because nothing is reflected then. */
export function reflectionOf(
  model: AddressedModel,
  { hub, receiver }: { readonly hub: AddressedCluster; readonly receiver: AddressedCluster },
): Reflection | undefined {
  const hubSeen = receiver.peers.get(hub.name);
  return hubSeen === undefined ? undefined : { model, hub, receiver, hubSeen };
}
