import { sortedEntries } from '../../base/core/collections.ts';
import { type PublicKeys, type RecordedPair, UNKNOWN_KEY } from '../../base/core/key-pair.ts';
import { render } from '../../base/text/render.ts';
import type { RecordedAuthentication, RecordedKey } from '../sharing/recorded-inputs.ts';

/** The keys file: sorted, one key per line, so that two pull requests rarely conflict. */
export function printKeysFile({ gateways, authentication }: RecordedKeys): string {
  const clusters = sortedEntries(gateways)
    .filter(([, byPeer]) => byPeer.size > 0)
    .map(([cluster, byPeer]) => ({
      cluster: JSON.stringify(cluster),
      keys: sortedEntries(byPeer).map(([peer, pair]) => ({ peer: JSON.stringify(peer), key: printPair(pair) })),
    }));
  return render('keys/keys-file', {
    clusters,
    hasUnknown: [
      ...authentication.values(),
      ...[...gateways.values()].flatMap((it) => [...it.values()].map(({ key }) => key)),
    ].some((it) => it === UNKNOWN_KEY),
    none: clusters.length === 0,
    consumers: sortedEntries(authentication).map(([cluster, it]) =>
      it === UNKNOWN_KEY ? { cluster: JSON.stringify(cluster), unknown: JSON.stringify(it) } : consumerRow(cluster, it),
    ),
  });
}

/** A text while nothing but the key is recorded, and otherwise a map on the same line. */
function printPair({ key, generation, since, next }: RecordedPair): string {
  const text = JSON.stringify(key);
  const more = [
    ...(generation === 1 ? [] : [`generation: ${generation}`]),
    ...(since === null ? [] : [`since: ${JSON.stringify(since)}`]),
    ...(next === null ? [] : [`next: ${printNext(next)}`]),
  ];
  return more.length === 0 ? text : `{ ${[`key: ${text}`, ...more].join(', ')} }`;
}
const printNext = ({ key, since }: NonNullable<RecordedPair['next']>): string =>
  since === null
    ? `{ key: ${JSON.stringify(key)} }`
    : `{ key: ${JSON.stringify(key)}, since: ${JSON.stringify(since)} }`;

const consumerRow = (cluster: string, { key, slices, providers = new Map() }: RecordedKey) => ({
  cluster: JSON.stringify(cluster),
  publicKey: JSON.stringify(key.publicKey),
  nonce: JSON.stringify(key.nonce),
  signature: JSON.stringify(key.signature),
  request: JSON.stringify(key.request),
  providers: sortedEntries(providers).map(([provider, { nonce, signature }]) => ({
    provider: JSON.stringify(provider),
    nonce: JSON.stringify(nonce),
    signature: JSON.stringify(signature),
  })),
  slices: sortedEntries(slices).map(([slice, request]) => ({
    slice: JSON.stringify(slice),
    request: JSON.stringify(request),
  })),
});

/** The content of a keys file. */
export interface RecordedKeys {
  readonly gateways: PublicKeys;
  readonly authentication: RecordedAuthentication;
}
