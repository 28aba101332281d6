import { decodeBase64 } from '../core/base64.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { Located } from '../source/located.ts';
import type { KeysDocument } from '../topology/keys-document.ts';

/** A WireGuard public key has 32 bytes. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/publickeys_controller.go. */
const KEY_BYTES = 32;

interface ReadKeys {
  /** The recorded keys, by `gatewayKey`. */
  readonly recorded: ReadonlyMap<string, Located<string>>;
  /** The key of the gateway of one cluster towards a peer; `null` when there is none. */
  readonly keyOf: (cluster: string, peer: string) => string | null;
  readonly found: readonly Diagnostic[];
}

/** The identity of the gateway of one cluster towards a peer. */
export const gatewayKey = (cluster: string, peer: string): string => `${cluster}/${peer}`;

/** The public keys of every gateway, and diagnostics for texts that are not keys. */
export function readKeys(document: KeysDocument | undefined): ReadKeys {
  const found: Diagnostic[] = [];
  const recorded = new Map<string, Located<string>>();
  for (const [cluster, peer, text] of entriesOf(document)) {
    const bytes = decode(text.value);
    if (typeof bytes === 'string') {
      found.push(
        diagnostic(
          'keys/not-32-bytes',
          text.at,
          `the key of "${cluster}" towards "${peer}" ${bytes}; a WireGuard key has ${KEY_BYTES} bytes`,
          {
            hint: 'paste the output of "wg pubkey": 44 characters that end in "="',
          },
        ),
      );
    } else recorded.set(gatewayKey(cluster, peer), text);
  }
  const keyOf = (cluster: string, peer: string): string | null =>
    recorded.get(gatewayKey(cluster, peer))?.value ?? null;
  return { recorded, keyOf, found };
}

function* entriesOf(document: KeysDocument | undefined): Iterable<readonly [string, string, Located<string>]> {
  for (const { name: cluster, value: peers } of document?.reading.at('keys').entries() ?? []) {
    for (const { name: peer, value } of peers.scalars()) yield [cluster.value, peer.value, value];
  }
}

/** The decoded length, or what is wrong, as the predicate of a sentence. Only canonical base64 is valid, which is what Liqo writes. */
function decode(text: string): number | string {
  const { kind, bytes } = decodeBase64(text);
  if (kind === 'not-base64') return 'is not base64';
  if (bytes.length !== KEY_BYTES) return `has ${bytes.length} bytes`;
  return kind === 'bytes' ? bytes.length : 'is not canonical base64';
}
