import { decodeBase64 } from '../../base/core/encodings.ts';
import { firstPair, type PublicKeys, type RecordedPair, UNKNOWN_KEY } from '../../base/core/key-pair.ts';
import { gatewayKey } from '../../fleet/model/read-keys.ts';
import type { Place } from '../dumps/kubernetes-object.ts';
import type { LiveEnd } from '../facts/links.ts';
import type { LiveFleet } from './finding.ts';
import { generationOf } from './link-entries.ts';

type Keys = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The length of a WireGuard key. */
const KEY_BYTES = 32;

/** A gateway whose key cannot be recorded. */
interface UnusableKey {
  /** The cluster with the PublicKey of a gateway of `of`. */
  readonly holder: string;
  readonly of: string;
  readonly why: 'not-a-key' | 'used-twice';
  readonly place: Place;
}

/** Returns the key pairs of gateways, where `secretName` is the usual name of a Secret of the first generation. */
export function gatewayPairs(live: Pick<LiveFleet, 'links' | 'clusters'>, secretName: string): PublicKeys {
  const ends = live.links.flatMap((it) => it.ends);
  const generations = new Map(ends.map((it) => [gatewayKey(it.cluster, it.remote), generationOf(it, secretName)]));
  const pairOf = (cluster: string, peer: string, key: string): RecordedPair => ({
    ...firstPair(key),
    generation: generations.get(gatewayKey(cluster, peer)) ?? 1,
  });
  return new Map(
    [...gatewayKeys(live).keys].map(([cluster, byPeer]) => [
      cluster,
      new Map([...byPeer].map(([peer, key]) => [peer, pairOf(cluster, peer, key)])),
    ]),
  );
}

/**
 * Returns the public keys of gateways: a cluster's PublicKey of its peer is the key of the peer's gateway for it. If
 * these were not dumped, a gateway can still have a key in a Secret, which is not read; it is then recorded as unknown.
 * So is the key of a gateway in a cluster without a dump, wherever its PublicKey is missing.
 */
export function gatewayKeys({ links, clusters }: Pick<LiveFleet, 'links' | 'clusters'>): {
  readonly keys: Keys;
  readonly unusable: readonly UnusableKey[];
} {
  const keys = new Map<string, Map<string, string>>();
  const used = new Set<string>();
  const unusable: UnusableKey[] = [];
  for (const { ends } of links) {
    for (const { cluster: holder, remote: of, peer, gateway } of ends) {
      const known = keys.get(of) ?? new Map<string, string>();
      keys.set(of, known);
      const inPlace = peer?.publicKeys.find((it) => it.namespace === gateway?.namespace) ?? peer?.publicKeys[0];
      if (inPlace === undefined) {
        const owner = ends.find((it) => it.cluster === of);
        const isShown = clusters.get(holder)?.listed.has('PublicKey.networking.liqo.io') ?? false;
        if (owner !== undefined && (!owner.isDumped || (!isShown && hasKey(owner)))) known.set(holder, UNKNOWN_KEY);
        continue;
      }
      const why = !isKey(inPlace.key) ? 'not-a-key' : used.has(inPlace.key) ? 'used-twice' : null;
      if (why !== null || inPlace.key === null) {
        unusable.push({ holder, of, why: why ?? 'not-a-key', place: inPlace });
        continue;
      }
      used.add(inPlace.key);
      known.set(holder, inPlace.key);
    }
  }
  return { keys, unusable };
}

/** Liqo writes the name of a key Secret into the gateway's status. */
const hasKey = (end: LiveEnd): boolean => end.gateway?.usedSecret != null || (end.peer?.keySecrets ?? []).length > 0;

function isKey(text: string | null): text is string {
  const decoded = decodeBase64(text ?? '');
  return decoded.kind === 'bytes' && decoded.bytes.length === KEY_BYTES && /^[A-Za-z0-9+/]{43}=$/.test(text ?? '');
}
