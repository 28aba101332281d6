import { type AddressedCluster, unknownSource } from '../ipam/addressed-model.ts';
import { printAddress } from '../net/text.ts';
import { render } from '../text/render.ts';
import type { IpMapping } from './ip-mappings.ts';
import { deviceToNode, NODES } from './lab-names.ts';
import type { LoadedRuleset } from './lab-plan.ts';

/**
 * What Liqo programs in every gateway of a cluster when it runs, and no compiler can know: marks that lead answers back
 * to the node that began, and the addresses that stand for single pods.
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

/** On the node with the pods: which pings arrived. Nobody but the kernel answers those, so it has to remember them. */
export const seenPings = (): LoadedRuleset => ({ name: 'pings that arrived', text: render('lab/seen-pings', {}) });

function marks(cluster: AddressedCluster): string {
  const nodes = NODES.map((it) => ({ device: deviceToNode(it), mark: String(it) }));
  return render('lab/service-nodeport-routing', { unknownSource: printAddress(unknownSource(cluster)), nodes });
}

/** A name that `nft` can parse, whatever the leaf is called: the parser refuses a digit in front. */
const mappingText = ({ leaf, pod, real, mapped }: IpMapping): object => ({
  name: `pod${pod}`,
  namespace: leaf,
  real: printAddress(real),
  mapped: printAddress(mapped),
});
