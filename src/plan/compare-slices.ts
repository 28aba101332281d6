import type { Difference, RemoteNamespace, SliceName } from './difference.ts';
import { remoteNamespaces } from './remote-namespaces.ts';
import { type ShareState, type SharingState, type SliceState, shareOf } from './sharing-state.ts';

/** The slices of a pair that shares before and afterwards. */
export function* compareSlices(was: ShareState, is: ShareState, around: Around): Iterable<Difference> {
  const { consumer, provider } = is;
  const [old, now] = [byName(was), byName(is)];
  const removed = was.slices.filter((it) => !now.has(it.name));
  // The last virtual node of a pair takes the namespaces of the provider with it, and new ones exist only later.
  const isReplaced = removed.length > 0 && removed.length === was.slices.length;
  const deleted = isReplaced ? namespacesThatStay(is, around) : [];
  for (const [index, { name: slice }] of removed.entries()) {
    const itsOwn = index === 0 ? deleted : [];
    yield { kind: 'slice-removed', consumer, provider, slice, isReplaced, deleted: itsOwn };
  }
  // Requests of another key are part of that change.
  const isSameKey = was.tenant?.publicKey === is.tenant?.publicKey;
  for (const it of is.slices) {
    const earlier = old.get(it.name);
    const name = { consumer, provider, slice: it.name };
    if (earlier === undefined) yield { kind: 'slice-added', ...name, resources: it.resources };
    else yield* compareSlice(earlier, it, name, isSameKey);
  }
}

interface Around {
  readonly before: SharingState;
  readonly after: SharingState;
}

/** The namespaces of a pair that nothing else deletes: they are made again, and empty. */
function namespacesThatStay({ consumer, provider }: ShareState, { before, after }: Around): readonly RemoteNamespace[] {
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
