import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { readAddress } from '../../../base/net/text.ts';
import type { Span } from '../../../base/source/source.ts';
import type { Link } from '../../model/network-model.ts';
import type { AddressedCluster, AddressedModel } from '../addressed-model.ts';
import { clusterNamed } from '../cluster-named.ts';
import { describeRouted, type RoutedNetworks, routedNetworks } from '../routed-networks.ts';
import type { AddressRule } from './address-rule.ts';

/** The address of a gateway lies in no network that the dialling cluster routes into itself or into a tunnel. */
export const gatewaysLieOutsideTheDialler: AddressRule = function* (model) {
  const routes = new Map<string, RoutedNetworks>();
  for (const link of model.links) yield* insideDialler(link, model, routes);
};

function* insideDialler(link: Link, model: AddressedModel, routes: Map<string, RoutedNetworks>): Iterable<Diagnostic> {
  const address = readAddress(link.endpoint.address);
  if (address === undefined) return;
  const client = clusterNamed(model, link.client.cluster.name);
  const routed = routesOf(client, routes).first({ base: address, length: 32 });
  if (!routed) return;
  const at = addressSpan(link);
  yield diagnostic(
    'link/gateway-inside-dialler',
    at,
    `"${client.name}" dials "${link.server.cluster.name}" at ${link.endpoint.address}, which lies inside ${describeRouted(routed)}; the tunnel can never come up`,
    {
      hint: `dial an address that "${client.name}" routes to the outside`,
      related: at === client.at ? [] : [{ message: `"${client.name}" is declared here`, span: client.at }],
    },
  );
}

/** Made once for each cluster, because a hub that dials thousands of leaves needs it as often. */
function routesOf(cluster: AddressedCluster, routes: Map<string, RoutedNetworks>): RoutedNetworks {
  const known = routes.get(cluster.name) ?? routedNetworks(cluster);
  routes.set(cluster.name, known);
  return known;
}

function addressSpan({ at, endpoint, server }: Link): Span {
  const { gateway } = server.cluster;
  const texts = [...(gateway.dial.address ? [gateway.dial.address] : []), ...gateway.addresses];
  return texts.find((it) => it.value === endpoint.address)?.at ?? at;
}
