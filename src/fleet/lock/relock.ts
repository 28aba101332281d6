import { type LinkId, type LockKey, parseLockKey } from '../../base/core/lock-key.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import type { Decisions } from './decisions.ts';

/**
 * Leaves out the decisions of a cluster, or those about one of its peers: its views, the ports of its server ends, its
 * carved blocks. Join numbers stay, so that new decisions follow the order in which links were created.
 *
 * @param clusters the names in the topology.
 */
export function forget(decisions: Decisions, targets: readonly RelockTarget[], clusters: readonly string[]): Decisions {
  if (targets.length === 0) return decisions;
  if (targets.some((it) => it.cluster === EVERY_CLUSTER && it.peer === null) && !clusters.includes(EVERY_CLUSTER))
    return new Map([...decisions].filter(([key]) => parseLockKey(key)?.kind === 'join'));
  const isForgotten = (text: string): boolean => {
    const key = parseLockKey(text);
    return key !== undefined && targets.some((it) => concerns(key, it));
  };
  return new Map([...decisions].filter(([key]) => !isForgotten(key)));
}

function concerns(key: LockKey, { cluster, peer }: RelockTarget): boolean {
  switch (key.kind) {
    case 'block':
      return key.cluster === cluster && peer === null;
    case 'join':
      return false;
    case 'port':
      return key.server === cluster && reachesPeer(key.link, peer);
    case 'view':
      return key.viewer === cluster && reachesPeer(key.link, peer);
  }
}

const reachesPeer = ({ first, second }: LinkId, peer: string | null): boolean =>
  peer === null || first === peer || second === peer;

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

/** Two decisions that contradict each other. The relock target is the cluster of the later decision, and its peer. */
interface Contradiction extends RelockTarget {
  /** A message with the two decisions. */
  readonly message: string;
  readonly later: Span;
  readonly earlier: { readonly message: string; readonly span: Span };
}

/** Two decisions of the lock that contradict each other: a merge kept both. */
export function contradiction({ message, later, earlier, ...relockTarget }: Contradiction): Diagnostic {
  const target = printRelockTarget(relockTarget);
  return diagnostic('lock/contradiction', later, message, {
    hint: `two branches decided this separately; run "weft compile --relock ${target}" to decide it again`,
    related: [earlier],
  });
}
