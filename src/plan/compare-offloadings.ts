import { groupBy } from '../base/core/group-by.ts';
import { sortedUnique } from '../base/core/order.ts';
import type { Difference, RemoteNamespace } from './difference.ts';
import { remoteNamespaces } from './remote-namespaces.ts';
import { type OffloadingState, type SharingState, shareOf } from './sharing-state.ts';

/** @param gone the namespaces of providers that there are no more afterwards */
export function* compareOffloadings(
  before: SharingState,
  after: SharingState,
  gone: readonly RemoteNamespace[],
): Iterable<Difference> {
  const byNamespace = (list: readonly RemoteNamespace[]) => groupBy(list, (it) => [shareOf(it.cluster, it.namespace)]);
  const [remote, deleted] = [byNamespace(remoteNamespaces(before)), byNamespace(gone)];
  for (const key of sortedUnique([...before.offloadings.keys(), ...after.offloadings.keys()])) {
    const [was, is] = [before.offloadings.get(key), after.offloadings.get(key)];
    const around = { before, after, remote: remote.get(key) ?? [], gone: deleted.get(key) ?? [] };
    if (was && is) yield* compareOffloading(was, is, around);
    else if (was) {
      yield { kind: 'namespace-withdrawn', ...nameOf(was), providers: was.providers, deleted: around.gone };
    } else if (is) {
      yield { kind: 'namespace-offloaded', ...nameOf(is), providers: is.providers, remoteName: is.remoteName };
    }
  }
}

const nameOf = ({ cluster, namespace }: OffloadingState) => ({ cluster, namespace });

interface Around {
  readonly before: SharingState;
  readonly after: SharingState;
  /** The namespaces of providers that there were for this one, and those of them that go. */
  readonly remote: readonly RemoteNamespace[];
  readonly gone: readonly RemoteNamespace[];
}

function* compareOffloading(was: OffloadingState, is: OffloadingState, around: Around): Iterable<Difference> {
  const name = nameOf(is);
  const isRenamed = was.mapping !== is.mapping || was.remoteName !== is.remoteName;
  // Both fields are fixed, so the object is made again even where another strategy gives the same name.
  if (isRenamed) {
    const [from, to] = [was, is].map((it) => ({ mapping: it.mapping, name: it.remoteName }));
    if (from && to) yield { kind: 'remote-name-changed', ...name, from, to, deleted: around.remote };
  }
  // A provider that lends nothing any more, or only from now on, is part of that change.
  const shares = ({ shares: all }: SharingState, it: string): boolean => all.has(shareOf(was.cluster, it));
  const removed = was.providers.filter((it) => !is.providers.includes(it) && shares(around.after, it));
  const added = is.providers.filter((it) => !was.providers.includes(it) && shares(around.before, it));
  if (removed.length + added.length > 0) {
    const deleted = isRenamed ? [] : around.gone.filter((it) => removed.includes(it.provider));
    yield { kind: 'providers-changed', ...name, added, removed, deleted };
  }
  if (was.pods !== is.pods) yield { kind: 'pods-changed', ...name, from: was.pods, to: is.pods };
  if (was.isCreated !== is.isCreated) yield { kind: 'namespace-owner-changed', ...name, isCreated: is.isCreated };
}
