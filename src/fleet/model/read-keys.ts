import { addAll } from '../../base/core/collections.ts';
import { decodeBase64 } from '../../base/core/encodings.ts';
import { firstPair, type RecordedPair, UNKNOWN_KEY } from '../../base/core/key-pair.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Located, Span } from '../../base/source/source.ts';
import { gatewayKeysIn, type KeysDocument } from '../topology/parse-recorded.ts';
import type { LinkEnd } from './network-model.ts';

/** A WireGuard public key has 32 bytes. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/publickeys_controller.go. */
const KEY_BYTES = 32;

interface ReadKeys {
  /** The recorded keys, by `gatewayKey`, including those of the next generation. */
  readonly recorded: ReadonlyMap<string, readonly Located<string>[]>;
  /** The key of the gateway of one cluster towards a peer. */
  readonly keyOf: (cluster: string, peer: string) => Pick<LinkEnd, 'publicKey' | 'hasUnknownKey' | 'keyPair'>;
  readonly found: readonly Diagnostic[];
}

/** The identity of the gateway of one cluster towards a peer. */
export const gatewayKey = (cluster: string, peer: string): string => `${cluster}/${peer}`;

/** The public keys of every gateway, and diagnostics for texts that are not keys. */
export function readKeys(document: KeysDocument | undefined): ReadKeys {
  const found: Diagnostic[] = [];
  const recorded = new Map<string, Located<string>[]>();
  const pairs = new Map<string, RecordedPair>();
  for (const { cluster, peer, pair, at, nextAt } of gatewayKeysIn(document)) {
    const gateway = gatewayKey(cluster.value, peer.value);
    const texts = [
      ...(pair.key === UNKNOWN_KEY ? [] : [{ value: pair.key, at }]),
      ...(pair.next === null || nextAt === null ? [] : [{ value: pair.next.key, at: nextAt }]),
    ];
    const faults = texts.flatMap((it) => {
      const what = it.at === nextAt ? 'the next key' : 'the key';
      return keyFault(it, () => `${what} of "${cluster.value}" towards "${peer.value}"`) ?? [];
    });
    addAll(found, faults);
    if (faults.length > 0) continue;
    pairs.set(gateway, pair);
    recorded.set(gateway, texts);
  }
  const keyOf: ReadKeys['keyOf'] = (cluster, peer) => {
    const keyPair = pairs.get(gatewayKey(cluster, peer));
    const hasUnknownKey = keyPair?.key === UNKNOWN_KEY;
    return {
      publicKey: hasUnknownKey ? null : (keyPair?.key ?? null),
      hasUnknownKey,
      keyPair: keyPair ?? NO_PAIR,
    };
  };
  return { recorded, keyOf, found };
}

/** A gateway without a recorded key. */
const NO_PAIR = firstPair('');

/**
 * The error about a text that is no key; `whose` begins the sentence. Only canonical base64 is valid, which is what
 * Liqo writes.
 */
export function keyFault({ value, at }: Located<string>, whose: () => string): Diagnostic | undefined {
  const { kind, bytes } = decodeBase64(value);
  if (kind === 'bytes' && bytes.length === KEY_BYTES)
    return isOfLowOrder(bytes) ? lowOrder(bytes, at, whose()) : undefined;
  const is =
    kind === 'not-base64'
      ? 'is not base64'
      : bytes.length === KEY_BYTES
        ? 'is not canonical base64'
        : `has ${bytes.length} bytes`;
  return diagnostic('keys/not-32-bytes', at, `${whose()} ${is}; a WireGuard key has ${KEY_BYTES} bytes`, {
    hint: 'paste the output of "wg pubkey": 44 characters that end in "="',
  });
}

function lowOrder(bytes: readonly number[], at: Span, whose: string): Diagnostic {
  const is = bytes.every((it) => it === 0) ? 'is all zeros' : 'is a point of low order';
  return diagnostic('keys/low-order', at, `${whose} ${is}, so WireGuard refuses every handshake with it`, {
    hint: 'remove the entry and run "weft keys generate", or paste the output of "wg pubkey" of the gateway\'s own key',
  });
}

/**
 * The points of low order of Curve25519, as 32 bytes in hexadecimal. A shared secret with one of them is zero for any
 * private key, so WireGuard refuses the handshake. The highest bit is not part of the number. Source: RFC 7748, section
 * 6.1; D. J. Bernstein, https://cr.yp.to/ecdh.html#validate.
 */
const LOW_ORDER: readonly (readonly number[])[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map((it) => Array.from({ length: 32 }, (_, i) => Number.parseInt(it.slice(2 * i, 2 * i + 2), 16)));

/** Index of the byte with the highest bit. */
const LAST_BYTE = 31;

/** True for a public key with which no tunnel connects. `bytes` are the 32 bytes of the key. */
export function isOfLowOrder(bytes: readonly number[]): boolean {
  return LOW_ORDER.some((point) =>
    point.every((it, i) => it === (i === LAST_BYTE ? (bytes[i] ?? 0) & 0x7f : bytes[i])),
  );
}
