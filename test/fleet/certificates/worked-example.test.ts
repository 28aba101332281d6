import { describe, expect, it } from 'vitest';
import { encodeBase64, utf8Bytes } from '../../../src/base/core/encodings.ts';
import {
  NONCE_BYTES,
  nonceOf,
  rawOf,
  readPublicKey,
  SEED_BYTES,
  signNonce,
  spkiOfRaw,
  verifyNonce,
} from '../../../src/fleet/certificates/authentication-key.ts';
import { bytesOf, bytesOfHex, hexOf, pemBlocksIn } from '../../../src/fleet/certificates/bytes.ts';
import {
  checkRequest,
  controlPlaneSubject,
  makeRequest,
  sliceSubject,
} from '../../../src/fleet/certificates/certificate-request.ts';
import { testKey } from '../../support/test-ca.ts';
import { WORKED_EXAMPLE as LIQO } from './worked-example.ts';

const key = testKey('test key of rome');
const spki = spkiOfRaw(key.publicKey);
const requests = [
  ['control plane', controlPlaneSubject('rome'), LIQO.controlPlaneCsrPem, LIQO.controlPlaneCsrDerHex],
  ['slice', sliceSubject('milan', 'rome'), LIQO.sliceCsrPem, LIQO.sliceCsrDerHex],
] as const;

describe('bytes of authentication, as the code of Liqo made them', () => {
  it('both halves of the key', () => {
    expect(key.privateKeyPem).toBe(LIQO.privateKeyPKCS8Pem);
    expect(key.publicKeyPem).toBe(LIQO.publicKeySpkiPem);
    expect(bytesOfHex(LIQO.seedHex)).toHaveLength(SEED_BYTES);
    expect(hexOf(key.publicKey)).toBe(LIQO.publicKeyRawHex);
    expect(hexOf(spki)).toBe(LIQO.publicKeySpkiHex);
    expect(encodeBase64(key.publicKey)).toBe(LIQO.publicKeyRawBase64);
  });

  it('the signature of the nonce, which is of its text', () => {
    const signature = signNonce(key, LIQO.nonce);
    expect(hexOf(signature)).toBe(LIQO.signatureHex);
    expect(encodeBase64(signature)).toBe(LIQO.signatureBase64);
    expect(encodeBase64(utf8Bytes(LIQO.nonce))).toBe(LIQO.nonceBase64InSecret);
  });

  it('the form of a nonce', () => {
    const random = bytesOf(Buffer.from(LIQO.nonce, 'base64'));
    expect([random.length, nonceOf(random)]).toEqual([NONCE_BYTES, LIQO.nonce]);
  });

  it.each(requests)('the request of the %s', (_, subject, pem, hex) => {
    expect(makeRequest(key, subject)).toBe(pem);
    expect(hexOf(pemBlocksIn(pem)[0]?.bytes ?? [])).toBe(hex);
  });

  it('the user of the slice', () => {
    expect(sliceSubject('milan', 'rome').commonName).toBe(LIQO.sliceCommonName);
    expect(sliceSubject('rome', 'milan').commonName).toBe('rome-efee614420c5');
  });
});

describe('checks accept what the code of Liqo made', () => {
  it.each(requests)('the request of the %s', (_, subject, request) => {
    expect(checkRequest({ request, subject, spki })).toBeUndefined();
  });

  it.each([
    ['raw', key.publicKey],
    ['pem', utf8Bytes(LIQO.publicKeySpkiPem)],
  ] as const)('the signature, with the public key as %s', (form, bytes) => {
    const publicKey = readPublicKey(bytes);
    if (publicKey === undefined) throw new Error('not read');
    expect([publicKey.form, hexOf(rawOf(publicKey) ?? [])]).toEqual([form, LIQO.publicKeyRawHex]);
    const signature = bytesOfHex(LIQO.signatureHex);
    expect(verifyNonce({ publicKey, nonce: LIQO.nonce, signature })).toBe('valid');
    const decoded = String.fromCharCode(...bytesOf(Buffer.from(LIQO.nonce, 'base64')));
    expect(verifyNonce({ publicKey, nonce: decoded, signature })).toBe('wrong');
    expect(verifyNonce({ publicKey, nonce: LIQO.nonce, signature: signature.slice(1) })).toBe('wrong');
  });
});
