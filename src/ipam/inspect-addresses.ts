import { firstOf, quoted } from '../core/words.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { Link } from '../model/network-model.ts';
import { containsAddress, type Prefix, samePrefix } from '../net/prefix.ts';
import { printPrefix, readAddress } from '../net/text.ts';
import type { Span } from '../source/source.ts';
import { AddressSet } from './address-set.ts';
import type { AddressedCluster, AddressedModel, Peer, View } from './addressed-model.ts';
import { clusterNamed } from './cluster-named.ts';

/** More peers in an order than a rollout comfortably waits for: each is applied and answered before the next. */
const MANY_ORDERED = 50;

/** What only the addresses show: gateways that cannot be dialled, order, history, shortcuts that services cannot use. */
export function* inspectAddresses(model: AddressedModel): Iterable<Diagnostic> {
  const routes = new Map<string, AddressSet>();
  for (const link of model.links) yield* gatewayInsideDialler(link, model, routes);
  for (const cluster of model.clusters.values()) {
    yield* orderDependence(cluster);
    yield* history(cluster);
  }
  for (const link of model.links) if (link.kind === 'shortcut') yield* shortcutServices(link, model);
}

/** The client would route the gateway's address into the cluster itself, or into another tunnel. */
function* gatewayInsideDialler(
  link: Link,
  model: AddressedModel,
  routes: Map<string, AddressSet>,
): Iterable<Diagnostic> {
  const address = readAddress(link.endpoint.address);
  if (address === undefined) return;
  const client = clusterNamed(model, link.client.cluster.name);
  if (!routesOf(client, routes).overlaps({ base: address, length: 32 })) return;
  const routed = routedIn(client).find(([, prefix]) => containsAddress(prefix, address));
  if (!routed) return;
  const [what, prefix] = routed;
  const at = addressSpan(link);
  yield diagnostic(
    'link/gateway-inside-dialler',
    at,
    `"${client.name}" dials "${link.server.cluster.name}" at ${link.endpoint.address}, which lies inside ${what(printPrefix(prefix))}`,
    {
      hint: 'the tunnel would never come up; dial an address that the client routes to the outside',
      related: at === client.at ? [] : [{ message: `"${client.name}" stands here`, span: client.at }],
    },
  );
}

/** Made once a cluster: a hub that dials thousands of leaves asks it that often. */
function routesOf(cluster: AddressedCluster, routes: Map<string, AddressSet>): AddressSet {
  const known = routes.get(cluster.name);
  if (known) return known;
  const made = new AddressSet();
  for (const [, prefix] of routedIn(cluster)) made.add(prefix);
  routes.set(cluster.name, made);
  return made;
}

/** What a network is to the cluster, around its text. */
type Naming = (cidr: string) => string;

function routedIn(cluster: AddressedCluster): readonly (readonly [Naming, Prefix])[] {
  const own =
    (role: string): Naming =>
    (cidr) =>
      `its own ${role} ${cidr}`;
  const view =
    (peer: string): Naming =>
    (cidr) =>
      `${cidr}, where it sees "${peer}"`;
  return [
    ...cluster.podCIDRs.map((it) => [own('pod CIDR'), it.value] as const),
    [own('service CIDR'), cluster.serviceCIDR.value],
    [own('external CIDR'), cluster.externalCIDR],
    [own('internal CIDR'), cluster.internalCIDR],
    ...[...cluster.peers.values()].flatMap((peer) => viewsOf(peer).map((it) => [view(peer.name), it.seenAs] as const)),
  ];
}

const viewsOf = (peer: Peer): readonly View[] => [...peer.podViews, peer.externalView];

function addressSpan({ at, endpoint, server }: Link): Span {
  const { gateway } = server.cluster;
  const texts = [...(gateway.dial.address ? [gateway.dial.address] : []), ...gateway.addresses];
  return texts.find((it) => it.value === endpoint.address)?.at ?? at;
}

