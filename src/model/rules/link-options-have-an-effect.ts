import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ModelRule } from '../resolved-links.ts';

/**
 * Only links that a NodePort Service serves have the option `nodePort`. Before a GatewayServer has a field for annotations,
 * the template alone has a place for them, so a link with a template of the user's cannot have `serviceAnnotations`.
 */
export const linkOptionsHaveAnEffect: ModelRule = function* ({ served }) {
  for (const { link, server } of served) {
    const { nodePort = null, serviceAnnotations = null, template } = link.options ?? {};
    if (nodePort && server.gateway.service !== 'NodePort') {
      const message = `\`nodePort\` has no effect: "${server.name}" serves this link with a ${server.gateway.service} service`;
      yield diagnostic('link/option-without-effect', nodePort.at, message, {
        hint: 'set `port` to choose the port of the Service',
      });
    }
    if (serviceAnnotations && template?.server && !server.traits.annotatesGatewayServices) {
      const message = `\`serviceAnnotations\` has no effect: on Liqo ${server.release.version} only the template has annotations, and "${server.name}" uses the template "${template.server.name}"`;
      yield diagnostic('link/option-without-effect', serviceAnnotations.at, message, {
        hint: 'write the annotations into that template',
      });
    }
  }
};
