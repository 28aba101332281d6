import type { Prefix } from '../net/prefix.ts';
import { printPrefix, readPrintedPrefix } from '../net/text.ts';

/** The CIDRs that a cluster announces to a peer. */
export type CidrKind = 'pod' | 'external';

/** The CIDRs of a cluster for which weft carves a block. */
export type BlockKind = 'external' | 'internal';

/**
 * The subject of a decision in the lock. The printed key starts with the name of a cluster that is new to the lock, so
 * that the lines of a new cluster are adjacent: two pull requests rarely conflict, and then in one place only.
 */
export type LockKey =
  /** `rome/external`: the carved block of a cluster. */
  { readonly kind: 'block'; readonly cluster: string; readonly block: BlockKind } | LinkLockKey;

/** A key that starts with the identity of a link. */
export type LinkLockKey =
  /** `rome/europe/join`: the position of a link in the join order. */
  | { readonly kind: 'join'; readonly link: LinkId }
  /** `rome/europe/nudge`: the number of times that the client end was made to connect again. */
  | { readonly kind: 'nudge'; readonly link: LinkId }
  /** `rome/europe/port/europe`: the node port or service port of the end that serves the link. */
  | { readonly kind: 'port'; readonly link: LinkId; readonly server: string }
  /** `rome/europe/view/rome/pod/10.0.0.0/16`: the network as which `viewer` sees a CIDR of the link's other end. */
  | {
      readonly kind: 'view';
      readonly link: LinkId;
      readonly viewer: string;
      readonly role: CidrKind;
      readonly cidr: Prefix;
    };

export function printLockKey(key: LockKey): string {
  switch (key.kind) {
    case 'block':
      return `${key.cluster}/${key.block}`;
    case 'join':
    case 'nudge':
      return `${printLinkId(key.link)}/${key.kind}`;
    case 'port':
      return `${printLinkId(key.link)}/port/${key.server}`;
    case 'view':
      return `${printLinkId(key.link)}/view/${key.viewer}/${key.role}/${printPrefix(key.cidr)}`;
  }
}

/** Parses a key; `undefined` for a text that `printLockKey` never prints. */
export function parseLockKey(text: string): LockKey | undefined {
  const [, cluster, block] = BLOCK.exec(text) ?? [];
  if (cluster !== undefined) return { kind: 'block', cluster, block: block === 'external' ? 'external' : 'internal' };
  const [, first, second, counter, server, viewer, role, cidr] = LINK.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const link = { first, second };
  if (server !== undefined) return { kind: 'port', link, server };
  if (viewer === undefined || cidr === undefined) return { kind: counter === 'nudge' ? 'nudge' : 'join', link };
  const network = readPrintedPrefix(cidr);
  if (network === undefined) return undefined;
  return { kind: 'view', link, viewer, role: role === 'pod' ? 'pod' : 'external', cidr: network };
}

/** The text at the position of the network in the key of a view, valid or not; `undefined` for other keys. */
export const networkTextOf = (text: string): string | undefined => LINK.exec(text)?.[7];

// A cluster may be called `join`, `nudge`, `port`, `view`, `pod` or `external`, so the kinds differ in their number of parts.
const BLOCK = /^([a-z0-9-]+)\/(external|internal)$/;
const LINK =
  /^([a-z0-9-]+)\/([a-z0-9-]+)\/(?:(join|nudge)|port\/([a-z0-9-]+)|view\/([a-z0-9-]+)\/(pod|external)\/([^/]*\/[^/]*))$/;

/**
 * The identity of a link, `rome/europe`: its two clusters in the order that the lock file records. Two clusters have at
 * most one link, so `rome/europe` and `europe/rome` are two identities of the same link.
 */
export interface LinkId {
  readonly first: string;
  readonly second: string;
}

export const printLinkId = ({ first, second }: LinkId): string => `${first}/${second}`;

/** The other identity of the same link. */
export const reverseLinkId = ({ first, second }: LinkId): LinkId => ({ first: second, second: first });

export const printLockLine = (key: string, value: string | number): string => `  ${key}: ${value}`;

/** The different lines of a lock that have the indentation of decisions. */
export const decisionLines = (lock: string): ReadonlySet<string> =>
  new Set(lock.split('\n').filter((it) => it.startsWith('  ')));

/**
 * The decisions in lines of a lock by printed key, without positions and without checks: `lock/` reads the same text
 * and reports errors in it. Lines in another form than that of `printLockLine` are left out.
 */
export function parseLockLines(lines: Iterable<string>): ReadonlyMap<string, string> {
  const decisions = new Map<string, string>();
  for (const line of lines) {
    const [, key, value] = DECISION_LINE.exec(line) ?? [];
    if (key !== undefined && value !== undefined) decisions.set(key, value);
  }
  return decisions;
}

// Git may have written `\r\n`.
const DECISION_LINE = /^ {2}([^\s:]+): (\S+)\r?$/;

/** The value of `--relock CLUSTER[/PEER]`: all decisions of a cluster, or those about one of its peers. */
export interface RelockTarget {
  readonly cluster: string;
  readonly peer: string | null;
}

/** `--relock all`: every cluster, unless one has that name. */
export const EVERY_CLUSTER = 'all';

/** The text to type after `--relock`. */
export const printRelockTarget = ({ cluster, peer }: RelockTarget): string =>
  peer === null ? cluster : `${cluster}/${peer}`;

/**
 * Reads a target; `undefined` for a text that is neither one name nor two. Another function checks that the clusters
 * exist.
 */
export function parseRelockTarget(text: string): RelockTarget | undefined {
  const [, cluster, peer] = /^([^/]+)(?:\/([^/]+))?$/.exec(text) ?? [];
  return cluster === undefined ? undefined : { cluster, peer: peer ?? null };
}
