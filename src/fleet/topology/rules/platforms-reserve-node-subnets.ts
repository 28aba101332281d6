import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { platformFacts } from '../../../base/releases/platforms.ts';
import type { TopologyRule } from './topology-rule.ts';

/** The subnet of a fleet of AKS nodes that nobody chose. Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/aks/provider.go. */
const AKS_NODES = '10.224.0.0/16';

/** Where nodes have a subnet of their own, it is reserved, as liqoctl does it: else the IPAM may remap a peer onto it. */
export const platformsReserveNodeSubnets: TopologyRule = function* ({ clusters }) {
  for (const { name, platform, reserved, retired } of clusters) {
    if (platform === null || retired || reserved.length > 0) continue;
    const { nodes, provider } = platformFacts(platform.value);
    if (nodes !== 'outside') continue;
    const message = `"${name}" on ${platform.value} reserves no networks, but liqoctl reserves the subnet of its nodes`;
    const usual = provider === 'aks' ? `, ${AKS_NODES} unless the cluster is in a network of yours` : '';
    yield diagnostic('topology/node-subnet-not-reserved', platform.at, message, {
      about: [[name]],
      hint: `list the subnet of the nodes in \`reserved\`${usual}`,
    });
  }
};
