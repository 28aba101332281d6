import { diagnostic } from '../diagnostics/diagnostic.ts';
import { containsAddress } from '../net/prefix.ts';
import { looksLikeIPv6, readAddress } from '../net/text.ts';
import type { Located } from '../source/located.ts';
import type { Report } from './report.ts';
import { SPECIAL_NETWORKS } from './special-networks.ts';

const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;

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
  const numeric = /^[\d.]+$/.test(value);
  const address = numeric ? readAddress(value) : undefined;
  const special =
    address === undefined ? undefined : SPECIAL_NETWORKS.find((it) => containsAddress(it.prefix, address));
  if (special) {
    report(
      diagnostic('topology/bad-address', at, `${what} is ${value}, but ${special.what} cannot be dialled`, {
        hint: 'use an address that the other clusters can reach, like 203.0.113.10',
      }),
    );
    return false;
  }
  if (numeric ? readAddress(value) !== undefined : DNS_NAME.test(value)) return true;
  const port = /^(.+):(\d+)$/.exec(value);
  report(
    diagnostic('topology/bad-address', at, `${what} is neither an IPv4 address nor a DNS name: "${value}"`, {
      hint: port
        ? `write ${port[1]} here, and set the port in \`port\` or \`dial.port\``
        : 'write an address like 203.0.113.10 or a name like gw.example.net',
    }),
  );
  return false;
}
