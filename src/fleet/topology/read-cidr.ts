import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { overlaps, type Prefix } from '../../base/net/prefix.ts';
import type { SpecialNetwork } from '../../base/net/special-networks.ts';
import { type PrefixProblem, printPrefix, readPrefix } from '../../base/net/text.ts';
import type { Located } from '../../base/source/located.ts';
import { meantNetwork } from './meant-network.ts';
import type { Report } from './report.ts';
import { UNROUTED_NETWORKS, UNUSABLE_NETWORKS } from './special-networks.ts';

/** A network from its text; `undefined` after reporting why not. `what` names the key: `podCIDR of "rome"`. */
function readCidr(text: Located<string>, what: string, report: Report): Located<Prefix> | undefined {
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
        `${what} is an IPv6 network, "${value}"; Liqo connects only IPv4 networks`,
        {
          hint: 'use the IPv4 network of a dual-stack cluster',
        },
      );
    case 'host-bits': {
      const network = printPrefix(problem.network);
      return diagnostic(
        'topology/host-bits',
        at,
        `${what} has host bits set: "${value}" is an address inside ${network}`,
        {
          hint: `write ${network} if you mean that network`,
        },
      );
    }
    case 'no-length':
      return diagnostic('topology/bad-cidr', at, `${what} is an address without a length, "${value}"`, {
        hint: `write a network, like ${value}/16`,
      });
    case 'not-a-cidr': {
      const meant = meantNetwork(value);
      return diagnostic('topology/bad-cidr', at, `${what} is not an IPv4 network: "${value}"`, {
        hint: meant === undefined ? CIDR_HINT : `write ${meant}`,
      });
    }
  }
}

const CIDR_HINT = 'write four numbers from 0 to 255 and a length from 0 to 32, like 10.200.0.0/16';

/** A network in which a cluster has addresses. Like `readCidr`, and also reports networks to which packets cannot be sent. */
export const readOwnCidr = (text: Located<string>, what: string, report: Report): Located<Prefix> | undefined =>
  readUsable(
    text,
    what,
    { special: UNUSABLE_NETWORKS, hint: 'set the network that the cluster was installed with' },
    report,
  );

/** A network that is routed in a cluster, beside its own ones. */
export const readReservedCidr = (text: Located<string>, what: string, report: Report): Located<Prefix> | undefined =>
  readUsable(
    text,
    what,
    { special: UNROUTED_NETWORKS, hint: 'list networks to which the cluster sends packets' },
    report,
  );

/** A network from which the IPAM takes addresses for peers. */
export const readPool = (text: Located<string>, what: string, report: Report): Located<Prefix> | undefined =>
  readUsable(text, what, { special: UNUSABLE_NETWORKS, hint: 'choose a private network, like 10.0.0.0/8' }, report);

interface Usable {
  /** The networks that it must not contain. */
  readonly special: readonly SpecialNetwork[];
  readonly hint: string;
}

function readUsable(
  text: Located<string>,
  what: string,
  { special, hint }: Usable,
  report: Report,
): Located<Prefix> | undefined {
  const read = readCidr(text, what, report);
  const found = read && special.find((it) => overlaps(it.prefix, read.value));
  if (!read || !found) return read;
  report(diagnostic('topology/bad-cidr', text.at, `${what} is ${text.value}, which contains ${found.what}`, { hint }));
  return undefined;
}
