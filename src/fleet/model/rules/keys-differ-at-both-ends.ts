import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { gatewayKey } from '../read-keys.ts';
import type { ModelRule } from '../resolved-links.ts';

/** Each of the two gateways of a link has a WireGuard key pair of its own. */
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
        hint: 'remove the entry that is wrong and run "weft keys generate": each gateway needs a key pair of its own',
        related: [{ message: 'the same key appears here', span: earlier.at }],
      },
    );
  }
};
