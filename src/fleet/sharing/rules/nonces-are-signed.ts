import { decodeBase64 } from '../../../base/core/base64.ts';
import { quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { areEqual } from '../../certificates/bytes.ts';
import { verifyNonce } from '../../certificates/nonce.ts';
import type { PublicKey } from '../../certificates/public-key.ts';
import type { ReadRequest } from '../../certificates/read-request.ts';
import { recordedEntries, restoreEntry } from '../recorded-entries.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * A recorded signature is that of the recorded nonce by the recorded key: a provider refuses any other one, and does not look
 * again until the Tenant changes.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go.
 */
export const noncesAreSigned: SharingRule = function* ({ inputs }) {
  for (const { cluster, key, signed, requests } of recordedEntries(inputs)) {
    // An entry whose request is for another key has the wrong key, and says so once.
    if (key === undefined || isForAnotherKey(requests[0]?.read, key)) continue;
    for (const { provider, nonce, signature } of signed) {
      const { kind, bytes } = decodeBase64(signature.value);
      const verdict =
        kind === 'bytes' ? verifyNonce({ publicKey: key, nonce: nonce.value, signature: bytes }) : 'wrong';
      if (verdict !== 'wrong') continue;
      const [whose, who] =
        provider === null
          ? [quoted(cluster.value), 'every provider']
          : [`${quoted(cluster.value)} for ${quoted(provider)}`, quoted(provider)];
      const message = `the signature of ${whose} is not that of its nonce by its key, so ${who} refuses it`;
      yield diagnostic('keys/wrong-signature', signature.at, message, {
        hint: restoreEntry(cluster.value),
        related: [{ message: 'the nonce', span: nonce.at }],
      });
    }
  }
};

const isForAnotherKey = (read: ReadRequest | undefined, { spki }: PublicKey): boolean =>
  read?.kind === 'request' && !areEqual(read.request.publicKey.spki, spki);
