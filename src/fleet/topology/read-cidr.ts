import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { overlaps, type Prefix, prefixAround } from '../../base/net/prefix.ts';
import { LINK_LOCAL, NEVER_ROUTED, type SpecialNetwork } from '../../base/net/special-networks.ts';
import {
  type PrefixProblem,
  prefixOf,
  printPrefix,
  readAddress,
  readNetmask,
  readPrefix,
  readRange,
} from '../../base/net/text.ts';
import { DEFAULT_POOLS } from '../../base/releases/install-defaults.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located, Span } from '../../base/source/source.ts';
import type { Report } from './report.ts';

/** Reads a network; `undefined` if it is invalid, which is reported. `what` names the key: `podCIDR of "rome"`. */
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
      const letter = meantNetwork(value) === undefined ? null : /[oOlI]/.exec(value);
      const has = letter === null ? '' : ` has the letter "${letter[0]}" for a digit`;
      return diagnostic('topology/bad-cidr', at, `${what} is not an IPv4 network: "${value}"${has}`, {
        hint: otherTextHint(value, what) ?? CIDR_HINT,
      });
    }
  }
}

/** The hint for a network in another form, several in one text, and `auto` where there is none. */
function otherTextHint(value: string, what: string): string | undefined {
  const meant = meantNetwork(value);
  if (meant !== undefined) return `write ${meant}`;
  if (/^auto/i.test(value))
    return /^(external|internal)CIDR/.test(what)
      ? 'write auto'
      : 'write the network that the cluster was installed with: only `externalCIDR` and `internalCIDR` can be `auto`';
  const several = value.split(/[\s,;]+/);
  return several.length > 1 && several.every((it) => readPrefix(it).ok)
    ? `write a list: [${several.join(', ')}]`
    : undefined;
}

const CIDR_HINT = 'write four numbers from 0 to 255 and a length from 0 to 32, like 10.200.0.0/16';

/** Reads a network of a cluster. Like `readCidr`, and also reports networks to which packets cannot be sent. */
export const readOwnCidr = (text: Located<string>, what: string, report: Report): Located<Prefix> | undefined =>
  readUsable(
    text,
    what,
    { special: UNUSABLE_NETWORKS, hint: 'set the network that the cluster was installed with' },
    report,
  );

/** Reads a network that is routed in a cluster besides its own ones. */
export const readReservedCidr = (text: Located<string>, what: string, report: Report): Located<Prefix> | undefined =>
  readUsable(
    text,
    what,
    { special: UNROUTED_NETWORKS, hint: 'list networks to which the cluster sends packets' },
    report,
  );

/** Reads a network from which the IPAM assigns addresses to peers. */
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

/** In the order in which the IPAM tries them. */
const POOLS = DEFAULT_POOLS.map(prefixOf);

interface PoolsText {
  readonly pools: Reading<string[]>;
  /** The place of the default pools in diagnostics. */
  readonly otherwiseAt: Span;
  readonly what: string;
  /** Pools that the platform needs after the default ones. */
  readonly more?: readonly string[];
}

/**
 * The pools of the topology, or Liqo's defaults. If every listed pool is invalid, the defaults are used, so that no
 * rule reports networks outside the pools.
 */
export function readPools(
  { pools, otherwiseAt, what, more = [] }: PoolsText,
  report: Report,
): readonly Located<Prefix>[] {
  const texts = pools.texts();
  const listed = texts?.map((it) => readPool(it, what, report)).filter((it) => it !== undefined) ?? [];
  const noneIsListed = texts?.length === 0;
  if (listed.length > 0 || noneIsListed) return listed;
  return [...POOLS, ...more.map(prefixOf)].map((value) => ({ value, at: otherwiseAt }));
}

/**
 * Guesses the network of an invalid CIDR: with a netmask, as a range of addresses, without its last zeros, with zeros in front
 * of numbers, with another slash, or with letters that look like digits. `undefined` for anything else.
 */
export function meantNetwork(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/o/gi, '0')
    .replace(/[lI]/g, '1')
    .replace(/ *[\\/|] */, '/')
    .replace(/(^|\.)0+(?=\d)/g, '$1');
  const network = withMask(digits) ?? ofRange(digits) ?? plainNetwork(withZeros(digits));
  return network === undefined ? undefined : printPrefix(network);
}

/** `10.202.0.0/255.255.0.0`. */
function withMask(text: string): Prefix | undefined {
  const [, first = '', second = ''] = /^([\d.]+) *[/ ] *([\d.]+)$/.exec(text) ?? [];
  const [address, length] = [readAddress(first), readNetmask(second)];
  return address === undefined || length === undefined ? undefined : prefixAround(address, length);
}

/** `10.202.0.0-10.202.255.255`, if it is exactly one network. */
function ofRange(text: string): Prefix | undefined {
  const [, first = '', second = ''] = /^([\d.]+) *(?:-|\.\.\.?) *(\d[\d.]+)$/.exec(text) ?? [];
  return readRange(first, second);
}

/** `10.202/16`. */
const withZeros = (text: string): string =>
  text.replace(/^(\d+(?:\.\d+){0,2})(?=\/\d+$)/, (octets) => [...octets.split('.'), 0, 0, 0].slice(0, 4).join('.'));

function plainNetwork(text: string): Prefix | undefined {
  const reading = readPrefix(text);
  if (reading.ok) return reading.prefix;
  return reading.problem.kind === 'host-bits' ? reading.problem.network : undefined;
}

/** Networks that no cluster can route. Source of the tunnel's: liqotech/liqo@v1.2.0 pkg/gateway/tunnel. */
const UNROUTED_NETWORKS: readonly SpecialNetwork[] = [
  ...NEVER_ROUTED,
  { prefix: prefixOf('169.254.18.0/24'), what: 'the addresses inside every tunnel of Liqo' },
];

/** Includes the link-local addresses, which a cluster may reserve because its nodes have some. */
export const UNUSABLE_NETWORKS: readonly SpecialNetwork[] = [...UNROUTED_NETWORKS, LINK_LOCAL];
