import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RecordedKey } from '../../../src/proof/verify/expected/expect-shares.ts';
import {
  certificateProblem,
  consumerSubject,
  isSignatureOf,
  publicKeyOf,
  requestProblem,
  sliceSubject,
} from '../../../src/proof/verify/sharing/prove-key.ts';
import { compiledGolden } from './verify-golden.ts';

const { keys, identities } = compiledGolden('sharing-of-a-hub-with-its-spokes').inputs;
const recorded = keys?.reading.at('authentication').at('rome').plain() as unknown as RecordedKey;
const answer = identities?.reading.at('identities').at('rome').at('milan').at('certificate').scalar()?.value ?? '';
const key = publicKeyOf(recorded.publicKey);
if (!key) throw new Error('the golden has no key');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const proven = (found: KeyObject) => {
  const read = publicKeyOf(base64(found.export({ type: 'spki', format: 'pem' }).toString()));
  if (!read) throw new Error('the key cannot be read');
  return read;
};
const other = proven(generateKeyPairSync('ed25519').publicKey);
/** The end of the signed part of the request. */
const SIGNED_BYTES = 89;

describe('the proof of a key', () => {
  it('reads a key of 32 bytes and one in PEM as the same', () => {
    const pem = `-----BEGIN PUBLIC KEY-----\n${key.spki}\n-----END PUBLIC KEY-----\n`;
    expect(publicKeyOf(base64(pem))).toEqual(key);
    for (const text of ['', 'AAAA', '====', base64('no key'), `${recorded.publicKey} `]) {
      expect(publicKeyOf(text), text).toBeUndefined();
    }
  });

  it('accepts only the signature of the text of the nonce', () => {
    expect(isSignatureOf(recorded, key)).toBe(true);
    expect(isSignatureOf(recorded, other)).toBe(false);
    expect(isSignatureOf({ ...recorded, nonce: `${recorded.nonce}\n` }, key)).toBe(false);
    expect(isSignatureOf({ ...recorded, signature: recorded.signature.replace('d', 'e') }, key)).toBe(false);
    expect(isSignatureOf({ ...recorded, signature: 'no base64' }, key)).toBe(false);
  });

  it.each([
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  ])('accepts keys and signatures of %s', (_, { publicKey, privateKey }) => {
    const signature = sign('sha256', Buffer.from(recorded.nonce), privateKey).toString('base64');
    expect(isSignatureOf({ ...recorded, signature }, proven(publicKey))).toBe(true);
    expect(isSignatureOf({ ...recorded, signature }, other)).toBe(false);
  });

  it('accepts only a request of that key for that name', () => {
    expect(requestProblem(recorded.request, key, consumerSubject('rome'))).toBeUndefined();
    expect(requestProblem(recorded.request, key, consumerSubject('milan'))).toBe('is for "O=liqo.io, CN=rome"');
    expect(requestProblem(recorded.request, other, consumerSubject('rome'))).toBe('is of another key');
    expect(requestProblem('', key, consumerSubject('rome'))).toBe('is no certificate request');
    const twice = base64(`${Buffer.from(recorded.request, 'base64')}\n`);
    expect(requestProblem(twice, key, consumerSubject('rome'))).toBe('is no certificate request');
  });

  it('notices any changed byte of a request', () => {
    const [, text = ''] = Buffer.from(recorded.request, 'base64')
      .toString()
      .split(/-----\n|\n-----/);
    const der = Buffer.from(text, 'base64');
    for (const [i, byte] of der.entries()) {
      const changed = Buffer.from(der);
      changed[i] = byte ^ 1;
      const body = changed.toString('base64').replace(/.{64}/g, '$&\n');
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----\n`;
      const problem = requestProblem(base64(pem), key, consumerSubject('rome'));
      // The algorithm of the signature, which follows from the key, and its number of unused bits.
      const isFree = (i >= SIGNED_BYTES + 2 && i < SIGNED_BYTES + 7) || i === SIGNED_BYTES + 9;
      expect(problem === undefined, `byte ${i}`).toBe(isFree);
    }
  });

  it('names the user of a slice as Liqo does', () => {
    expect(sliceSubject('rome', 'milan')).toEqual({ organization: 'rome', commonName: 'milan-a8a4c692b93b' });
  });

  it('accepts only a certificate for that name, of whatever key', () => {
    expect(certificateProblem(answer, consumerSubject('rome'))).toBeUndefined();
    expect(certificateProblem(answer, consumerSubject('milan'))).toBe('is for "O=liqo.io, CN=rome"');
    const cut = Buffer.from(answer, 'base64')
      .toString()
      .replace(/\n.*\n(?=-----END)/, '\n');
    for (const text of [recorded.request, '', base64('no certificate'), base64(cut)])
      expect(certificateProblem(text, consumerSubject('rome'))).toBe('is no certificate');
  });
});
