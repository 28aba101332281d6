import type { AddressedCluster, AddressedModel, Peer } from '../../../src/fleet/ipam/addressed-model.ts';

/**
 * The translations of addresses, implemented a second time and as simply as possible: dotted text, loops, no rulesets.
 * It uses nothing of src/reach/trace, src/bundle/nftables or src/base/net, so that the two do not share a mistake.
 */
export interface NaiveFlow {
  readonly fate: 'delivered' | 'no-route' | 'no-keys' | 'no-return' | 'retired' | 'self';
  readonly way: 'local' | 'direct' | 'none' | `through ${string}`;
  /** `source > destination` wherever they may have changed: sent, behind the node, in the tunnel, ... */
  readonly packets: readonly string[];
}

export interface NaiveQuestion {
  readonly from: string;
  readonly to: string;
  /** The index of the pod CIDR, and the host in it. */
  readonly source: readonly [index: number, host: number];
  readonly destination: readonly [index: number, host: number];
  readonly fromNode: boolean;
  /** Host of the external CIDR that the hub has mapped the pod to. */
  readonly mappedHost: number;
  readonly through: string | null;
}

const dotted = (value: number): string => [24, 16, 8, 0].map((it) => Math.floor(value / 2 ** it) % 256).join('.');

const size = (length: number): number => 2 ** (32 - length);

const at = ({ base }: { readonly base: number }, host: number): string => dotted(base + host);

function peerIn(cluster: AddressedCluster, name: string): Peer | undefined {
  for (const it of cluster.peers.values()) if (it.name === name) return it;
  return undefined;
}

export function naiveFlow(model: AddressedModel, ask: NaiveQuestion): NaiveFlow {
  const x = model.clusters.get(ask.from) as AddressedCluster;
  const y = model.clusters.get(ask.to) as AddressedCluster;
  const nothing = (fate: NaiveFlow['fate']): NaiveFlow => ({ fate, way: 'none', packets: [] });
  if (x.retired || y.retired) return nothing('retired');
  if (x.name === y.name) return { fate: 'self', way: 'local', packets: [] };
  const direct = ask.through === null ? peerIn(x, y.name) : undefined;
  const lost = (packets: readonly string[]): NaiveFlow => ({ ...nothing('no-keys'), packets });
  const tried: NaiveFlow[] = [];
  if (direct) {
    const flow = directFlow(x, y, direct, ask);
    if (hasKeys(direct) && flow.fate !== 'no-return') return flow;
    tried.push(hasKeys(direct) ? flow : lost(flow.packets.slice(0, 1)));
  }
  const named = ask.through === null ? [...model.clusters.keys()].sort() : [ask.through];
  for (const name of named) {
    const hub = model.clusters.get(name) as AddressedCluster;
    const [xToHub, hubToY] = [peerIn(x, name), peerIn(hub, y.name)];
    if (!xToHub || !hubToY) continue;
    const flow = hubFlow({ x, hub, y, xToHub, hubToY }, ask);
    const carries = hasKeys(xToHub) && hasKeys(hubToY);
    if (carries && flow.fate !== 'no-return') return flow;
    if (carries) tried.push(flow);
    else tried.push(hasKeys(xToHub) ? lost(flow.packets.slice(0, 5)) : lost(flow.packets.slice(0, 1)));
  }
  return tried[0] ?? nothing('no-route');
}

/** Both gateways of the link have a public key. */
const hasKeys = ({ link }: Peer): boolean => Boolean(link.server.publicKey) && Boolean(link.client.publicKey);

/**
 * 5.9: the node keeps a pod's source, the sender's gateway translates the destination to the real one, the receiver's
 * translates the source to the view.
 */
function directFlow(x: AddressedCluster, y: AddressedCluster, peer: Peer, ask: NaiveQuestion): NaiveFlow {
  const view = peer.podViews[ask.destination[0]];
  if (!view) return { fate: 'no-route', way: 'none', packets: [] };
  const here = sourceOf(x, ask);
  const dialled = at(view.seenAs, ask.destination[1]);
  const real = at(view.cidr, ask.destination[1]);
  const arrival = disguised(x, y, ask);
  const packets = [
    `${here.own} > ${dialled}`,
    `${here.real} > ${dialled}`,
    `${here.real} > ${real}`,
    `${arrival} > ${real}`,
  ];
  return { fate: answers(x, y, arrival) ? 'delivered' : 'no-return', way: 'direct', packets };
}

