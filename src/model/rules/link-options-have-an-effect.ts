import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ModelRule } from '../resolved-links.ts';

/** Only links that a NodePort Service serves have the option `nodePort`. */
export const linkOptionsHaveAnEffect: ModelRule = function* ({ served }) {
  for (const { link, server } of served) {
    if (!link.options?.nodePort || server.gateway.service === 'NodePort') continue;
    yield diagnostic(
      'link/option-without-effect',
      link.options.nodePort.at,
      `\`nodePort\` has no effect: "${server.name}" serves this link with a ${server.gateway.service} service`,
      { hint: 'set `port` to choose the port of the Service' },
    );
  }
};