function* orderDependence(cluster: AddressedCluster): Iterable<Diagnostic> {
  const ordered = [...cluster.peers.values()].filter((it) => it.orderDependent);
  if (ordered.length === 0) return;
  const ofDefaults = ordered.every((it) => it.podViews.every((view) => samePrefix(view.cidr, view.seenAs)));
  const what = ordered.length === 1 ? '1 peer needs a remap' : `${ordered.length} peers need a remap`;
  yield diagnostic(
    'ipam/order-dependent',
    cluster.at,
    `in "${cluster.name}" the order of Configurations counts, since ${what}: ${listed(ordered.map((it) => quoted(it.name)))}`,
    {
      hint: `Argo CD and Flux follow that order; ${ofDefaults ? 'peers with an `externalCIDR` of their own, or `auto`, need none' : 'peers with pod CIDRs of their own and `externalCIDR: auto` need none'}`,
    },
  );
  if (ordered.length <= MANY_ORDERED) return;
  yield diagnostic(
    'ipam/many-order-dependent',
    cluster.at,
    `"${cluster.name}" waits for ${ordered.length} Configurations one after the other`,
    {
      hint: 'give the peers `externalCIDR: auto` (or networks of their own): then they are applied all at once',
    },
  );
}

function* history(cluster: AddressedCluster): Iterable<Diagnostic> {
  const kept = [...cluster.peers.values()].flatMap((peer) =>
    viewsOf(peer)
      .filter((it) => it.history)
      .map((view) => ({ peer, view })),
  );
  if (kept.length === 0) return;
  const texts = kept.map(
    ({ peer, view }) => `${printPrefix(view.cidr)} of "${peer.name}" as ${printPrefix(view.seenAs)}`,
  );
  yield diagnostic(
    'ipam/history',
    cluster.at,
    `"${cluster.name}" keeps ${kept.length === 1 ? 'a view that a rebuild' : `${kept.length} views that a rebuild`} would not give again: ${listed(texts)}`,
    {
      hint: `nothing moves while the cluster lives; when you rebuild it, \`weft compile --relock ${cluster.name}\` decides its views anew`,
    },
  );
}

const listed = (texts: readonly string[]): string => firstOf(texts, 5);

/** Source: the reflection of endpoints, liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/exposition/endpointslice.go. */
function* shortcutServices(link: Link, model: AddressedModel): Iterable<Diagnostic> {
  const ends = [link.client.cluster.name, link.server.cluster.name] as const;
  for (const name of link.commonHubs) {
    const hub = clusterNamed(model, name);
    const pair = `"${ends[0]}" and "${ends[1]}"`;
    if (!hub.traits.hasDirectConnections) {
      if (model.fleet.shortcutOperator) continue;
      yield diagnostic(
        'ipam/shortcut-services',
        link.at,
        `services of "${hub.name}" do not use the shortcut between ${pair}: Liqo ${hub.release.line} has no direct connections`,
        {
          hint: 'pods that dial each other by address use it; for services upgrade to 1.2, or run the fork with `liqo.shortcutOperator`',
        },
      );
      continue;
    }
    const first = firstRemapped(hub, ends);
    if (!first) continue;
    const { peer, view } = first;
    yield diagnostic(
      'ipam/shortcut-services',
      link.at,
      `services of "${hub.name}" cannot use the shortcut between ${pair}: "${hub.name}" sees the pods of "${peer.name}" as ${printPrefix(view.seenAs)}, and direct connections need them unremapped`,
      {
        hint: `give "${peer.name}" a pod CIDR that is free in "${hub.name}"; pods that dial each other by address use the shortcut all the same`,
      },
    );
  }
}

/** Of these peers the first, in apply order, of which the hub sees some pods under other addresses, and that view. */
function firstRemapped(
  hub: AddressedCluster,
  names: readonly string[],
): { readonly peer: Peer; readonly view: View } | undefined {
  for (const peer of hub.peers.values()) {
    const view = names.includes(peer.name) && peer.podViews.find((it) => !samePrefix(it.cidr, it.seenAs));
    if (view) return { peer, view };
  }
  return undefined;
}
