import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { NODE_PORTS } from '../../../base/releases/ports.ts';
import { servicesOfLinks } from '../services-of-links.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Ports below this one belong to services of the node itself. */
const FIRST_FREE_PORT = 1024;

/** Node ports lie in the range of an API server without flags. Another range works only with the flag. */
export const nodePortsNeedNoFlag: TopologyRule = function* ({ clusters, peerings, shortcuts }) {
  const ofLinks = servicesOfLinks([...peerings, ...shortcuts]);
  for (const { name, gateway, retired } of clusters) {
    const { first, last, at, isUnread } = gateway.nodePorts;
    const hasNodePorts = gateway.service === 'NodePort' || ofLinks.get(name)?.has('NodePort') === true;
    if (retired || isUnread || !hasNodePorts) continue;
    if (first >= NODE_PORTS.first && last <= NODE_PORTS.last) continue;
    const usual = `${NODE_PORTS.first}-${NODE_PORTS.last}`;
    const low = first < FIRST_FREE_PORT ? ', and ports below 1024 belong to services of the nodes' : '';
    const message = `nodePorts ${first === last ? first : `${first}-${last}`} of "${name}" are not inside ${usual}, the range of an API server without flags${low}`;
    yield diagnostic('topology/node-port-range', at, message, {
      about: [[name]],
      hint: `choose ports inside ${usual}, or check that the API server of "${name}" runs with \`--service-node-port-range\``,
    });
  }
};
