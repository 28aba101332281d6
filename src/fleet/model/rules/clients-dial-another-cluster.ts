import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../../base/source/located.ts';
import type { Cluster } from '../network-model.ts';
import type { ModelRule } from '../resolved-links.ts';
import type { ServedLink } from '../served-link.ts';
import { dialOf } from '../served-port.ts';

/**
 * The address that a client dials is not its own. Behind one NAT it may be: then the NAT has to send packets from inside
 * back to the inside, which many do not.
 */
export const clientsDialAnotherCluster: ModelRule = function* ({ served }) {
  for (const it of served) {
    const address = dialOf(it);
    const own = ownAddresses(it.client).find(({ value }) => value === address);
    if (own) yield isBehindNat(it, own) ? behindOneAddress(it, own) : dialsItself(it, own);
  }
};

/** The addresses at which peers reach a cluster. */
function ownAddresses({ gateway, at }: Cluster): readonly Located<string>[] {
  const { addresses, dial, loadBalancerIP } = gateway;
  return [
    ...addresses,
    ...(dial.address ? [dial.address] : []),
    ...(loadBalancerIP === null ? [] : [{ value: loadBalancerIP, at }]),
  ];
}

const isBehindNat = ({ link, server, client }: ServedLink, { value }: Located<string>): boolean =>
  client.gateway.dial.address?.value === value &&
  (server.gateway.dial.address?.value === value || link.options?.address?.value === value);

function dialsItself(it: ServedLink, own: Located<string>): Diagnostic {
  const [server, client] = [it.server.name, it.client.name];
  const message = `"${client}" would dial "${server}" at ${own.value}, which is an address of "${client}" itself`;
  return diagnostic('link/dials-itself', placeOf(it, own), message, {
    hint: 'give each cluster an address of its own; where one NAT is in front of both, set `gateway.dial` in both',
    related: relatedTo(it, own),
  });
}

function behindOneAddress(it: ServedLink, own: Located<string>): Diagnostic {
  const [server, client] = [it.server.name, it.client.name];
  const message = `"${client}" and "${server}" are behind one address, ${own.value}, so the NAT must send the packets of "${client}" back inside`;
  return diagnostic('link/behind-one-address', placeOf(it, own), message, {
    about: [[client, server]],
    hint: 'check that the NAT supports this (hairpin NAT), or give this link an `address` inside the NAT',
    related: relatedTo(it, own),
  });
}

/** The text that sets what the client dials, or the text of its own address where both are one. */
function placeOf({ link, server }: ServedLink, own: Located<string>): Diagnostic['span'] {
  const { dial, addresses } = server.gateway;
  const texts = [link.options?.address, link.options?.loadBalancerIP, dial.address, ...addresses];
  return texts.find((it) => it?.value === own.value)?.at ?? link.at;
}

function relatedTo(it: ServedLink, own: Located<string>): Diagnostic['related'] {
  const isElsewhere = own.at.start !== placeOf(it, own).start;
  return isElsewhere ? [{ message: `the address of "${it.client.name}"`, span: own.at }] : [];
}
