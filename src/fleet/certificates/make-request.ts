import { type AuthenticationKey, signBytes } from './authentication-key.ts';
import { bytesOfHex } from './bytes.ts';
import { printDer, TAG } from './der.ts';
import { printPem } from './pem.ts';
import { spkiOfRaw } from './public-key.ts';
import { requestBody, type Subject } from './request-body.ts';

/** Ed25519, 1.3.101.112, without parameters. Source: RFC 8410, section 3. */
const ED25519 = printDer(TAG.sequence, printDer(TAG.objectId, bytesOfHex('2b6570')));
/** A bit string begins with how many of its last bits are unused. */
const NO_UNUSED_BITS = 0;

/** A PKCS#10 request as Liqo makes it of the same key, in PEM. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
export function makeRequest(key: AuthenticationKey, subject: Subject): string {
  const body = requestBody(subject, spkiOfRaw(key.publicKey));
  const signature = printDer(TAG.bitString, [NO_UNUSED_BITS], signBytes(key, body));
  return printPem('CERTIFICATE REQUEST', printDer(TAG.sequence, body, ED25519, signature));
}
