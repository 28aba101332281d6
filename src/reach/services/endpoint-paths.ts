import { moveHost, samePrefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { firstLineWith } from '../../base/releases/traits.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { type Assertion, carriesPackets, type Link } from '../../fleet/model/network-model.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import { representativePod } from '../trace/address.ts';
import { idleSentence, keysChange } from '../trace/fates.ts';
import type { PairFates } from '../trace/pair-fates.ts';
import { type Trace, trace } from '../trace/trace.ts';
import { findOwner, passByShortcut, reflectionOf, shortcutsAbsent } from '../translate/ways.ts';
import { endpointClusters, serviceClusters } from './find-namespace.ts';

/**
 * The paths from a cluster to the endpoints of a Service: one for each cluster in which pods of the namespace may run.
 * `undefined` for a cluster that does not have the Service. Source: the reflection of endpoints, liqotech/liqo@v1.2.0
 * pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export function endpointPaths(
  model: SharedModel,
  namespace: OffloadedNamespace,
  from: AddressedCluster,
  fates: PairFates,
): readonly EndpointPath[] | undefined {
  const network = { model, fates };
  if (!serviceClusters(namespace).includes(from)) return undefined;
  const all = endpointClusters(namespace);
  const refused = refusedBy(namespace, from, all);
  return all.map((to) => {
    if (to === from) return localPath(to);
    if (refused) return withheldPath(to, from, refused.why, refused.change);
    const { cluster: hub } = namespace;
    return from === hub || to === hub
      ? overLink(network, from, to)
      : betweenProviders(network, namespace, { hub, from, to });
  });
}

/** The first endpoint that a provider cannot map, when Services have the annotation for direct connections. */
function refusedBy(
  { cluster: hub, directConnections }: OffloadedNamespace,
  from: AddressedCluster,
  all: readonly AddressedCluster[],
): (DirectConnection & { readonly kind: 'refused' }) | undefined {
  if (!directConnections || from === hub) return undefined;
  for (const to of all) {
    const connection = to === from || to === hub ? undefined : directConnection({ hub, from, to });
    if (connection?.kind === 'refused') return connection;
  }
  return undefined;
}

/** The path between the consumer and a provider, in either direction. */
function overLink(network: Network, from: AddressedCluster, to: AddressedCluster): EndpointPath {
  const link = from.peers.get(to.name)?.link;
  if (link === undefined) return pathWithoutLink(to, from, to);
  if (!carriesPackets(link)) return unreadyPath(to, link);
  return walked(network, { from, to }, { way: 'link', why: `"${from.name}" and "${to.name}" have a link.` });
}

function betweenProviders(network: Network, namespace: OffloadedNamespace, pair: ProviderPair): EndpointPath {
  const { hub, from, to } = pair;
  if (namespace.directConnections && directConnection(pair).kind === 'mapped') {
    return overDirectLink(
      network,
      pair,
      'direct',
      `By the annotation, "${from.name}" maps the pod of "${to.name}" itself.`,
    );
  }
  const [toReceiver, toOwner] = [hub.peers.get(from.name)?.link, hub.peers.get(to.name)?.link];
  if (toReceiver === undefined) return pathWithoutLink(to, from, hub);
  if (toOwner === undefined) return pathWithoutHubLink(to, hub);
  const keyless = [toReceiver, toOwner].find((it) => !carriesPackets(it));
  if (keyless !== undefined) return unreadyPath(to, keyless);
  const byFork = shortcutOfFork(network.model, pair);
  if (byFork !== null) return overDirectLink(network, pair, 'shortcut', byFork);
  const why = `"${hub.name}" gives "${from.name}" an address of its external CIDR for the pod, and forwards what is sent there.`;
  return walked(network, { from, to, through: hub }, { way: 'hub', why });
}

/** The reason why the fork sends the pod's address over the shortcut; `null` when it does not. */
function shortcutOfFork(model: SharedModel, { hub, from, to }: ProviderPair): string | null {
  const reflection = reflectionOf(model, { hub, receiver: from });
  const view = hub.peers.get(to.name)?.podViews[0];
  if (reflection === undefined || view === undefined || shortcutsAbsent(reflection) !== null) return null;
  const address = moveHost(representativePod(to), view.seenAs);
  const found = findOwner(hub, address);
  const { arrival } = found.ok ? passByShortcut(reflection, found.owner, address) : { arrival: null };
  if (arrival?.kind !== 'known' || arrival.by !== 'label') return null;
  return `The fork in "${hub.name}" gives "${from.name}" the address ${printAddress(arrival.received)}, which uses the shortcut, for one address of each slice.`;
}

function overDirectLink(network: Network, { from, to }: ProviderPair, way: EndpointWay, why: string): EndpointPath {
  const link = from.peers.get(to.name)?.link;
  if (link === undefined || carriesPackets(link)) return walked(network, { from, to }, { way, why });
  // The endpoint's readiness follows the link to the consumer, not this link.
  const { why: sentence, change } = unreadyPath(to, link);
  return lostPath(to, sentence.replace('the endpoint is not ready', 'the endpoint is ready all the same'), change);
}

/**
 * The model with the fates of its pairs, which are computed once: a Service in a thousand clusters has a million paths
 * over a thousand links.
 */
interface Network {
  readonly model: SharedModel;
  readonly fates: PairFates;
}

interface PathEnds {
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
  readonly through?: AddressedCluster;
}

function walked(
  { model, fates }: Network,
  { from, to, through }: PathEnds,
  { way, why }: { readonly way: EndpointWay; readonly why: string },
): EndpointPath {
  const walk = () =>
    trace(model, {
      from: { cluster: from.name, address: null },
      to: { kind: 'cluster', cluster: to.name, address: null },
      ...(through === undefined ? {} : { through: through.name }),
    });
  const fate = through === undefined ? fates.overLink(from, to) : fates.through(from, through, to);
  if (fate === 'delivered') return deliveredPath(to, way, why, walk);
  const traced = walk().fate;
  return lostPath(to, traced.why, traced.change, walk);
}

/** The path of packets from one cluster to the pods of a Service in one cluster, or the reason why there is none. */
export interface EndpointPath {
  /** The cluster in which the pods run. */
  readonly cluster: string;
  readonly way: EndpointWay;
  readonly fate: EndpointFate;
  /** The reason, as a sentence. */
  readonly why: string;
  /** A change that would make the path work; `null` when packets are delivered. */
  readonly change: string | null;
  /** Walks the packet; `null` when nothing is sent to another cluster. */
  readonly trace: (() => Trace) | null;
}

/**
 * `local`: inside the cluster. `link`: between the consumer and a provider. Between two providers: `hub`, through the
 * consumer; `direct`, by a direct connection of upstream; `shortcut`, by a shortcut of the fork.
 */
type EndpointWay = 'local' | 'link' | 'hub' | 'direct' | 'shortcut' | 'none';

/**
 * `black-hole`: the endpoint is ready, and packets to it are lost. `not-ready`: the endpoint exists and gets no
 * traffic. `withheld`: the cluster gets no endpoints of other clusters.
 */
type EndpointFate = 'delivered' | 'black-hole' | 'not-ready' | 'withheld';

export const isDelivered = ({ fate }: EndpointPath): boolean => fate === 'delivered';

/** True for a path of the kind that an assertion requires; with `null`, for any path. */
export const isVia = ({ way }: EndpointPath, via: Assertion['via']): boolean =>
  via === null || (way !== 'local' && (way === 'hub') === (via === 'hub'));

// Sentences for all paths to endpoints.

type Cluster = Pick<AddressedCluster, 'name'>;

const localPath = ({ name }: Cluster): EndpointPath => ({
  cluster: name,
  way: 'local',
  fate: 'delivered',
  why: `The pods run in "${name}" itself.`,
  change: null,
  trace: null,
});

const deliveredPath = ({ name }: Cluster, way: EndpointWay, why: string, trace: () => Trace): EndpointPath => ({
  cluster: name,
  way,
  fate: 'delivered',
  why,
  change: null,
  trace,
});

const lostPath = (
  { name }: Cluster,
  why: string,
  change: string | null,
  trace: (() => Trace) | null = null,
): EndpointPath => ({
  cluster: name,
  way: 'none',
  fate: 'black-hole',
  why,
  change,
  trace,
});

/**
 * The path between two clusters without a link: Liqo passes addresses on unchanged and treats the network as working.
 */
const pathWithoutLink = (at: Cluster, viewer: Cluster, owner: Cluster): EndpointPath =>
  lostPath(
    at,
    `"${viewer.name}" and "${owner.name}" have no link, so "${viewer.name}" gets the endpoint with an address that it does not route, and as ready.`,
    `Add a link between "${viewer.name}" and "${owner.name}" to \`peerings\`.`,
  );

/** The path when the consumer has no link to the provider of the pods, so that it cannot forward packets to them. */
const pathWithoutHubLink = (at: Cluster, hub: Cluster): EndpointPath =>
  lostPath(
    at,
    `The endpoint is an address of "${hub.name}", which forwards it, and "${hub.name}" has no link to "${at.name}".`,
    `Add a link between "${hub.name}" and "${at.name}" to \`peerings\`.`,
  );

const unreadyPath = ({ name }: Cluster, link: Link): EndpointPath => ({
  cluster: name,
  way: 'none',
  fate: 'not-ready',
  why: `${idleSentence(link)}${link.isOff ? '' : ', so their tunnel does not come up'}, and the endpoint is not ready.`,
  change: link.isOff ? null : keysChange(link),
  trace: null,
});

/** The path when a provider gets no endpoints: it creates no slice at all if it cannot map one of the endpoints. */
const withheldPath = ({ name }: Cluster, receiver: Cluster, refused: string, change: string): EndpointPath => ({
  cluster: name,
  way: 'none',
  fate: 'withheld',
  why: `"${receiver.name}" gets no endpoints of other clusters, since it cannot map one of them: ${refused}.`,
  change,
  trace: null,
});

const tooOld = ({ name, release }: AddressedCluster): string =>
  `direct connections need Liqo ${firstLineWith('hasDirectConnections')}, and "${name}" runs ${release.version}`;

/** Two providers of one consumer. */
export interface ProviderPair {
  readonly hub: AddressedCluster;
  readonly from: AddressedCluster;
  readonly to: AddressedCluster;
}

type DirectConnection =
  | { readonly kind: 'mapped' }
  /** The annotation has no effect. */
  | { readonly kind: 'absent'; readonly why: string }
  /** The receiver cannot map the address, and creates no slice at all. */
  | { readonly kind: 'refused'; readonly why: string; readonly change: string };

/**
 * The result of a pod's address of provider `to` in provider `from`, for a Service with
 * `liqo.io/use-direct-connections`. `from` maps the address with its own Configuration for `to`, which requires the
 * real address: it needs a link to `to`, and the consumer must not remap the pod CIDR of `to`. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/shadowendpointslice-controller/mapping.go.
 */
export function directConnection({ hub, from, to }: ProviderPair): DirectConnection {
  const old = [hub, from].find((it) => !it.traits.hasDirectConnections);
  if (old !== undefined) return { kind: 'absent', why: tooOld(old) };
  if (!from.peers.has(to.name)) {
    return {
      kind: 'refused',
      why: `it has no link to "${to.name}"`,
      change: `Add the shortcut [${from.name}, ${to.name}], or leave one of the two out of the namespace.`,
    };
  }
  const view = hub.peers.get(to.name)?.podViews.find((it) => !samePrefix(it.cidr, it.seenAs));
  if (view === undefined) return { kind: 'mapped' };
  return {
    kind: 'refused',
    why: `"${hub.name}" sees pods of "${to.name}" as ${printPrefix(view.seenAs)}, and "${from.name}" maps only addresses in ${printPrefix(view.cidr)}`,
    change: `Give "${to.name}" a pod CIDR that is free in "${hub.name}".`,
  };
}
