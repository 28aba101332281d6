import { decodeBase64 } from '../../base/core/encodings.ts';
import { UNKNOWN_KEY } from '../../base/core/unknown-key.ts';
import type { Place } from '../dumps/kubernetes-object.ts';
import type { LiveEnd } from '../facts/links.ts';
import type { LiveFleet } from './finding.ts';

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

/**
 * Public keys of gateways: the key that a cluster holds of its peer is the one of the peer's gateway towards it. Where the
 * PublicKeys of that cluster were not dumped, the gateway has its key all the same, in a Secret that is not read.
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
        const isShown = clusters.get(holder)?.listed.has('PublicKey.networking.liqo.io') ?? false;
        if (!isShown && hasKey(ends.find((it) => it.cluster === of))) known.set(holder, UNKNOWN_KEY);
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

/** Liqo names the Secret in the status of the gateway once it has one. Of a cluster that was not dumped nothing shows it. */
const hasKey = (end: LiveEnd | undefined): boolean =>
  end !== undefined && (!end.isDumped || end.gateway?.usedSecret != null || (end.peer?.keySecrets ?? []).length > 0);

function isKey(text: string | null): text is string {
  const decoded = decodeBase64(text ?? '');
  return decoded.kind === 'bytes' && decoded.bytes.length === KEY_BYTES && /^[A-Za-z0-9+/]{43}=$/.test(text ?? '');
}
