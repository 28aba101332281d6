import { by, movedValues } from '../base/core/collections.ts';
import type { Change } from './change.ts';
import type { RemoteNamespace } from './difference.ts';
import type { Rename } from './find-renames.ts';
import type { Plan } from './plan-changes.ts';

export interface Removal {
  /**
   * `keys`: gateways that lose their key; `moved-keys`: gateways with the former key of another gateway;
   * `authentication`: consumers that lose their authentication key; `namespaces`: namespaces in providers, with their
   * volumes; `links-of-loans`: links between clusters of which one continues to borrow from the other; `lock`: the lock,
   * which is missing although there are bundles.
   */
  readonly what:
    | 'lock'
    | 'clusters'
    | 'links'
    | 'keys'
    | 'moved-keys'
    | 'authentication'
    | 'namespaces'
    | 'links-of-loans';
  /**
   * The names of each removed item: a cluster has one; a link has two, as have a gateway (its cluster and the peer), a
   * namespace (its name and the provider) and a loan (consumer and provider).
   */
  readonly gone: readonly (readonly string[])[];
  readonly of: number;
  /** Removed clusters that resemble new ones, with the names of these. */
  readonly lookalikes?: readonly Rename[];
}

/** A third: above it, a plan is more often a mistake (an emptied file, a wrong branch) than intended. */
export const MAX_REMOVED = 1 / 3;

/**
 * True when too many are removed. One is never too many, unless it is the only one or the limit is zero: people
 * remove one cluster of three on purpose, and a lost file takes more.
 */
export const exceeds = ({ gone, of }: Pick<Removal, 'gone' | 'of'>, maxShare: number): boolean =>
  gone.length > of * maxShare && (gone.length > 1 || gone.length === of || maxShare === 0);

/**
 * Removed clusters or links, when their share is too large. A cluster whose rename is declared is not removed, one that
 * is retired has a line of its own, and links that leave with their cluster are counted with it. Lost keys and keys of another gateway are always reported, because the tunnels of links that stay go down, and so are
 * namespaces of providers, because their volumes cannot be restored.
 */
export function tooMuchRemoved({ changes, size }: Plan, maxShare: number): readonly Removal[] {
  const clusters = changes.flatMap((it) => (it.kind === 'cluster-removed' && !it.wasRetired ? [[it.cluster]] : []));
  const leaving = new Set(
    changes.flatMap((it) => (it.kind === 'cluster-removed' || it.kind === 'cluster-retired' ? [it.cluster] : [])),
  );
  const links = changes.flatMap((it) =>
    it.kind === 'link-removed' && !it.link.ends.some((end) => leaving.has(end)) ? [it.link.ends] : [],
  );
  const keys = changes.flatMap((it) => (it.kind === 'key-removed' ? [[it.cluster, it.peer]] : []));
  const lookalikes = changes.flatMap((it) =>
    it.kind === 'cluster-removed' && it.lookalike !== null ? [{ from: it.cluster, to: it.lookalike }] : [],
  );
  const removals: readonly Removal[] = [
    { what: 'clusters', gone: clusters, of: size.before.clusters, lookalikes },
    { what: 'links', gone: links, of: size.before.links, lookalikes },
  ];
  const inUse: readonly Removal[] = [
    { what: 'keys', gone: keys.toSorted(by((it) => it.join(' '))), of: 2 * size.before.links },
    { what: 'moved-keys', gone: movedKeys(changes), of: 2 * size.before.links },
    ...lostSharing(changes),
  ];
  return [...removals.filter((it) => exceeds(it, maxShare)), ...inUse.filter((it) => it.gone.length > 0)];
}

/** Gateways with the former key of another gateway: they do not have its private half. */
function movedKeys(changes: readonly Change[]): readonly (readonly string[])[] {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const it of changes) {
    if (it.kind === 'key-changed' || it.kind === 'key-rotated' || it.kind === 'key-removed')
      before.set(`${it.cluster} ${it.peer}`, it.from);
    if (it.kind === 'key-changed' || it.kind === 'key-rotated' || it.kind === 'key-added')
      after.set(`${it.cluster} ${it.peer}`, it.to);
  }
  return movedValues(before, after).map((it) => it.split(' '));
}

/** Losses of consumers, which are reported regardless of --max-removed. */
function lostSharing(changes: readonly Change[]): readonly Removal[] {
  const namespaces = deletedNamespaces(changes).map(({ name, provider }) => [name, provider]);
  const loans = changes.flatMap((it) =>
    it.kind === 'node-network-changed' && it.because === 'link-removed' ? [[it.consumer, it.provider]] : [],
  );
  const consumers = changes.flatMap((it) => (it.kind === 'authentication-removed' ? [[it.consumer]] : []));
  return [
    { what: 'namespaces', gone: namespaces, of: namespaces.length },
    { what: 'links-of-loans', gone: loans, of: loans.length },
    { what: 'authentication', gone: consumers, of: consumers.length },
  ];
}

/** A change that may have a list of deleted namespaces. */
interface MayDelete {
  readonly kind: string;
  readonly deleted?: readonly RemoteNamespace[];
}

/** The namespaces of providers that are deleted with everything in them, including volumes. */
export const namespacesDeletedBy = ({ deleted = [] }: MayDelete): readonly RemoteNamespace[] => deleted;

export const deletedNamespaces = (changes: readonly MayDelete[]): readonly RemoteNamespace[] =>
  changes.flatMap(namespacesDeletedBy);
