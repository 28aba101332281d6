import { printBundlePath } from '../../base/core/bundle-path.ts';
import { nodeSnippet } from '../../bundle/nftables/render-snippets.ts';
import { viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { Fleet } from '../../fleet/model/network-model.ts';
import { gatewayAddress, nodeAddress } from './internal-addresses.ts';
import { deviceToGateway, LOOPBACK, type NodeNumber, nodeNamespace, POD_NODE } from './lab-names.ts';
import type { LabNamespace, Route } from './lab-plan.ts';
import type { LabCluster } from './lab-scope.ts';
import { podAddresses } from './pod-addresses.ts';
import { seenPings } from './runtime-rulesets.ts';

/**
 * A node with routes to each gateway and, by way of the gateways, to the views of its cluster.
 * Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/internal-network/internalfabric-controller/route.go.
 */
export function planNode(lab: LabCluster, node: NodeNumber, fleet: Fleet): LabNamespace {
  const { cluster } = lab;
  const peers = [...lab.peers.values()];
  const carriesPods = node === POD_NODE;
  const addresses = [nodeAddress(cluster, node), ...(carriesPods ? podAddresses(cluster) : [])];
  const routes = peers.flatMap((peer, index): readonly Route[] => {
    const gateway = gatewayAddress(cluster, index);
    const device = deviceToGateway(index);
    const views = viewsOf(peer);
    return [
      { table: null, to: { base: gateway, length: 32 }, via: null, device },
      ...views.map((it) => ({ table: null, to: it.seenAs, via: gateway, device })),
    ];
  });
  const emitted = peers.map((it) => ({
    name: printBundlePath({ part: 'node-rules', cluster: cluster.name, peer: it.name }),
    text: nodeSnippet(cluster, it, fleet),
  }));
  return {
    name: nodeNamespace(cluster.name, node),
    kind: 'node',
    addresses: addresses.map((address) => ({ device: LOOPBACK, address })),
    routes,
    rules: [],
    rulesets: [...emitted, ...(carriesPods ? [seenPings()] : [])],
  };
}
