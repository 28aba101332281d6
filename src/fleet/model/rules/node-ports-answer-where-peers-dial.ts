import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ModelRule } from '../resolved-links.ts';
import { isNodePort } from '../served-port.ts';

/**
 * Peers dial a node that answers. With the traffic policy Local only the node that runs the active pod of a gateway answers
 * at its node port, and that can be another one after every restart.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/types.go (ServiceExternalTrafficPolicyLocal); the pod that a Service
 * selects is the active one, liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl.
 */
export const nodePortsAnswerWherePeersDial: ModelRule = function* ({ served }) {
  const reported = new Set<string>();
  for (const it of served) {
    const { server, client, link } = it;
    const { externalTrafficPolicy, nodeSelector, replicas } = server.gateway;
    const isPinned = replicas === 1 && Object.keys(nodeSelector).length > 0;
    if (!isNodePort(it) || externalTrafficPolicy.value !== 'Local' || isPinned) continue;
    if (reported.has(server.name)) continue;
    reported.add(server.name);
    const message = `"${server.name}" answers at its node ports only on the node that runs the gateway, and nothing keeps that node the one that its peers dial`;
    yield diagnostic('link/local-traffic-policy', externalTrafficPolicy.at, message, {
      about: [[server.name]],
      hint: 'set `gateway.nodeSelector` to the one node that peers dial, use `service: LoadBalancer`, or remove `externalTrafficPolicy`',
      related: [{ message: `"${client.name}" is one of the peers that dial it`, span: link.at }],
    });
  }
};
