import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authenticationKeyOf, spkiOfRaw } from '../../../src/fleet/certificates/authentication-key.ts';
import { type Bytes, bytesOf, bytesOfHex, pemBlocksIn, printPem } from '../../../src/fleet/certificates/bytes.ts';
import {
  checkRequest,
  controlPlaneSubject,
  makeRequest,
  readRequest,
  requestBody,
  sliceSubject,
} from '../../../src/fleet/certificates/certificate-request.ts';
import { printDer, TAG } from '../../../src/fleet/certificates/der.ts';
import { printName } from '../../../src/fleet/certificates/distinguished-name.ts';
import { testKey } from '../../support/test-ca.ts';

const key = testKey('test key of rome');
const spki = spkiOfRaw(key.publicKey);
const subject = controlPlaneSubject('rome');
const good = makeRequest(key, subject);
const goodBytes = pemBlocksIn(good)[0]?.bytes ?? [];

const seeds = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 32, maxLength: 32 });
const names = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$/);

/** A request with another body, signed by the key of rome. */
function signed(body: Bytes): string {
  const signature = bytesOf(sign(null, Uint8Array.from(body), createPrivateKey(key.privateKeyPem)));
  const algorithm = printDer(TAG.sequence, printDer(TAG.objectId, bytesOfHex('2b6570')));
  const bits = printDer(TAG.bitString, [0], signature);
  return printPem('CERTIFICATE REQUEST', printDer(TAG.sequence, body, algorithm, bits));
}

const bodyOf = (attributes: Parameters<typeof printName>[0], more: Bytes = printDer(TAG.attributes)): Bytes =>
  printDer(TAG.sequence, printDer(TAG.integer, [0]), printName(attributes), spki, more);

const O = { type: 'O', value: 'liqo.io' };
const CN = { type: 'CN', value: 'rome' };

describe('a request', () => {
  it('that is made is accepted for its own names and key alone', () => {
    fc.assert(
      fc.property(seeds, names, names, (seed, consumer, slice) => {
        const own = authenticationKeyOf(seed);
        const expected = { spki: spkiOfRaw(own.publicKey), subject: sliceSubject(slice, consumer) };
        const request = makeRequest(own, expected.subject);
        expect(checkRequest({ request, ...expected })).toBeUndefined();
        expect(checkRequest({ request, ...expected, spki })?.kind).toBe('other-key');
        expect(checkRequest({ request, ...expected, subject: controlPlaneSubject(consumer) })?.kind).toBe(
          'other-subject',
        );
      }),
      { numRuns: 50 },
    );
  });

  it('with any other byte is refused, and never breaks the reader', () => {
    for (let at = 0; at < goodBytes.length; at++) {
      for (const change of [0x01, 0x20, 0x80, 0xff]) {
        const bytes = goodBytes.map((it, i) => (i === at ? it ^ change : it));
        const request = printPem('CERTIFICATE REQUEST', bytes);
        expect([at, change, checkRequest({ request, subject, spki })]).not.toEqual([at, change, undefined]);
      }
    }
  });

  it('that is cut off is refused', () => {
    for (let length = 0; length < goodBytes.length; length++) {
      const request = printPem('CERTIFICATE REQUEST', goodBytes.slice(0, length));
      expect(readRequest(request).kind).toBe('unreadable');
    }
  });

  it.each([
    ['nothing', '', 'not-pem'],
    ['a word', 'rome', 'not-pem'],
    ['base64 that is none', good.replace('MIGg', 'MI*g'), 'not-pem'],
    ['a private key', key.privateKeyPem, 'other-block'],
    ['a public key', key.publicKeyPem, 'other-block'],
    ['a request and a space', `${good} `, 'not-alone'],
    ['a request and its private key', good + key.privateKeyPem, 'not-alone'],
    ['two requests', good + good, 'not-alone'],
    ['a request without its last newline', good.trimEnd(), 'not-alone'],
    ['a request with CRLF', good.replace(/\n/g, '\r\n'), 'not-alone'],
    ['a request in one line', good.replace(/(?<=[^-])\n(?=[^-])/g, ''), 'not-alone'],
    ['bytes of another kind', printPem('CERTIFICATE REQUEST', spki), 'not-pkcs10'],
  ])('is not %s', (_, request, why) => {
    expect(checkRequest({ request, subject, spki })).toEqual({ kind: 'unreadable', why });
  });

  it.each([
    ['another cluster', [O, { type: 'CN', value: 'milan' }]],
    ['another organization', [{ type: 'O', value: 'system:masters' }, CN]],
    ['one organization more', [O, { type: 'O', value: 'system:masters' }, CN]],
    ['one organization more at the end', [O, CN, { type: 'O', value: 'system:masters' }]],
    ['one common name more', [O, { type: 'CN', value: 'milan' }, CN]],
    ['the other order', [CN, O]],
    ['no organization', [CN]],
    ['another kind of attribute', [O, CN, { type: '55040b', value: 'unit' }]],
  ])('for %s is for another subject', (_, attributes) => {
    expect(checkRequest({ request: signed(bodyOf(attributes)), subject, spki })).toEqual({
      kind: 'other-subject',
      found: attributes,
    });
  });

  it('with requested extensions, or other text types, has other bytes', () => {
    const utf8 = bodyOf([O, CN]).map((it, i, all) =>
      it === TAG.printableString && all[i + 1] === 4 ? TAG.utf8String : it,
    );
    const extensions = printDer(TAG.attributes, printDer(TAG.sequence));
    expect(signed(bodyOf([O, CN]))).toBe(good);
    expect(utf8).not.toEqual(bodyOf([O, CN]));
    for (const body of [utf8, bodyOf([O, CN], extensions)])
      expect(checkRequest({ request: signed(body), subject, spki })).toEqual({ kind: 'other-bytes' });
  });

  it('with the signature of another key is not signed', () => {
    const other = testKey('test key of milan');
    const [body, by] = [requestBody(subject, spki), requestBody(subject, spkiOfRaw(other.publicKey))];
    const bits = goodBytes.length - 64;
    const foreign = pemBlocksIn(makeRequest(other, subject))[0]?.bytes ?? [];
    expect(by).not.toEqual(body);
    const request = printPem('CERTIFICATE REQUEST', [...goodBytes.slice(0, bits), ...foreign.slice(-64)]);
    expect(checkRequest({ request, subject, spki })).toEqual({ kind: 'not-signed' });
  });
});

