import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeBase64, utf8Bytes } from '../../../src/base/core/encodings.ts';
import { pemBlocksIn, printPem } from '../../../src/fleet/certificates/bytes.ts';
import {
  type Certificate,
  certificatesIn,
  issuerAmong,
  readCertificates,
} from '../../../src/fleet/certificates/certificate.ts';
import { controlPlaneSubject, makeRequest } from '../../../src/fleet/certificates/certificate-request.ts';
import { printDer } from '../../../src/fleet/certificates/der.ts';
import { valuesOf } from '../../../src/fleet/certificates/distinguished-name.ts';
import { TestCa, testKey } from '../../support/test-ca.ts';

const key = testKey('test key of rome');
const request = makeRequest(key, controlPlaneSubject('rome'));

function read(text: string): readonly [Certificate, ...Certificate[]] {
  const found = readCertificates(text);
  if (found.kind !== 'certificates') throw new Error(found.why);
  return found.certificates;
}

/** The answers of OpenSSL about a certificate and a CA. */
function openssl(text: string, authority: string) {
  try {
    const [own, theirs] = [new X509Certificate(text), new X509Certificate(authority)];
    const issued = own.verify(theirs.publicKey) ? 'issued' : 'wrong-signature';
    return { serial: own.serialNumber.toLowerCase(), issued: own.checkIssued(theirs) ? issued : 'other-issuer' };
  } catch {
    return undefined;
  }
}

describe.each(['ed25519', 'rsa', 'ec'] as const)('a certificate of a CA with a key of %s', (keys) => {
  const ca = new TestCa('milan', keys);
  const authority = ca.pem;
  const answer = ca.answer(request, { notAfter: '20270101120000Z' });

  it('is read', () => {
    const [certificate] = read(answer);
    expect(certificate).toMatchObject({ notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T12:00:00Z' });
    expect([valuesOf(certificate.subject, 'O'), valuesOf(certificate.subject, 'CN')]).toEqual([['liqo.io'], ['rome']]);
    expect(certificate.publicKey?.pem).toBe(key.publicKeyPem);
    expect(read(authority)[0].publicKey?.key.algorithm).toBe(keys);
  });

  it('is of this CA, wherever that is in a bundle, and whatever follows it', () => {
    const bundle = `# of milan\n${new TestCa('turin').pem}\n# older\n${new TestCa('oslo', 'ec').pem}${authority}`;
    for (const text of [authority, bundle, `${authority}\0\0`])
      expect(issuerAmong(read(answer)[0], read(text))).toBe('issued');
  });

  it('is not of another CA, and not of one that only has the same name', () => {
    const [certificate] = read(answer);
    expect(issuerAmong(certificate, read(new TestCa('turin').pem))).toBe('other-issuer');
    const bytes = pemBlocksIn(answer)[0]?.bytes ?? [];
    const broken = printPem('CERTIFICATE', [...bytes.slice(0, -1), (bytes.at(-1) ?? 0) ^ 1]);
    expect(issuerAmong(read(broken)[0], read(authority))).toBe('wrong-signature');
    // The one for Ed25519 has the same key every time.
    const sameName = read(new TestCa('milan', keys).pem);
    expect(issuerAmong(certificate, sameName)).toBe(keys === 'ed25519' ? 'issued' : 'wrong-signature');
    expect(issuerAmong(certificate, [...sameName, ...read(authority)])).toBe('issued');
    expect(issuerAmong(certificate, [])).toBe('other-issuer');
  });

  it('with another byte is not of this CA, never breaks the reader, and is never read where OpenSSL reads none', () => {
    const bytes = pemBlocksIn(answer)[0]?.bytes ?? [];
    for (let at = 0; at < bytes.length; at += keys === 'ed25519' ? 1 : 7) {
      for (const change of [0x01, 0x02, 0x11, 0x20, 0x80]) {
        const changed = printPem(
          'CERTIFICATE',
          bytes.map((it, i) => (i === at ? it ^ change : it)),
        );
        const found = readCertificates(changed);
        if (found.kind !== 'certificates') continue;
        const issued = issuerAmong(found.certificates[0], read(authority));
        const theirs = openssl(changed, authority);
        expect([at, change, issued, theirs?.issued]).not.toEqual([at, change, 'issued', expect.anything()]);
        expect([at, change, theirs?.serial.replace('-', '')]).not.toEqual([at, change, undefined]);
      }
    }
  });
});

describe('the issuer of a certificate', () => {
  const ca = new TestCa('milan', 'ec');
  const again = new TestCa('milan', 'ec');
  const keyId = printDer(0x80, ca.keyId);
  const [serial, otherSerial] = [printDer(0x82, [1]), printDer(0x82, [2])];
  it.each([
    ['its CA', ca.answer(request), ca.pem, 'issued'],
    ['its CA by the key', ca.answer(request, { authority: [keyId] }), ca.pem, 'issued'],
    ['its CA by key and serial number', ca.answer(request, { authority: [keyId, serial] }), ca.pem, 'issued'],
    ['no CA with another serial number', ca.answer(request, { authority: [otherSerial] }), ca.pem, 'other-issuer'],
    ['no CA of that name, by the key', ca.answer(request, { authority: [keyId] }), again.pem, 'other-issuer'],
    ['no CA of that name', ca.answer(request), again.pem, 'wrong-signature'],
    ['no key that must not sign certificates', ca.answer(request), ca.own([0, 0x80]), 'other-issuer'],
    ['no key of another algorithm', ca.answer(request), new TestCa('milan', 'rsa').pem, 'other-issuer'],
  ])('is %s, as for OpenSSL', (_, answer, authority, issued) => {
    expect(issuerAmong(read(answer)[0], read(authority))).toBe(issued);
    expect(openssl(answer, authority)).toEqual({ serial: read(answer)[0].serialNumber, issued });
  });
});

describe('a certificate', () => {
  const ca = new TestCa('milan');
  it.each([
    [[], true],
    [['2b06010505070302'], true],
    [['2b06010505070301', '2b06010505070302'], true],
    [['551d2500'], true],
    [['2b06010505070301'], false],
  ])('for the purposes %j is for clients: %j', (purposes, is) => {
    expect(read(ca.answer(request, { purposes }))[0].isForClients).toBe(is);
  });

  it.each([
    ['', 'not-pem'],
    ['Zm9v', 'not-pem'],
    [request, 'other-block'],
    [key.privateKeyPem, 'other-block'],
    [ca.pem + key.privateKeyPem, 'other-block'],
    [printPem('CERTIFICATE', [48, 0]), 'not-x509'],
    [printPem('CERTIFICATE', []), 'not-x509'],
    ['-----BEGIN CERTIFICATE-----\nAAA\n-----END CERTIFICATE-----\n', 'not-x509'],
    [ca.pem.replace('MII', 'MIJ'), 'not-x509'],
  ])('is not %j', (text, why) => {
    expect(readCertificates(text)).toEqual({ kind: 'unreadable', why });
  });
});

it('certificates in base64 are read as an encoder writes it, the first one first', () => {
  const [first, second] = [new TestCa('milan').pem, new TestCa('turin').pem];
  // The two lengths leave padding to remove.
  const text = ['', '\n', '\n\n']
    .map((it) => encodeBase64(utf8Bytes(first + second + it)))
    .find((it) => it.endsWith('='));
  const serials = certificatesIn(text ?? '').map((it) => it.serialNumber);
  expect(serials).toEqual([read(first)[0].serialNumber, read(second)[0].serialNumber]);
  for (const other of ['', 'Zm9v', first, text?.replace(/=+$/, '') ?? '']) expect(certificatesIn(other)).toEqual([]);
});
