import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { GENEVE_PORT, PING_PORT } from '../../../base/releases/ports.ts';
import { listenPortOf } from '../listen-port-of.ts';
import type { ModelRule } from '../resolved-links.ts';

/** UDP ports on which other parts of a gateway pod listen. */
const TAKEN: ReadonlyMap<number, string> = new Map([
  [GENEVE_PORT, 'the overlay between nodes and gateways'],
  [PING_PORT, 'the ping of the tunnel'],
]);

/** WireGuard listens on a UDP port that nothing else in the pod of its gateway uses. */
export const tunnelsListenOnAFreePort: ModelRule = function* ({ model, served }) {
  const reported = new Set<string>();
  for (const [index, link] of model.links.entries()) {
    const { server, client } = link;
    const { name, gateway } = server.cluster;
    const port = listenPortOf(link);
    const use = TAKEN.get(port);
    if (use === undefined || reported.has(name)) continue;
    reported.add(name);
    const message = `the gateway of "${name}" for "${client.cluster.name}" would listen on UDP port ${port}, which ${use} uses in the same pod`;
    const requested = gateway.listenPort === null ? served[index]?.link.options?.servicePort : null;
    yield diagnostic('link/listen-port-taken', requested?.at ?? gateway.ports.at, message, {
      hint:
        gateway.listenPort === null
          ? `choose ${requested ? 'another `servicePort`' : 'other `gateway.ports`'}, or set \`gateway.listenPort\` to another port`
          : 'set `gateway.listenPort` to another port',
    });
  }
};
