import { decodeBase64 } from './base64.ts';

/** A private key in PEM, and one of Ed25519 as base64 of its PKCS#8. Source: RFC 7468, section 10; RFC 8410, section 10.3. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY|MC4CAQAwBQYDK2VwBCIEI/;

/** What base64 makes of the first line of PEM, as far as it may name a private key. */
const ENCODED_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{1,60}/g;

/** Whether a text contains a private key in one of the forms that Kubernetes and Liqo have them in, also as base64. */
export function hasPrivateKey(text: string): boolean {
  if (PRIVATE_KEY.test(text)) return true;
  return (text.match(ENCODED_PEM) ?? []).some((it) => PRIVATE_KEY.test(String.fromCharCode(...decodeBase64(it).bytes)));
}
