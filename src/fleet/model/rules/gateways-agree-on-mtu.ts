import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ModelRule } from '../resolved-links.ts';
import { mtuBytesOf } from '../served-link.ts';

/** Both gateways of a link have one MTU, unless the link itself chooses. */
export const gatewaysAgreeOnMtu: ModelRule = function* ({ served }) {
  for (const it of served) {
    const { link, server, client } = it;
    const [a, b] = [server.gateway.mtuBytes.value, client.gateway.mtuBytes.value];
    if (link.options?.mtuBytes || a === b) continue;
    yield diagnostic(
      'link/mtu-differs',
      link.at,
      `the gateways of "${server.name}" (${a}) and "${client.name}" (${b}) differ in MTU; the link gets ${mtuBytesOf(it)} bytes`,
      {
        about: [[server.name, client.name]],
        hint: 'set `mtu` on the link to choose it yourself; both ends of a tunnel need the same MTU',
      },
    );
  }
};
