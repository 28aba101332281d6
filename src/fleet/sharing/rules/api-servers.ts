import { groupBy } from '../../../base/core/collections.ts';
import { firstOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { containsAddress } from '../../../base/net/prefix.ts';
import { printPrefix, readAddress } from '../../../base/net/text.ts';
import { isManaged, platformFacts, signsClientCertificates } from '../../../base/releases/platforms.ts';
import {
  type AddressedCluster,
  describeRouted,
  type RoutedNetworks,
  routedNetworks,
} from '../../ipam/addressed-model.ts';
import type { Share } from '../shared-model.ts';
import { SHOWN_CONSUMERS, type SharingRule } from './sharing-rule.ts';

/**
 * A provider on a managed platform has the address of its API server. Otherwise Liqo looks for a control plane node,
 * finds none, and answers no consumer. A provider that has answered got the address in another way, and on EKS Liqo
 * requests it from AWS. Source: liqotech/liqo@v1.2.0 pkg/utils/apiserver/address.go,
 * pkg/identityManager/iamIdentityProvider.go (ForgeAuthParams).
 */
export const providersHaveAnApiServer: SharingRule = function* ({ model }) {
  const open = model.shares.filter((it) => it.identity === null && it.provider.apiServer === null);
  for (const shares of groupBy(open, (it) => [it.provider.name]).values()) {
    const [{ at, provider } = { at: undefined, provider: undefined }] = shares;
    if (provider === undefined || at === undefined || !hasToBeTold(provider)) continue;
    const consumers = shares.map((it) => quoted(it.consumer.name));
    yield diagnostic(
      'sharing/no-api-server',
      provider.platform?.at ?? at,
      `${quoted(provider.name)} on ${provider.platform?.value} lends to ${firstOf(consumers, SHOWN_CONSUMERS)}, but Liqo finds no API server there to answer with`,
      { hint: 'set `apiServer` of the cluster to the URL at which consumers reach it' },
    );
  }
};

function hasToBeTold({ platform }: AddressedCluster): boolean {
  const name = platform?.value ?? null;
  return isManaged(name) && signsClientCertificates(name);
}

/**
 * A consumer dials the API server of its provider at an address outside all tunnels and outside both clusters: its
 * controllers run on nodes and in pods, and the tunnel does not depend on them. With a proxy it is dialled through the
 * tunnel on purpose. A name is not resolved.
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
      `${quoted(consumer.name)} dials the API server of ${quoted(provider.name)} at ${apiServerUrl(share)}, which lies inside ${where}`,
      {
        about: [[consumer.name, provider.name]],
        hint: `use an address that ${quoted(consumer.name)} reaches without a tunnel`,
      },
    );
  }
};

/** The URL that the consumer uses: from the provider's answer, or from the topology. */
const apiServerUrl = ({ identity, provider }: Share): string => identity?.apiServer ?? provider.apiServer?.url ?? '';

function addressOf(share: Share): number | undefined {
  if (share.identity !== null && share.identity.proxyURL !== null) return undefined;
  const host = /^(?:https?:\/\/)?([\d.]+)(?::\d+)?(?:\/|$)/.exec(apiServerUrl(share))?.[1];
  return host === undefined ? undefined : readAddress(host);
}

function insideConsumer(routes: RoutedNetworks, address: number): string | undefined {
  const routed = routes.first({ base: address, length: 32 });
  return routed && describeRouted(routed);
}

/**
 * The network of the provider that contains the address. When nodes have addresses of the pods' network, the API server
 * may be among them.
 */
function insideProvider(provider: AddressedCluster, address: number): string | undefined {
  const platform = provider.platform?.value;
  const pods = platform !== undefined && platformFacts(platform).nodes === 'pods' ? [] : provider.podCIDRs;
  const pod = pods.find((it) => containsAddress(it.value, address));
  if (pod) return `the pod CIDR ${printPrefix(pod.value)} of the provider`;
  const service = provider.serviceCIDR.value;
  return containsAddress(service, address) ? `the service CIDR ${printPrefix(service)} of the provider` : undefined;
}
