import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { contradiction } from '../lock/contradiction.ts';
import type { Located } from '../source/located.ts';
import type { Span } from '../source/source.ts';
import type { PortRange } from './network-model.ts';
import type { ServedLink } from './served-link.ts';
import { isNodePort, rangeOf } from './served-port.ts';
import type { PortClaim, PortHolder } from './taken-ports.ts';

export const nameOf = ({ server, client }: ServedLink): string =>
  `the gateway of "${server.name}" for "${client.name}"`;

/** A default has no text of its own to show. */
const isShown = ({ first, last, at }: PortRange): boolean => {
  const text = at.source.text.slice(at.start, at.end);
  return text.includes(String(first)) && text.includes(String(last));
};

export function nodePortOutOfRange(it: ServedLink, requested: Located<number>): Diagnostic {
  const range = rangeOf(it.server);
  return diagnostic(
    'link/node-port-out-of-range',
    requested.at,
    `node port ${requested.value} lies outside the range of "${it.server.name}", ${range.first}-${range.last}`,
    {
      hint: `choose one from ${range.first} to ${range.last}, or widen \`gateway.nodePorts\` to what the API server of "${it.server.name}" allows`,
      related: isShown(range) ? [{ message: 'the range', span: range.at }] : [],
    },
  );
}

export function portTaken(it: ServedLink, requested: Located<number>, other: PortHolder): Diagnostic {
  const both = [
    { served: it, at: requested.at },
    { served: other.served, at: other.at },
  ];
  const [earlier, later] = both.sort((a, b) => a.at.start - b.at.start) as [PortClaim, PortClaim];
  return diagnostic(
    'link/port-taken',
    later.at,
    `${nameOf(later.served)} asks for port ${requested.value}, which ${nameOf(earlier.served)} has`,
    {
      hint: 'give each gateway a port of its own, or leave the choice to weft',
      related: [{ message: 'taken here', span: earlier.at }],
    },
  );
}

export function keptTwice(it: ServedLink, kept: Located<number>, other: PortHolder): Diagnostic {
  return contradiction({
    message: `the lock gives port ${kept.value} to ${nameOf(it)} and to ${nameOf(other.served)}`,
    later: kept.at,
    earlier: { message: 'also here', span: other.at },
    cluster: it.server.name,
    peer: it.client.name,
  });
}

export function portMoved(it: ServedLink, kept: Located<number>, at: Span, why: string): Diagnostic {
  return diagnostic('lock/port-moved', at, `${nameOf(it)} gives up port ${kept.value}, ${why}`, {
    hint: 'the tunnel is down until both its ends have the new port',
    related: [{ message: 'the lock keeps it here', span: kept.at }],
  });
}

export function portsExhausted(it: ServedLink, links: readonly ServedLink[]): Diagnostic {
  const { first, last } = rangeOf(it.server);
  const [key, count] = [isNodePort(it.server) ? 'nodePorts' : 'ports', last - first + 1];
  const served = links.filter((other) => other.server === it.server).length;
  return diagnostic(
    'link/ports-exhausted',
    it.server.at,
    `"${it.server.name}" serves ${served} links, and \`gateway.${key}\` ${first}-${last} has room for ${count}`,
    {
      hint: `widen \`gateway.${key}\`, let some peers serve (\`server\`), or spread the spokes over more hubs`,
      related: isShown(rangeOf(it.server)) ? [{ message: 'the range', span: rangeOf(it.server).at }] : [],
    },
  );
}

export function endpointTaken(it: ServedLink, earlier: ServedLink, endpoint: string): Diagnostic {
  const at = it.link.options?.port?.at ?? it.server.gateway.dial.port?.at ?? it.link.at;
  return diagnostic(
    'link/endpoint-taken',
    at,
    `"${it.client.name}" (to reach "${it.server.name}") and "${earlier.client.name}" (to reach "${earlier.server.name}") would both dial ${endpoint}`,
    {
      hint: 'each link needs an address or port of its own: give one of them `port` (in `peerings` or `shortcuts`)',
      related: earlier.link.at === at ? [] : [{ message: 'the other link', span: earlier.link.at }],
    },
  );
}
