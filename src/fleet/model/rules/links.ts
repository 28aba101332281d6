import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../../base/source/source.ts';
import { type ModelRule, mtuBytesOf, type ServedLink } from '../link-stages.ts';
import type { Cluster } from '../network-model.ts';
import { dialOf, serviceOf } from '../served-port.ts';

/**
 * The address that a client dials is not its own. Both can be equal behind one NAT: the NAT must then send packets from
 * the inside back to the inside, which many do not.
 */
export const clientsDialAnotherCluster: ModelRule = function* ({ served }) {
  for (const it of served) {
    const address = dialOf(it);
    const own = ownAddresses(it.client).find(({ value }) => value === address);
    if (own) yield isDialledThroughNat(it, own) ? behindOneAddress(it, own) : dialsItself(it, own);
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

const isDialledThroughNat = ({ link, server, client }: ServedLink, { value }: Located<string>): boolean =>
  client.gateway.dial.address?.value === value &&
  (server.gateway.dial.address?.value === value || link.options?.address?.value === value);

function dialsItself(it: ServedLink, own: Located<string>): Diagnostic {
  const [server, client] = [it.server.name, it.client.name];
  const message = `"${client}" would dial "${server}" at ${own.value}, which is an address of "${client}" itself`;
  return diagnostic('link/dials-itself', placeOfDialled(it, own), message, {
    hint: 'give each cluster an address of its own; where one NAT is in front of both, set `gateway.dial` in both',
    related: relatedTo(it, own),
  });
}

function behindOneAddress(it: ServedLink, own: Located<string>): Diagnostic {
  const [server, client] = [it.server.name, it.client.name];
  const message = `"${client}" and "${server}" are behind one address, ${own.value}, so the NAT must send the packets of "${client}" back inside`;
  return diagnostic('link/behind-one-address', placeOfDialled(it, own), message, {
    about: [[client, server]],
    hint: 'check that the NAT supports this (hairpin NAT), or give this link an `address` inside the NAT',
    related: relatedTo(it, own),
  });
}

/** The text that sets the dialled address, or that of the client's own address when both are one. */
function placeOfDialled({ link, server }: ServedLink, own: Located<string>): Diagnostic['span'] {
  const { dial, addresses } = server.gateway;
  const texts = [link.options?.address, link.options?.loadBalancerIP, dial.address, ...addresses];
  return texts.find((it) => it?.value === own.value)?.at ?? link.at;
}

function relatedTo(it: ServedLink, own: Located<string>): Diagnostic['related'] {
  const isElsewhere = own.at.start !== placeOfDialled(it, own).start;
  return isElsewhere ? [{ message: `the address of "${it.client.name}"`, span: own.at }] : [];
}

/**
 * The option `nodePort` requires a NodePort Service, and `loadBalancerIP` a load balancer. In releases whose
 * GatewayServer has no field for annotations, only the template can contain them, so a link with the user's own
 * template cannot have `serviceAnnotations`.
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
