import { groupBy, sortedUnique } from '../base/core/collections.ts';
import type { Difference, RemoteNamespace, SliceName } from './difference.ts';
import { type OffloadingState, type ShareState, type SharingState, type SliceState, shareOf } from './sharing-state.ts';

/** @param gone the namespaces of providers that no longer exist afterwards */
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
      yield { kind: 'namespace-withdrawn', ...namespaceNameOf(was), providers: was.providers, deleted: around.gone };
    } else if (is) {
      yield { kind: 'namespace-offloaded', ...namespaceNameOf(is), providers: is.providers, remoteName: is.remoteName };
    }
  }
}

const namespaceNameOf = ({ cluster, namespace }: OffloadingState) => ({ cluster, namespace });

interface Around {
  readonly before: SharingState;
  readonly after: SharingState;
  /** The namespaces in providers for this one, and the removed ones among them. */
  readonly remote: readonly RemoteNamespace[];
  readonly gone: readonly RemoteNamespace[];
}

function* compareOffloading(was: OffloadingState, is: OffloadingState, around: Around): Iterable<Difference> {
  const name = namespaceNameOf(is);
  const isRenamed = was.mapping !== is.mapping || was.remoteName !== is.remoteName;
  // Both fields are immutable, so the object is created again even when another strategy results in the same name.
  if (isRenamed) {
    const [from, to] = [was, is].map((it) => ({ mapping: it.mapping, name: it.remoteName }));
    if (from && to) yield { kind: 'remote-name-changed', ...name, from, to, deleted: around.remote };
  }
  // A provider that starts or stops lending is part of that change.
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

/** Compares the slices of a pair that shares before and afterwards. */
export function* compareSlices(was: ShareState, is: ShareState, around: AroundSlices): Iterable<Difference> {
  const { consumer, provider } = is;
  const [old, now] = [byName(was), byName(is)];
  const removed = was.slices.filter((it) => !now.has(it.name));
  // The namespaces in the provider are deleted with the last virtual node of a pair, and new ones are created only
  // later.
  const isReplaced = removed.length > 0 && removed.length === was.slices.length;
  const deleted = isReplaced ? namespacesThatStay(is, around) : [];
  for (const [index, { name: slice }] of removed.entries()) {
    const itsOwn = index === 0 ? deleted : [];
    yield { kind: 'slice-removed', consumer, provider, slice, isReplaced, deleted: itsOwn };
  }
  // Requests for another key are part of that change.
  const isSameKey = was.tenant?.publicKey === is.tenant?.publicKey;
  for (const it of is.slices) {
    const earlier = old.get(it.name);
    const name = { consumer, provider, slice: it.name };
    if (earlier === undefined) yield { kind: 'slice-added', ...name, resources: it.resources };
    else yield* compareSlice(earlier, it, name, isSameKey);
  }
}

interface AroundSlices {
  readonly before: SharingState;
  readonly after: SharingState;
}

/** The namespaces of a pair that no other change deletes: they are created again, empty. */
function namespacesThatStay(
  { consumer, provider }: ShareState,
  { before, after }: AroundSlices,
): readonly RemoteNamespace[] {
  const ofPair = (it: RemoteNamespace): boolean => it.cluster === consumer && it.provider === provider;
  const left = new Set(
    remoteNamespaces(after)
      .filter(ofPair)
      .map((it) => it.namespace),
  );
  return remoteNamespaces(before).filter((it) => {
    if (!ofPair(it) || !left.has(it.namespace)) return false;
    const [was, is] = [before, after].map(({ offloadings }) => offloadings.get(shareOf(consumer, it.namespace)));
    return was?.mapping === is?.mapping && was?.remoteName === is?.remoteName;
  });
}

const byName = ({ slices }: ShareState): ReadonlyMap<string, SliceState> => new Map(slices.map((it) => [it.name, it]));

function* compareSlice(was: SliceState, is: SliceState, name: SliceName, isSameKey: boolean): Iterable<Difference> {
  if (JSON.stringify(was.resources) !== JSON.stringify(is.resources)) {
    yield { kind: 'resources-changed', ...name, from: was.resources, to: is.resources };
  }
  if (was.class !== is.class) yield { kind: 'class-changed', ...name, from: was.class, to: is.class };
  if (JSON.stringify(was.node) !== JSON.stringify(is.node)) {
    yield { kind: 'node-changed', ...name, from: was.node, to: is.node };
  }
  if (isSameKey && was.request !== is.request)
    yield { kind: 'request-changed', ...name, from: was.request, to: is.request };
}

/**
 * The namespaces that Liqo has created in providers; none when the provider is drained, and none when the files contain
 * neither half of the handshake.
 */
export function remoteNamespaces({ shares, offloadings }: SharingState): readonly RemoteNamespace[] {
  return [...offloadings.values()].flatMap(({ cluster, namespace, providers, remoteName: name }) =>
    providers.flatMap((provider): readonly RemoteNamespace[] => {
      const share = shares.get(shareOf(cluster, provider));
      const isDrained = share?.tenant?.condition === 'Drained';
      const isConnected = share !== undefined && (share.tenant !== null || share.identity !== null);
      return isConnected && !isDrained ? [{ cluster, namespace, provider, name }] : [];
    }),
  );
}
