import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeBase64, utf8Bytes } from '../../../src/base/core/encodings.ts';
import { compile } from '../../../src/compile.ts';
import { authenticationKeyOf, signNonce } from '../../../src/fleet/certificates/authentication-key.ts';
import { bytesOf, bytesOfHex, pemBlocksIn, printPem } from '../../../src/fleet/certificates/bytes.ts';
import { controlPlaneSubject, requestBody } from '../../../src/fleet/certificates/certificate-request.ts';
import { printDer, TAG } from '../../../src/fleet/certificates/der.ts';
import { makeAuthentication } from '../../../src/fleet/keys/generate-keys.ts';
import { printKeysFile } from '../../../src/fleet/keys/keys-file.ts';
import { type RecordedKey, readAuthentication } from '../../../src/fleet/sharing/recorded-inputs.ts';
import { parseKeys } from '../../../src/fleet/topology/parse-recorded.ts';
import { testKey } from '../../support/test-ca.ts';

const TOPOLOGY = `version: 1
name: europe
hub: rome
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16 }
sharing:
  - { consumer: rome, provider: milan }
`;

/** Numbers instead of chance, another one for each cluster. */
const madeOf = (cluster: string, slices: readonly string[] = []): RecordedKey =>
  makeAuthentication({ cluster, slices }, (count) => Array(count).fill(cluster.length)).recorded;

const rome = madeOf('rome', ['milan-slice', 'gone']);

/** The diagnostics of compile for these entries as `code: message`, without remarks about other things. */
function said(entries: Readonly<Record<string, RecordedKey>>, version = '1.2'): readonly string[] {
  const text = printKeysFile({ gateways: new Map(), authentication: new Map(Object.entries(entries)) });
  const topology = { path: 'topology.yaml', text: `${TOPOLOGY}liqo: { version: "${version}" }\n` };
  const keys = { path: 'topology.keys.yaml', text };
  const { diagnostics } = compile({ topology, keys, lock: undefined }, { relock: [], only: null });
  return diagnostics
    .filter((it) => it.code.startsWith('keys/') && it.code !== 'keys/missing')
    .map((it) => `${it.code.slice('keys/'.length)}: ${it.message}`);
}

const base64 = (text: string): string => encodeBase64(utf8Bytes(text));
const decoded = (text: string): string => Buffer.from(text, 'base64').toString('latin1');
const withKey = (more: Partial<RecordedKey['key']>): RecordedKey => ({ ...rome, key: { ...rome.key, ...more } });
const requestOfSize = (pem: string, change: (bytes: readonly number[]) => readonly number[]): string =>
  base64(printPem('CERTIFICATE REQUEST', change(pemBlocksIn(pem)[0]?.bytes ?? [])));

