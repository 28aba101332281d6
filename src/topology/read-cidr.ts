import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { containsAddress, overlaps, type Prefix } from '../net/prefix.ts';
import { looksLikeIPv6, type PrefixProblem, prefixOf, printPrefix, readAddress, readPrefix } from '../net/text.ts';
import type { Located } from '../source/located.ts';

/** Where diagnostics go while texts are read: reading goes on, so that one run reports them all. */
export type Report = (found: Diagnostic) => void;

/** A network from its text; `undefined` after reporting why not. `what` names the key: `podCIDR of "rome"`. */
export function readCidr(text: Located<string>, what: string, report: Report): Located<Prefix> | undefined {
  const reading = readPrefix(text.value);
  if (reading.ok) return { value: reading.prefix, at: text.at };
  report(cidrDiagnostic(text, what, reading.problem));
  return undefined;
}

function cidrDiagnostic({ value, at }: Located<string>, what: string, problem: PrefixProblem): Diagnostic {
  switch (problem.kind) {
    case 'ipv6':
      return diagnostic(
        'topology/ipv6',
        at,
        `${what} is an IPv6 network, "${value}"; Liqo connects IPv4 networks only`,
        {
          hint: 'give the IPv4 network of a dual-stack cluster',
        },
      );
    case 'host-bits': {
      const network = printPrefix(problem.network);
      return diagnostic(
        'topology/host-bits',
        at,
        `${what} has host bits set: "${value}" is an address inside ${network}`,
        {
          hint: `write ${network}, if that is the network you mean`,
        },
      );
    }
    case 'no-length':
      return diagnostic('topology/bad-cidr', at, `${what} is an address without a length, "${value}"`, {
        hint: `write a network, like ${value}/16`,
      });
    case 'not-a-cidr':
      return diagnostic('topology/bad-cidr', at, `${what} is not an IPv4 network: "${value}"`, {
        hint: 'write four numbers from 0 to 255 and a length from 0 to 32, like 10.200.0.0/16',
      });
  }
}

/** Networks that no cluster can have. Source of the tunnel's: liqotech/liqo@v1.2.0 pkg/gateway/tunnel. */
const SPECIAL: readonly { readonly prefix: Prefix; readonly what: string }[] = [
  { prefix: prefixOf('0.0.0.0/8'), what: 'addresses that mean "this host"' },
  { prefix: prefixOf('127.0.0.0/8'), what: 'loopback addresses' },
  { prefix: prefixOf('169.254.18.0/24'), what: 'the addresses inside every tunnel of Liqo' },
  { prefix: prefixOf('224.0.0.0/4'), what: 'multicast addresses' },
  { prefix: prefixOf('240.0.0.0/4'), what: 'addresses that nobody routes' },
];

/** A network of a cluster: like `readCidr`, and none that packets cannot be sent to. */
export function readOwnCidr(text: Located<string>, what: string, report: Report): Located<Prefix> | undefined {
  const read = readCidr(text, what, report);
  const special = read && SPECIAL.find((it) => overlaps(it.prefix, read.value));
  if (!read || !special) return read;
  report(
    diagnostic('topology/bad-cidr', text.at, `${what} is ${text.value}, which holds ${special.what}`, {
      hint: 'give the network that the cluster was installed with',
    }),
  );
  return undefined;
}

const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;

/** An IPv4 address or a DNS name, as a gateway can dial it. True when it is one; reports why not. */
export function checkDialAddress(text: Located<string>, what: string, report: Report): boolean {
  const { value, at } = text;
  if (looksLikeIPv6(value)) {
    report(
      diagnostic('topology/ipv6', at, `${what} is an IPv6 address, "${value}"; weft compiles IPv4 tunnels only`, {
        hint: 'give an IPv4 address or a DNS name that resolves to one',
      }),
    );
    return false;
  }
  const numeric = /^[\d.]+$/.test(value);
  const address = numeric ? readAddress(value) : undefined;
  const special = address === undefined ? undefined : SPECIAL.find((it) => containsAddress(it.prefix, address));
  if (special) {
    report(
      diagnostic('topology/bad-address', at, `${what} is ${value}, and ${special.what} cannot be dialled`, {
        hint: 'give an address that the other clusters can reach, like 203.0.113.10',
      }),
    );
    return false;
  }
  if (numeric ? readAddress(value) !== undefined : DNS_NAME.test(value)) return true;
  const port = /^(.+):(\d+)$/.exec(value);
  report(
    diagnostic('topology/bad-address', at, `${what} is neither an IPv4 address nor a DNS name: "${value}"`, {
      hint: port
        ? `write ${port[1]} here; the port goes into \`port\` or \`dial.port\``
        : 'like 203.0.113.10 or gw.example.net',
    }),
  );
  return false;
}