interface ByHub {
  readonly x: AddressedCluster;
  readonly hub: AddressedCluster;
  readonly y: AddressedCluster;
  readonly xToHub: Peer;
  readonly hubToY: Peer;
}

/** 5.10: two tunnels; the hub maps the destination, and its node makes the source the hub's unknown one. */
function hubFlow({ x, hub, y, xToHub, hubToY }: ByHub, ask: NaiveQuestion): NaiveFlow {
  const podAtHub = hubToY.podViews[ask.destination[0]];
  if (!podAtHub) return { fate: 'no-route', way: 'none', packets: [] };
  const here = sourceOf(x, ask);
  const dialled = at(xToHub.externalView.seenAs, ask.mappedHost);
  const external = at(hub.externalCIDR, ask.mappedHost);
  const mapped = at(podAtHub.seenAs, ask.destination[1]);
  const real = at(podAtHub.cidr, ask.destination[1]);
  const atHub = disguised(x, hub, ask);
  const packets = [
    `${here.own} > ${dialled}`,
    `${here.real} > ${dialled}`,
    `${here.real} > ${external}`,
    `${here.real} > ${mapped}`,
    `${atHub} > ${mapped}`,
  ];
  const way = `through ${hub.name}` as const;
  // A packet that is lost at the hub never reaches the second tunnel.
  if (!answers(x, hub, atHub)) return { fate: 'no-return', way, packets };
  const unknown = at(hub.externalCIDR, 0);
  const hubSeenByY = peerIn(y, hub.name) as Peer;
  const arrival = isBefore101(y) ? disguisedBefore101(y, hubSeenByY, unknown) : at(hubSeenByY.externalView.seenAs, 0);
  const rest = [`${unknown} > ${mapped}`, `${unknown} > ${real}`, `${arrival} > ${real}`];
  return { fate: answers(hub, y, arrival) ? 'delivered' : 'no-return', way, packets: [...packets, ...rest] };
}

function sourceOf(
  x: AddressedCluster,
  { source: [index, host], fromNode }: NaiveQuestion,
): { own: string; real: string } {
  const unknown = at(x.externalCIDR, 0);
  if (fromNode) return { own: '(node)', real: unknown };
  const pod = at((x.podCIDRs[index] as { value: { base: number } }).value, host);
  return { own: pod, real: hidesPods(x) ? unknown : pod };
}

/** The source after the far gateway: in the view of its network, or unchanged where there is no view. */
function disguised(x: AddressedCluster, far: AddressedCluster, ask: NaiveQuestion): string {
  const peer = peerIn(far, x.name) as Peer;
  if (isBefore101(far)) return disguisedBefore101(far, peer, sourceOf(x, ask).real);
  if (ask.fromNode || hidesPods(x)) return at(peer.externalView.seenAs, 0);
  const view = peer.podViews[ask.source[0]];
  return view ? at(view.seenAs, ask.source[1]) : sourceOf(x, ask).real;
}

/** Nodes on AWS translate pods like everything else. */
const hidesPods = ({ platform, cni }: AddressedCluster): boolean =>
  platform?.value === 'eks' || cni?.value === 'aws-vpc';

const isBefore101 = ({ release }: AddressedCluster): boolean => /^1\.0\.0(-|$)/.test(release.version);

/** Up to 1.0.0 the gateway looks for its own cluster's networks: the first pod CIDR, then the external one. */
function disguisedBefore101(far: AddressedCluster, { podViews, externalView }: Peer, source: string): string {
  const value = numberOf(source);
  const own = [far.podCIDRs[0]?.value, far.externalCIDR];
  const views = [podViews[0]?.seenAs, externalView.seenAs];
  for (const [i, cidr] of own.entries()) {
    const view = views[i];
    if (!cidr || !view || value < cidr.base || value >= cidr.base + size(cidr.length)) continue;
    return at(view, value % size(view.length));
  }
  return source;
}

const numberOf = (source: string): number => source.split('.').reduce((all, it) => all * 256 + Number(it), 0);

/** An answer reaches the sender when the source is in one of the views of the sending cluster. */
function answers(x: AddressedCluster, far: AddressedCluster, source: string): boolean {
  const peer = peerIn(far, x.name) as Peer;
  const value = numberOf(source);
  const views = [...peer.podViews, peer.externalView].map((it) => it.seenAs);
  return views.some(({ base, length }) => value >= base && value < base + size(length));
}
