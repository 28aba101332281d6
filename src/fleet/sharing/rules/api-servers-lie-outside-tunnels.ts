import { quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { containsAddress } from '../../../base/net/prefix.ts';
import { printPrefix, readAddress } from '../../../base/net/text.ts';
import { platformFacts } from '../../../base/releases/platforms.ts';
import type { AddressedCluster } from '../../ipam/addressed-model.ts';
import { describeRouted, type RoutedNetworks, routedNetworks } from '../../ipam/routed-networks.ts';
import type { Share } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * A consumer dials the API server of its provider at an address outside all tunnels, and outside both clusters: its controllers are
 * on nodes and in pods, and the tunnel comes up without them. With a proxy it is dialled through the tunnel on purpose. A name is
 * not resolved.
 */
export const apiServersLieOutsideTunnels: SharingRule = function* ({ model }) {
  const routes = new Map<string, RoutedNetworks>();
  for (const share of model.shares) {
    const { consumer, provider } = share;
    const address = addressOf(share);
    if (address === undefined) continue;
    const known = routes.get(consumer.name) ?? routedNetworks(consumer);
    routes.set(consumer.name, known);
    const where = insideProvider(provider, address) ?? insideConsumer(known, address);
    if (where === undefined) continue;
    const { apiServer } = provider;
    yield diagnostic(
      'sharing/api-server-inside',
      apiServer?.address.at ?? share.at,
      `${quoted(consumer.name)} dials the API server of ${quoted(provider.name)} at ${urlOf(share)}, which lies inside ${where}`,
      {
        about: [[consumer.name, provider.name]],
        hint: `use an address that ${quoted(consumer.name)} reaches without a tunnel`,
      },
    );
  }
};

/** What the consumer uses: the answer of the provider, or what that will be. */
const urlOf = ({ identity, provider }: Share): string => identity?.apiServer ?? provider.apiServer?.url ?? '';

function addressOf(share: Share): number | undefined {
  if (share.identity !== null && share.identity.proxyURL !== null) return undefined;
  const host = /^(?:https?:\/\/)?([\d.]+)(?::\d+)?(?:\/|$)/.exec(urlOf(share))?.[1];
  return host === undefined ? undefined : readAddress(host);
}

function insideConsumer(routes: RoutedNetworks, address: number): string | undefined {
  const routed = routes.first({ base: address, length: 32 });
  return routed && describeRouted(routed);
}

/** Where nodes have addresses of the pods' network, the API server may be among them. */
function insideProvider(provider: AddressedCluster, address: number): string | undefined {
  const platform = provider.platform?.value;
  const pods = platform !== undefined && platformFacts(platform).nodes === 'pods' ? [] : provider.podCIDRs;
  const pod = pods.find((it) => containsAddress(it.value, address));
  if (pod) return `the pod CIDR ${printPrefix(pod.value)} of the provider`;
  const service = provider.serviceCIDR.value;
  return containsAddress(service, address) ? `the service CIDR ${printPrefix(service)} of the provider` : undefined;
}
