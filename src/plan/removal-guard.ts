import { by, movedValues } from '../base/core/collections.ts';
import type { Change } from './change.ts';
import type { RemoteNamespace } from './difference.ts';
import type { Rename } from './find-renames.ts';
import type { Plan } from './plan-changes.ts';

export interface Removal {
  /**
   * `keys`: gateways that have no key any more; `moved-keys`: gateways with the key that another gateway had;
   * `authentication`: consumers that have no authentication key any more; `namespaces`: those of providers, with their volumes;
   * `links-of-loans`: links between clusters of which one goes on borrowing from the other.
   */
  readonly what: 'clusters' | 'links' | 'keys' | 'moved-keys' | 'authentication' | 'namespaces' | 'links-of-loans';
  /**
   * The names of each: a cluster has one, a link has two, and so have a gateway (its cluster and the peer), a namespace (its
   * name and the provider) and a loan (consumer and provider).
   */
  readonly gone: readonly (readonly string[])[];
  readonly of: number;
  /** Removed clusters that look like others which are new, and the names of those. */
  readonly lookalikes?: readonly Rename[];
}

/** A third: above it, a plan is more often a mistake (an emptied file, a wrong branch) than intended. */
export const MAX_REMOVED = 1 / 3;

/**
 * Removed clusters or links, if they are more than a share of all; a cluster whose rename is declared is not removed. Always reported are keys
 * that are lost or get to another gateway, because the tunnels of links that stay go down, and namespaces of providers, because
 * nothing brings their volumes back.
 */
export function tooMuchRemoved({ changes, size }: Plan, maxShare: number): readonly Removal[] {
  const clusters = changes.flatMap((it) =>
    it.kind === 'cluster-retired' || (it.kind === 'cluster-removed' && !it.wasRetired) ? [[it.cluster]] : [],
  );
  const links = changes.flatMap((it) => (it.kind === 'link-removed' ? [it.link.ends] : []));
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
  return [...removals.filter((it) => it.gone.length > it.of * maxShare), ...inUse.filter((it) => it.gone.length > 0)];
}

/** Gateways with the key that another one had: they do not have the private half of it. */
function movedKeys(changes: readonly Change[]): readonly (readonly string[])[] {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const it of changes) {
    if (it.kind === 'key-changed' || it.kind === 'key-removed') before.set(`${it.cluster} ${it.peer}`, it.from);
    if (it.kind === 'key-changed' || it.kind === 'key-added') after.set(`${it.cluster} ${it.peer}`, it.to);
  }
  return movedValues(before, after).map((it) => it.split(' '));
}

/** What consumers lose. There is no share of it that is harmless. */
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

/** Some kinds of change have such a list. */
interface MayDelete {
  readonly kind: string;
  readonly deleted?: readonly RemoteNamespace[];
}

/** The namespaces of providers that go with everything in them, volumes too. */
export const namespacesDeletedBy = ({ deleted = [] }: MayDelete): readonly RemoteNamespace[] => deleted;

export const deletedNamespaces = (changes: readonly MayDelete[]): readonly RemoteNamespace[] =>
  changes.flatMap(namespacesDeletedBy);
