import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { checkDialAddress } from '../check-dial-address.ts';
import { checkLoadBalancerIP } from '../check-load-balancer-ip.ts';
import { checkMtu } from '../check-mtu.ts';
import { checkPort } from '../check-port.ts';
import type { TopologyRule } from './topology-rule.ts';

/** MTU, ports and address of a link are valid for a tunnel. */
export const linkOptionsAreInRange: TopologyRule = (topology) => {
  const found: Diagnostic[] = [];
  const report = (it: Diagnostic): void => void found.push(it);
  for (const { between, mtuBytes, servicePort, nodePort, loadBalancerIP, port, address } of [
    ...topology.peerings,
    ...topology.shortcuts,
  ]) {
    const link = `link ${between[0].value}-${between[1].value}`;
    if (mtuBytes) checkMtu(mtuBytes, `mtu of ${link}`, report);
    if (nodePort) checkPort(nodePort, `nodePort of ${link}`, report);
    if (servicePort) checkPort(servicePort, `servicePort of ${link}`, report);
    if (loadBalancerIP) checkLoadBalancerIP(loadBalancerIP, `loadBalancerIP of ${link}`, report, '`address`');
    if (port) checkPort(port, `port of ${link}`, report);
    if (address) checkDialAddress(address, `address of ${link}`, report);
  }
  return found;
};
