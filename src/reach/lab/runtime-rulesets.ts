import { printAddress } from '../../base/net/text.ts';
import { render } from '../../base/text/render.ts';
import { type AddressedCluster, unknownSource } from '../../fleet/ipam/addressed-model.ts';
import type { IpMapping } from './ip-mappings.ts';
import { deviceToNode, NODES } from './lab-names.ts';
import type { LoadedRuleset } from './lab-plan.ts';

/**
 * Rules that Liqo adds to every gateway of a cluster at run time, and that are not emitted: marks by which answers are
 * routed to the node that opened the connection, and addresses that are mapped to single pods.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/internal-network/route/mark.go,
 * .../external-network/remapping/ip.go, deployments/liqo/templates/liqo-gw-mssclamp-firewallconfiguration.yaml.
 */
export function runtimeRulesets(cluster: AddressedCluster, mappings: readonly IpMapping[]): readonly LoadedRuleset[] {
  return [
    { name: 'service-nodeport-routing', text: marks(cluster) },
    ...(cluster.traits.clampsSegmentSize ? [{ name: 'mss-clamping', text: render('lab/mss-clamping', {}) }] : []),
    ...(mappings.length > 0
      ? [{ name: 'ip mappings', text: render('lab/ip-mapping', { mappings: mappings.map(mappingText) }) }]
      : []),
  ];
}

/** On the node with the pods: records the pings that arrived, because the kernel answers them, not the lab. */
export const seenPings = (): LoadedRuleset => ({ name: 'pings that arrived', text: render('lab/seen-pings', {}) });

function marks(cluster: AddressedCluster): string {
  const nodes = NODES.map((it) => ({ device: deviceToNode(it), mark: String(it) }));
  return render('lab/service-nodeport-routing', { unknownSource: printAddress(unknownSource(cluster)), nodes });
}

/** `nft` refuses a name that begins with a digit, as the name of a leaf may. */
const mappingText = ({ leaf, pod, real, mapped }: IpMapping): object => ({
  name: `pod${pod}`,
  namespace: leaf,
  real: printAddress(real),
  mapped: printAddress(mapped),
});
