import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TemplateName } from '../../topology/declaration.ts';
import type { Cluster } from '../network-model.ts';
import type { ModelRule } from '../resolved-links.ts';
import type { ServedLink } from '../served-link.ts';

/** A reminder: weft refers to a gateway template that a link names, and somebody else writes and applies it. */
export const templatesOfOthersAreProvided: ModelRule = function* ({ served }) {
  for (const it of served) {
    const { server = null, client = null } = it.link.options?.template ?? {};
    if (server) yield reminder(it, it.server, 'WgGatewayServerTemplate', server);
    if (client) yield reminder(it, it.client, 'WgGatewayClientTemplate', client);
  }
};

function reminder(
  { link, server, client }: ServedLink,
  end: Cluster,
  kind: string,
  { name, namespace }: TemplateName,
): Diagnostic {
  return diagnostic(
    'link/template-to-provide',
    link.at,
    `"${end.name}" needs the ${kind} "${name}" in its namespace "${namespace ?? end.liqoNamespace}", which weft does not write`,
    {
      about: [[server.name, client.name]],
      hint: 'apply it before this bundle: without the template Liqo creates no gateway, and the link stays down',
    },
  );
}
