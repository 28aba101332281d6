import { decodeBase64 } from '../../../base/core/base64.ts';
import { quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { recordedEntries, restoreEntry } from '../recorded-entries.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * A recorded authentication key is the 32 bytes of an Ed25519 key, or a public key in PEM.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export const authenticationKeysAreKeys: SharingRule = function* ({ inputs }) {
  for (const { cluster, publicKey, key } of recordedEntries(inputs)) {
    if (key !== undefined) continue;
    const message = `the authentication key of ${quoted(cluster.value)} ${problemOf(publicKey.value)}`;
    yield diagnostic('keys/not-an-authentication-key', publicKey.at, message, { hint: restoreEntry(cluster.value) });
  }
};

function problemOf(text: string): string {
  const { kind, bytes } = decodeBase64(text);
  if (kind === 'not-base64') return 'is not base64';
  if (kind === 'not-canonical') return 'is not canonical base64';
  return `has ${bytes.length} bytes; it is the 32 bytes of an Ed25519 key, or a public key in PEM`;
}
