import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ModelRule } from '../resolved-links.ts';
import { serviceOf } from '../served-port.ts';

/**
 * Only links that a NodePort Service serves have the option `nodePort`, and only load balancers a `loadBalancerIP`. Before a GatewayServer has a field for annotations,
 * the template alone has a place for them, so a link with a template of the user's cannot have `serviceAnnotations`.
 */
export const linkOptionsHaveAnEffect: ModelRule = function* ({ served }) {
  for (const it of served) {
    const { link, server, client } = it;
    const { nodePort = null, loadBalancerIP = null, serviceAnnotations = null, template } = link.options ?? {};
    const about = [[server.name, client.name]] as const;
    const reason = `has no effect: "${server.name}" serves this link with a ${serviceOf(it)} service`;
    if (nodePort && serviceOf(it) !== 'NodePort') {
      yield diagnostic('link/option-without-effect', nodePort.at, `\`nodePort\` ${reason}`, {
        about,
        hint: 'set `servicePort` to choose the port of the Service',
      });
    }
    if (loadBalancerIP && serviceOf(it) !== 'LoadBalancer') {
      yield diagnostic('link/option-without-effect', loadBalancerIP.at, `\`loadBalancerIP\` ${reason}`, {
        about,
        hint: 'set `service: LoadBalancer` for this link, or remove `loadBalancerIP`',
      });
    }
    if (serviceAnnotations && template?.server && !server.traits.annotatesGatewayServices) {
      const message = `\`serviceAnnotations\` has no effect: on Liqo ${server.release.version} only the template has annotations, and "${server.name}" uses the template "${template.server.name}"`;
      yield diagnostic('link/option-without-effect', serviceAnnotations.at, message, {
        about,
        hint: 'write the annotations into that template',
      });
    }
  }
};
