import { type Share, type SharedModel, sharingOf } from '../../fleet/sharing/shared-model.ts';

/** Slices that one cluster borrows and lends, and namespaces that it offloads. */
export interface SharedView {
  /** Sorted by provider, then by slice. */
  readonly borrows: readonly BorrowedSlice[];
  /** Sorted by consumer, then by slice. */
  readonly lends: readonly LentSlice[];
  /** Sorted by namespace. */
  readonly offloads: readonly OffloadedView[];
}

interface SliceView {
  /** Name of the slice, and of the virtual node in the consumer. */
  readonly slice: string;
  readonly class: string;
  /** The requested resources; the provider's defaults apply to all others. */
  readonly resources: Readonly<Record<string, string>>;
  readonly condition: Share['condition'];
  /**
   * State of the handshake. `no-key`: the consumer has no authentication key. `unknown-key`: it has a key that is not
   * in the keys file. `no-answer`: the provider's answer is not recorded. `complete`: the answer is recorded.
   * `credentials`: there is no handshake.
   */
  readonly handshake: 'no-key' | 'unknown-key' | 'no-answer' | 'complete' | 'credentials';
  /** True when the two have a link; Services do not cross without one. */
  readonly linked: boolean;
}

export interface BorrowedSlice extends SliceView {
  readonly provider: string;
}

export interface LentSlice extends SliceView {
  readonly consumer: string;
}

interface OffloadedView {
  readonly namespace: string;
  /** By name. */
  readonly providers: readonly string[];
  /** Name of the namespace in the providers. */
  readonly remoteName: string;
  readonly pods: 'Local' | 'Remote' | 'LocalAndRemote';
}

/** Returns `undefined` for a cluster that shares nothing. */
export function sharedView(model: Pick<SharedModel, 'sharing'>, cluster: string): SharedView | undefined {
  const { borrows, lends, offloads } = sharingOf(model, cluster);
  if (borrows.length + lends.length + offloads.length === 0) return undefined;
  return {
    borrows: borrows.flatMap((it) => slicesOf(it).map((slice) => ({ provider: it.provider.name, ...slice }))),
    lends: lends.flatMap((it) => slicesOf(it).map((slice) => ({ consumer: it.consumer.name, ...slice }))),
    offloads: offloads.map(({ namespace, providers, remoteName, pods }) => ({
      namespace,
      providers: providers.map((it) => it.name),
      remoteName,
      pods,
    })),
  };
}

const slicesOf = (share: Share): readonly SliceView[] =>
  share.slices.map((it) => ({
    slice: it.name,
    class: it.class,
    resources: it.resources,
    condition: share.condition,
    handshake: handshakeOf(share),
    linked: share.link !== null,
  }));

function handshakeOf({ auth, key, hasUnknownKey, identity }: Share): SliceView['handshake'] {
  if (auth === 'credentials') return 'credentials';
  if (hasUnknownKey) return 'unknown-key';
  if (key === null) return 'no-key';
  return identity === null ? 'no-answer' : 'complete';
}
