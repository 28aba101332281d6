import type { LinkId } from '../../base/core/link-id.ts';
import { type LockKey, parseLockKey } from '../../base/core/lock-key.ts';
import type { Decisions } from './decisions.ts';
import { EVERY_CLUSTER, type RelockTarget } from './relock-target.ts';

/**
 * Leaves out the decisions of a cluster, or those about one of its peers: its views, the ports of its server ends, its
 * carved blocks. Join numbers stay, so that deciding again follows the order in which links were made.
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
      return key.server === cluster && reaches(key.link, peer);
    case 'view':
      return key.viewer === cluster && reaches(key.link, peer);
  }
}

const reaches = ({ first, second }: LinkId, peer: string | null): boolean =>
  peer === null || first === peer || second === peer;
