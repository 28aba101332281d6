import { groupBy } from '../../../base/core/collections.ts';
import {
  type BlockKind,
  type CidrKind,
  type LinkId,
  type LockKey,
  parseLockKey,
  printLinkId,
  printLockKey,
} from '../../../base/core/lock-key.ts';
import type { Prefix } from '../../../base/net/prefix.ts';
import { readPrintedPrefix } from '../../../base/net/text.ts';
import { type Decisions, decisionAbout } from '../../../fleet/lock/lock.ts';
import type { IdentitiesDocument, KeysDocument } from '../../../fleet/topology/parse-recorded.ts';

/** The decisions of earlier compiles in the lock file. A link is looked up by its two ends, in either order. */
export interface DecidedBefore {
  readonly isEmpty: boolean;
  /** The clusters that have a link or a carved block. */
  readonly clusters: ReadonlySet<string>;
  /** The link's name in the lock, `a/b` or `b/a`; `null` for a link that is new. */
  readonly nameOf: (a: string, b: string) => string | null;
  readonly join: (a: string, b: string) => number | null;
  readonly nudge: (a: string, b: string) => number | null;
  readonly port: (server: string, client: string) => number | null;
  readonly view: (viewer: string, peer: string, kind: CidrKind, cidr: Prefix) => Prefix | null;
  readonly block: (cluster: string, kind: BlockKind) => Prefix | null;
  /** The views that a cluster has of others, by viewer; also of links that were removed. */
  readonly viewsBy: ReadonlyMap<string, readonly { readonly peer: string; readonly seenAs: Prefix }[]>;
}

export function decidedBefore(decisions: Decisions): DecidedBefore {
  const about = (key: LockKey): string | number | null => decisionAbout(decisions, key)?.value ?? null;
  const numberAbout = (key: LockKey): number | null => {
    const value = about(key);
    return typeof value === 'number' ? value : null;
  };
  const link = (first: string, second: string): LinkId => ({ first, second });
  const keys = [...decisions].flatMap(([text, { value }]) => {
    const key = parseLockKey(text);
    return key === undefined ? [] : [{ key, value }];
  });
  const isKnown = (it: LinkId): boolean => decisions.has(printLockKey({ kind: 'join', link: it }));
  return {
    isEmpty: decisions.size === 0,
    clusters: clustersIn(keys.map((it) => it.key)),
    nameOf: (a, b) => [link(a, b), link(b, a)].filter(isKnown).map(printLinkId)[0] ?? null,
    join: (a, b) => numberAbout({ kind: 'join', link: link(a, b) }),
    nudge: (a, b) => numberAbout({ kind: 'nudge', link: link(a, b) }),
    port: (server, client) => numberAbout({ kind: 'port', link: link(server, client), server }),
    view: (viewer, peer, role, cidr) =>
      recordedNetwork(about({ kind: 'view', link: link(viewer, peer), viewer, role, cidr })),
    block: (cluster, block) => recordedNetwork(about({ kind: 'block', cluster, block })),
    viewsBy: groupBy(
      keys.flatMap(({ key, value }) => {
        const seenAs = key.kind === 'view' ? recordedNetwork(value) : null;
        if (key.kind !== 'view' || seenAs === null) return [];
        const { first, second } = key.link;
        return [{ viewer: key.viewer, peer: key.viewer === first ? second : first, seenAs }];
      }),
      (it) => [it.viewer],
    ),
  };
}

const recordedNetwork = (value: string | number | null): Prefix | null =>
  readPrintedPrefix(String(value ?? '')) ?? null;

function clustersIn(keys: readonly LockKey[]): ReadonlySet<string> {
  const names = keys.flatMap((it) => {
    if (it.kind === 'block') return [it.cluster];
    return it.kind === 'join' ? [it.link.first, it.link.second] : [];
  });
  return new Set(names);
}

export interface RecordedKeyPair {
  /** `null` while the keys file has no entry, and `unknown` for a key that the gateway has and the file does not contain. */
  readonly key: string | null;
  /** The suffixes of names for the pair in use and for the next one: none, `-2`. `null` without a next one. */
  readonly suffix: string;
  readonly nextSuffix: string | null;
}

/** The key pair of a cluster's own gateway towards a peer. */
export function keyPairsIn(document: KeysDocument | undefined): (cluster: string, peer: string) => RecordedKeyPair {
  const suffixOf = (generation: number): string => (generation > 1 ? `-${generation}` : '');
  return (cluster, peer) => {
    const entry = document?.reading.at('keys').at(cluster).at(peer);
    const text = entry?.scalar()?.value;
    if (!entry?.isPresent || text !== undefined) return { key: text ?? null, suffix: '', nextSuffix: null };
    const generation = entry.at('generation').scalar()?.value ?? 1;
    return {
      key: entry.at('key').scalar()?.value ?? null,
      suffix: suffixOf(generation),
      nextSuffix: entry.at('next').isPresent ? suffixOf(generation + 1) : null,
    };
  };
}

/** The entry of a consumer in the keys file. */
export function keysOfConsumers(document: KeysDocument | undefined) {
  return (consumer: string, provider: string) => {
    const found = document?.reading.at('authentication').at(consumer);
    // A text replaces a key that exists but is unknown here.
    if (!found?.isPresent || found.scalar() !== undefined) return null;
    // A provider may have a nonce of its own, with its signature.
    const own = found.at('providers').at(provider);
    const text = (key: 'publicKey' | 'nonce' | 'signature' | 'request'): string => found.at(key).scalar()?.value ?? '';
    return {
      publicKey: text('publicKey'),
      nonce: own.at('nonce').scalar()?.value ?? text('nonce'),
      signature: own.at('signature').scalar()?.value ?? text('signature'),
      request: text('request'),
      slices: found.at('slices').textMap(),
    };
  };
}

/** A provider's answer in the identities file. */
export function answersOfProviders(document: IdentitiesDocument | undefined) {
  return (consumer: string, provider: string) => {
    const found = document?.reading.at('identities').at(consumer).at(provider);
    if (!found?.isPresent) return null;
    return {
      apiServer: found.at('apiServer').scalar()?.value ?? '',
      ca: found.at('ca').scalar()?.value ?? null,
      certificate: found.at('certificate').scalar()?.value ?? '',
      proxyURL: found.at('proxyURL').scalar()?.value ?? null,
    };
  };
}