describe('what is recorded of authentication keys', () => {
  it('may have another nonce for one provider, which the same key has signed', () => {
    const signedBy = (cluster: string) => {
      const { nonce } = madeOf('capri').key;
      const key = authenticationKeyOf(Array(32).fill(cluster.length));
      return { providers: new Map([['milan', { nonce, signature: encodeBase64(signNonce(key, nonce)) }]]) };
    };
    expect(said({ rome: { ...rome, ...signedBy('rome') } })).toEqual([]);
    expect(said({ rome: { ...rome, ...signedBy('venice') } })).toEqual([
      'wrong-signature: the signature of "rome" for "milan" is not that of its nonce by its key, so "milan" refuses it',
    ]);
    const printed = (it: RecordedKey) =>
      printKeysFile({ gateways: new Map(), authentication: new Map([['rome', it]]) });
    const parsed = parseKeys({ path: 'a.keys.yaml', text: printed({ ...rome, ...signedBy('rome') }) });
    expect(parsed.ok && readAuthentication(parsed.value).get('rome')).toEqual({ ...rome, ...signedBy('rome') });
    expect(said({ rome: { ...rome, providers: new Map([['milna', rome.key]]) } })).toEqual([
      'unknown-cluster: no cluster is called "milna"',
    ]);
  });

  it('is accepted as it was made, with the key as 32 bytes or in PEM, and for slices that are gone', () => {
    expect(said({ rome })).toEqual([]);
    const pem = printPem('PUBLIC KEY', [
      ...bytesOfHex('302a300506032b6570032100'),
      ...bytesOf(Buffer.from(rome.key.publicKey, 'base64')),
    ]);
    expect(said({ rome: withKey({ publicKey: base64(pem) }) })).toEqual([]);
    expect(said({ rome: withKey({ publicKey: base64(pem) }) }, '1.0.1')).toEqual([
      expect.stringMatching(
        /^refused-by-release: the authentication key of "rome" is in PEM, and Liqo 1\.0\.1 in "milan"/,
      ),
    ]);
  });

  it.each([
    ['a nonce of the same length', { nonce: madeOf('milan').key.nonce }, 'wrong-signature'],
    ['a nonce with another last character', { nonce: `${rome.key.nonce.slice(0, -1)}A` }, 'wrong-signature'],
    ['a signature that is too short', { signature: rome.key.signature.slice(0, 4) }, 'wrong-signature'],
    ['no canonical base64', { signature: `${rome.key.signature.slice(0, -3)}/==` }, 'wrong-signature'],
    ['a request with a line after it', { request: base64(`${decoded(rome.key.request)}\n`) }, 'wrong-request'],
    [
      'a request with another signature',
      { request: requestOfSize(decoded(rome.key.request), (it) => [...it.slice(0, -1), (it.at(-1) ?? 0) ^ 1]) },
      'wrong-request',
    ],
    [
      'bytes that are no request',
      { request: requestOfSize(decoded(rome.key.request), (it) => it.slice(1)) },
      'wrong-request',
    ],
    ['the request of a slice', { request: rome.slices.get('milan-slice') ?? '' }, 'wrong-request'],
    ['a key of 31 bytes', { publicKey: encodeBase64(Array(31).fill(1)) }, 'not-an-authentication-key'],
    ['a key that is not canonical', { publicKey: rome.key.publicKey.replace('=', '') }, 'not-an-authentication-key'],
  ])('is refused with %s, once', (_, more, code) => {
    expect(said({ rome: withKey(more) })).toEqual([expect.stringMatching(new RegExp(`^${code}: `))]);
  });

  it('is refused for another key once, not once for each thing that it signed', () => {
    const { publicKey } = madeOf('turin').key;
    expect(said({ rome: withKey({ publicKey }) })).toEqual([
      'wrong-request: the certificate request of "rome" is for another key than the one that is recorded here',
    ]);
  });

  it('is refused for a slice and for a cluster that do not borrow, too', () => {
    const gone = rome.slices.get('milan-slice') ?? '';
    expect(said({ rome: { ...rome, slices: new Map([['gone', gone]]) } })).toEqual([
      expect.stringMatching(
        /^wrong-request: the certificate request of slice "gone" of "rome" is for O=rome, CN=milan-slice-/,
      ),
    ]);
    expect(said({ rome, milan: withKey({}) })).toEqual([
      'wrong-request: the certificate request of "milan" is for O=liqo.io, CN=rome; it must be for O=liqo.io, CN=milan',
      expect.stringMatching(/^wrong-request: the certificate request of slice "gone" of "milan"/),
      expect.stringMatching(/^wrong-request: the certificate request of slice "milan-slice" of "milan"/),
      'authentication-used-twice: "milan" and "rome" have the same authentication key',
    ]);
  });

  it('may be of an RSA key, as Liqo makes them for compatibility, but not with 1.0.0', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const spki = bytesOf(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }));
    const body = requestBody(controlPlaneSubject('rome'), spki);
    const signed = (bytes: readonly number[]) => bytesOf(sign('sha256', Uint8Array.from(bytes), privateKey));
    const algorithm = bytesOfHex('300d06092a864886f70d01010b0500');
    const request = printDer(TAG.sequence, body, algorithm, printDer(TAG.bitString, [0], signed(body)));
    const adopted: RecordedKey = {
      key: {
        publicKey: base64(printPem('PUBLIC KEY', spki)),
        nonce: rome.key.nonce,
        signature: encodeBase64(signed(utf8Bytes(rome.key.nonce))),
        request: base64(printPem('CERTIFICATE REQUEST', request)),
      },
      slices: new Map(),
    };
    expect(said({ rome: adopted })).toEqual([]);
    expect(said({ rome: adopted }, '1.0.0')).toEqual([expect.stringMatching(/^refused-by-release/)]);
    expect(said({ rome: { ...adopted, key: { ...adopted.key, signature: rome.key.signature } } })).toEqual([
      expect.stringMatching(/^wrong-signature/),
    ]);
  });

  it('is never the private half in the identities file either', () => {
    const answer = { apiServer: 'https://milan.example:6443', certificate: base64(testKey('x').privateKeyPem) };
    const text = JSON.stringify({ version: 1, identities: { rome: { milan: answer } } });
    const sources = { topology: { path: 'topology.yaml', text: TOPOLOGY }, keys: undefined, lock: undefined };
    const identities = { path: 'topology.identities.yaml', text };
    const { diagnostics } = compile({ ...sources, identities }, { relock: [], only: null });
    const found = diagnostics.filter((it) => it.severity === 'error');
    expect(found.map((it) => [it.code, it.span.source])).toEqual([
      ['keys/private-key', { path: 'topology.identities.yaml', text: '' }],
    ]);
  });

  it('may be any text: what it is not is said, and nothing breaks', () => {
    const text = fc.oneof(
      fc.base64String(),
      fc.stringMatching(/^[A-Za-z0-9+/]{0,60}={0,2}$/),
      fc.uint8Array({ maxLength: 90 }).map((it) => base64(printPem('CERTIFICATE REQUEST', [...it]))),
      fc.uint8Array({ maxLength: 90 }).map((it) => base64(printPem('PUBLIC KEY', [...it]))),
      fc.constantFrom(...Object.values(rome.key), ...rome.slices.values()),
    );
    const key = fc.record({ publicKey: text, nonce: text, signature: text, request: text });
    fc.assert(
      fc.property(key, text, (it, slice) => {
        const found = said({ rome: { key: it, slices: new Map([['milan-slice', slice]]) } });
        const isAsMade = Object.entries(rome.key).every(([name, value]) => it[name as keyof typeof it] === value);
        if (!isAsMade) expect(found).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['PEM', testKey('x').privateKeyPem],
    ['base64 of PEM', base64(testKey('x').privateKeyPem)],
    ['PKCS#8 without PEM', encodeBase64(pemBlocksIn(testKey('x').privateKeyPem)[0]?.bytes ?? [])],
    ['an older form', base64('-----BEGIN RSA PRIVATE KEY-----\nMIIE\n')],
    ['a form of OpenSSH', base64('-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n')],
  ])('never contains a private key, and no line of it is shown: %s', (_, secret) => {
    const text = `version: 1\nkeys: {}\nauthentication:\n  rome: { publicKey: ${JSON.stringify(secret)}, nonce: a, signature: b, request: c }\n`;
    const sources = { topology: { path: 'topology.yaml', text: TOPOLOGY }, lock: undefined };
    const outcome = compile({ ...sources, keys: { path: 'topology.keys.yaml', text } }, { relock: [], only: null });
    expect(
      outcome.diagnostics.filter((it) => it.code.startsWith('keys/')).map((it) => [it.code, it.span.source.text]),
    ).toEqual([['keys/private-key', '']]);
  });
});
