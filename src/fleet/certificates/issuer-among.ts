import type { Certificate } from './read-certificate.ts';

/**
 * Whether one of these CAs issued a certificate.
 *
 * `other-issuer` is no mistake by itself: the CA that an API server shows to its clients may be another one than the CA that
 * signs for clients, as in k3s. `wrong-signature` is one: the certificate names a CA of these, and that CA did not sign it.
 */
export function issuerAmong(
  { parsed }: Certificate,
  authorities: readonly Certificate[],
): 'issued' | 'other-issuer' | 'wrong-signature' {
  const named = authorities.filter((it) => parsed.checkIssued(it.parsed));
  if (named.length === 0) return 'other-issuer';
  return named.some((it) => parsed.verify(it.parsed.publicKey)) ? 'issued' : 'wrong-signature';
}
