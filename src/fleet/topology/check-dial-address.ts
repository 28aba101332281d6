import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { containsAddress } from '../../base/net/prefix.ts';
import { looksLikeIPv6, readAddress } from '../../base/net/text.ts';
import type { Located } from '../../base/source/located.ts';
import type { Report } from './report.ts';
import { UNUSABLE_NETWORKS } from './special-networks.ts';

const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;

/** No name ends in a number (RFC 3696, section 2); some resolvers read it as an address. */
const NUMBER_AT_THE_END = /(^|\.)(\d+|0x[0-9a-f]*)$/;

/** Names that every host resolves to itself. Source: RFC 6761, section 6.3, and the names that distributions add. */
const LOCAL_NAME = /^((.*\.)?localhost|(ip6-)?localhost|localhost[46]?(\.localdomain[46]?)?|ip6-loopback)$/;

const HINT = 'use an address that the other clusters can reach, like 203.0.113.10';

/** Whether a text is an IPv4 address or a DNS name that a gateway can dial; reports why not. */
export function checkDialAddress(text: Located<string>, what: string, report: Report): boolean {
  const { value, at } = text;
  if (looksLikeIPv6(value)) {
    report(
      diagnostic('topology/ipv6', at, `${what} is an IPv6 address, "${value}"; weft supports only IPv4 tunnels`, {
        hint: 'use an IPv4 address or a DNS name that resolves to one',
      }),
    );
    return false;
  }
  if (LOCAL_NAME.test(value)) {
    const message = `${what} is "${value}", which every host resolves to itself`;
    report(diagnostic('topology/bad-address', at, message, { hint: HINT }));
    return false;
  }
  const numeric = /^[\d.]+$/.test(value);
  if (numeric && readAddress(value) !== undefined) return isUsableAddress(text, what, report);
  if (!numeric && DNS_NAME.test(value) && !NUMBER_AT_THE_END.test(value)) return true;
  const hint = addressHint(value);
  report(
    diagnostic('topology/bad-address', at, `${what} is neither an IPv4 address nor a DNS name: "${value}"`, { hint }),
  );
  return false;
}

/** Tells apart the host, the port and what else a URL consists of. */
function addressHint(value: string): string {
  const [, scheme, host, port] = /^([a-z][a-z0-9+.-]*:\/\/)?([^\s/:@]+)(:\d+)?(?:\/.*)?$/i.exec(value) ?? [];
  if (host !== undefined && port !== undefined)
    return `write ${host} here, and set the port in \`port\` or \`dial.port\``;
  return host !== undefined && scheme !== undefined
    ? `write ${host}`
    : 'write an address like 203.0.113.10 or a name like gw.example.net';
}

/** Whether another cluster can send packets to an IPv4 address; reports why not. */
export function isUsableAddress({ value, at }: Located<string>, what: string, report: Report): boolean {
  const address = readAddress(value);
  if (address === undefined) return false;
  const special = UNUSABLE_NETWORKS.find((it) => containsAddress(it.prefix, address));
  if (!special) return true;
  const message = `${what} is ${value}, but ${special.what} cannot be dialled`;
  report(diagnostic('topology/bad-address', at, message, { hint: HINT }));
  return false;
}
