import { decodeBase64 } from '../core/base64.ts';
import type { Place } from '../observed/observed-cluster.ts';
import type { LiveLink } from './live-link.ts';

type Keys = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Bytes of a key of WireGuard. */
const KEY_BYTES = 32;

/** A gateway whose key cannot be written down. */
interface UnusableKey {
  /** The cluster that holds the PublicKey, for a gateway of `of`. */
  readonly holder: string;
  readonly of: string;
  readonly why: 'not-a-key' | 'used-twice';
  /** The PublicKey. */
  readonly place: Place;
}

/** Public keys of gateways: the key that a cluster holds of its peer is the one of the peer's gateway towards it. */
export function gatewayKeys(links: readonly LiveLink[]): {
  readonly keys: Keys;
  readonly unusable: readonly UnusableKey[];
} {
  const keys = new Map<string, Map<string, string>>();
  const used = new Set<string>();
  const unusable: UnusableKey[] = [];
  for (const { ends } of links) {
    for (const { cluster: holder, remote: of, peer, gateway } of ends) {
      const inPlace = peer?.publicKeys.find((it) => it.namespace === gateway?.namespace) ?? peer?.publicKeys[0];
      if (inPlace === undefined) continue;
      const why = !isKey(inPlace.key) ? 'not-a-key' : used.has(inPlace.key) ? 'used-twice' : null;
      if (why !== null || inPlace.key === null) {
        unusable.push({ holder, of, why: why ?? 'not-a-key', place: inPlace });
        continue;
      }
      used.add(inPlace.key);
      keys.set(of, (keys.get(of) ?? new Map<string, string>()).set(holder, inPlace.key));
    }
  }
  return { keys, unusable };
}

function isKey(text: string | null): text is string {
  const decoded = decodeBase64(text ?? '');
  return decoded.kind === 'bytes' && decoded.bytes.length === KEY_BYTES && /^[A-Za-z0-9+/]{43}=$/.test(text ?? '');
}
