import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Link } from '../../model/network-model.ts';
import { OverlapIndex } from '../../net/overlap-index.ts';
import type { Prefix } from '../../net/prefix.ts';
import { printPrefix, readAddress } from '../../net/text.ts';
import type { Span } from '../../source/source.ts';
import { type AddressedCluster, type AddressedModel, viewsOf } from '../addressed-model.ts';
import { clusterNamed } from '../cluster-named.ts';
import type { AddressRule } from './address-rule.ts';

/** The address of a gateway lies in no network that the dialling cluster routes into itself or into a tunnel. */
export const gatewaysLieOutsideTheDialler: AddressRule = function* (model) {
  const routes = new Map<string, OverlapIndex<Routed>>();
  for (const link of model.links) yield* insideDialler(link, model, routes);
};

function* insideDialler(
  link: Link,
  model: AddressedModel,
  routes: Map<string, OverlapIndex<Routed>>,
): Iterable<Diagnostic> {
  const address = readAddress(link.endpoint.address);
  if (address === undefined) return;
  const client = clusterNamed(model, link.client.cluster.name);
  const routed = routesOf(client, routes).first({ base: address, length: 32 });
  if (!routed) return;
  const [what, prefix] = routed;
  const at = addressSpan(link);
  yield diagnostic(
    'link/gateway-inside-dialler',
    at,
    `"${client.name}" dials "${link.server.cluster.name}" at ${link.endpoint.address}, which lies inside ${what(printPrefix(prefix))}; the tunnel can never come up`,
    {
      hint: `dial an address that "${client.name}" routes to the outside`,
      related: at === client.at ? [] : [{ message: `"${client.name}" is declared here`, span: client.at }],
    },
  );
}

/** Made once for each cluster, because a hub that dials thousands of leaves needs it as often. */
function routesOf(cluster: AddressedCluster, routes: Map<string, OverlapIndex<Routed>>): OverlapIndex<Routed> {
  const known = routes.get(cluster.name);
  if (known) return known;
  const made = new OverlapIndex<Routed>();
  for (const routed of routedIn(cluster)) made.add(routed[1], routed);
  routes.set(cluster.name, made);
  return made;
}

/** Describes the role of a network in the cluster, given its text. */
type Naming = (cidr: string) => string;

type Routed = readonly [Naming, Prefix];

function routedIn(cluster: AddressedCluster): readonly Routed[] {
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

function addressSpan({ at, endpoint, server }: Link): Span {
  const { gateway } = server.cluster;
  const texts = [...(gateway.dial.address ? [gateway.dial.address] : []), ...gateway.addresses];
  return texts.find((it) => it.value === endpoint.address)?.at ?? at;
}