describe('requests of adopted keys', () => {
  it.each([
    ['rsa', '2a864886f70d01010b', [5, 0], 'sha256'],
    ['ec', '2a8648ce3d040302', [], 'sha256'],
    ['ec', '2a8648ce3d040303', [], 'sha384'],
  ] as const)('of %s with %s are read and checked', (algorithm, id, parameters, hash) => {
    const { privateKey } =
      algorithm === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const own = bytesOf(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }));
    const body = requestBody(subject, own);
    const printed = (signature: Bytes) =>
      printPem(
        'CERTIFICATE REQUEST',
        printDer(
          TAG.sequence,
          body,
          printDer(TAG.sequence, printDer(TAG.objectId, bytesOfHex(id)), parameters),
          printDer(TAG.bitString, [0], signature),
        ),
      );
    const signature = bytesOf(sign(hash, Uint8Array.from(body), privateKey));
    expect(checkRequest({ request: printed(signature), subject, spki: own })).toBeUndefined();
    const broken = signature.map((it, i) => (i === signature.length - 1 ? it ^ 1 : it));
    expect(checkRequest({ request: printed(broken), subject, spki: own })).toEqual({ kind: 'not-signed' });
    expect(checkRequest({ request: printed([]), subject, spki: own })).toEqual({ kind: 'not-signed' });
  });
});

const openssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!openssl)('OpenSSL (skipped without openssl)', () => {
  it.each([subject, sliceSubject('milan', 'rome'), sliceSubject('a.b-c', 'x')])(
    'reads and verifies $commonName',
    (it) => {
      const { status, stdout, stderr } = spawnSync('openssl', ['req', '-verify', '-noout', '-subject', '-pubkey'], {
        input: makeRequest(key, it),
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([0, expect.stringContaining('verify OK')]);
      expect(stdout).toContain(`O = ${it.organization}, CN = ${it.commonName}`);
      expect(stdout).toContain(key.publicKeyPem);
    },
  );
});
