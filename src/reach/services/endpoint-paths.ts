import { moveHost } from '../../base/net/prefix.ts';
import { printAddress } from '../../base/net/text.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { carriesPackets } from '../../fleet/model/network-model.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import { representativePod } from '../trace/address.ts';
import type { PairFates } from '../trace/pair-fates.ts';
import { trace } from '../trace/trace.ts';
import { reflectionOf } from '../translate/reflection.ts';
import { findOwner, passByShortcut, shortcutsAbsent } from '../translate/ways.ts';
import { type DirectConnection, directConnection, type ProviderPair } from './direct-connection.ts';
import type { EndpointPath, EndpointWay } from './endpoint-path.ts';
import * as paths from './endpoint-path.ts';
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
    if (to === from) return paths.local(to);
    if (refused) return paths.withheld(to, from, refused.why, refused.change);
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
  if (link === undefined) return paths.withoutLink(to, from, to);
  if (!carriesPackets(link)) return paths.notReady(to, link);
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
  if (toReceiver === undefined) return paths.withoutLink(to, from, hub);
  if (toOwner === undefined) return paths.hubWithoutLink(to, hub);
  const keyless = [toReceiver, toOwner].find((it) => !carriesPackets(it));
  if (keyless !== undefined) return paths.notReady(to, keyless);
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
  const { why: sentence, change } = paths.notReady(to, link);
  return paths.lost(
    to,
    sentence.replace('the endpoint is not ready', 'the endpoint is ready all the same'),
    change ?? '',
  );
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
  if (fate === 'delivered') return paths.deliveredPath(to, way, why, walk);
  const traced = walk().fate;
  return paths.lost(to, traced.why, traced.change ?? '', walk);
}
