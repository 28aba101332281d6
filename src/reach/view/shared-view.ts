import { type Share, type SharedModel, sharingOf } from '../../fleet/sharing/shared-model.ts';

/** What one cluster borrows, lends and offloads. */
export interface SharedView {
  /** By provider, then by slice. */
  readonly borrows: readonly BorrowedSlice[];
  /** By consumer, then by slice. */
  readonly lends: readonly LentSlice[];
  /** By namespace. */
  readonly offloads: readonly OffloadedView[];
}

interface SliceView {
  /** Also the name of the virtual node in the consumer. */
  readonly slice: string;
  readonly class: string;
  /** As they are asked for; the rest is the provider's default. */
  readonly resources: Readonly<Record<string, string>>;
  readonly condition: Share['condition'];
  /**
   * How far the handshake is: `no-key`, the consumer has no authentication key; `unknown-key`, it has one that the keys file
   * does not know; `no-answer`, the answer of the provider is not recorded; `complete`; `credentials`, there is none.
   */
  readonly handshake: 'no-key' | 'unknown-key' | 'no-answer' | 'complete' | 'credentials';
  /** Whether the two have a link; without one, Services do not cross. */
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
  /** Name of the namespace there. */
  readonly remoteName: string;
  readonly pods: 'Local' | 'Remote' | 'LocalAndRemote';
}

/** `undefined` for a cluster that shares nothing. */
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
