import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/**
 * Peers dial an address that stays. Nodes of EKS come and go with their addresses, which are private by default, so a node
 * port needs something in front of it.
 */
export const gatewaysOnEksCanBeDialled: TopologyRule = function* ({ clusters }) {
  for (const { name, platform, gateway, retired } of clusters) {
    const [address] = gateway.addresses;
    const isNodePort = gateway.service === 'NodePort' && gateway.server !== 'never';
    if (platform?.value !== 'eks' || retired || !isNodePort || !address || gateway.dial.address !== null) continue;
    const message = `peers of "${name}" would dial a node port at ${address.value}, but nodes of EKS are replaced with their addresses`;
    yield diagnostic('topology/node-port-on-eks', address.at, message, {
      related: [{ message: 'the platform', span: platform.at }],
      hint: 'remove `service`, for a load balancer, or set `dial.address` to what forwards to the node port',
    });
  }
};
