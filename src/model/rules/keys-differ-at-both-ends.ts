import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { gatewayKey } from '../read-keys.ts';
import type { ModelRule } from '../resolved-links.ts';

/** The two gateways of a link have a WireGuard pair each. */
export const keysDifferAtBothEnds: ModelRule = function* ({ keys, served }) {
  for (const { server, client } of served) {
    const [a, b] = [keys.get(gatewayKey(server.name, client.name)), keys.get(gatewayKey(client.name, server.name))];
    if (!a || !b || a.value !== b.value) continue;
    const [earlier, later] = a.at.start < b.at.start ? [a, b] : [b, a];
    yield diagnostic(
      'keys/same-at-both-ends',
      later.at,
      `both gateways of the link between "${server.name}" and "${client.name}" have this key`,
      {
        hint: 'each gateway needs a pair of its own; `weft keys generate` makes what is missing',
        related: [{ message: 'the same key here', span: earlier.at }],
      },
    );
  }
};
