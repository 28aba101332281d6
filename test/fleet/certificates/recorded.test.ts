import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { encodeBase64 } from '../../../src/base/core/encodings.ts';
import { rawOf, signNonce } from '../../../src/fleet/certificates/authentication-key.ts';
import { bytesOf } from '../../../src/fleet/certificates/bytes.ts';
import { issuerAmong, readCertificates } from '../../../src/fleet/certificates/certificate.ts';
import { controlPlaneSubject, makeRequest, sliceSubject } from '../../../src/fleet/certificates/certificate-request.ts';
import { TestCa, testKey } from '../../support/test-ca.ts';
import { SHARING_RELEASES, sharingFiles } from '../sharing/recordings.ts';

interface Recorded {
  readonly path: string;
  readonly cluster: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, string>> & { readonly authParams?: Readonly<Record<string, string>> };
}

/** Inputs of fleets that share resources, which the controllers of four releases accepted. */
const objects: readonly Recorded[] = SHARING_RELEASES.flatMap((release) =>
  ['credentials', 'one-provider', 'two-providers'].flatMap((fleet) =>
    sharingFiles(fleet)
      .filter((it) => it.path.startsWith('input/') && it.releases.includes(release))
      .map(({ path, text }) => ({
        path: `${release}/${fleet}/${path}`,
        cluster: path.split('/')[1],
        ...parse(text),
      })),
  ),
);

const ofKind = (kind: string, is = (_: Recorded): boolean => true): readonly Recorded[] =>
  objects.filter((it) => it.kind === kind && is(it));
const decoded = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString('latin1');
const keyOf = (cluster: string) => testKey(`test key of ${cluster}`);

describe('recorded inputs of sharing', () => {
  it('are there for every release', () => {
    expect([...new Set(objects.map((it) => it.path.split('/')[0]))]).toEqual(['v1.0.0', 'v1.0.3', 'v1.1.2', 'v1.2.0']);
  });

  it.each(ofKind('Secret', (it) => it.metadata.name === 'authentication-keys'))('$path', ({ cluster, data }) => {
    const { privateKeyPem, publicKeyPem } = keyOf(cluster);
    expect([decoded(data?.['privateKey']), decoded(data?.['publicKey'])]).toEqual([privateKeyPem, publicKeyPem]);
  });

  it.each(ofKind('Tenant', (it) => it.spec?.['authzPolicy'] === 'KeysExchange'))('$path', ({ path, spec }) => {
    const consumer = spec?.['clusterID'] ?? '';
    const key = keyOf(consumer);
    const nonce = objects.find((it) => it.data?.['nonce'] && it.path.startsWith(path.slice(0, path.lastIndexOf('/'))));
    expect(spec).toMatchObject({
      publicKey: encodeBase64(key.publicKey),
      signature: encodeBase64(signNonce(key, decoded(nonce?.data?.['nonce']))),
    });
    expect(decoded(spec?.['csr'])).toBe(makeRequest(key, controlPlaneSubject(consumer)));
  });

  it.each(ofKind('ResourceSlice'))('$path', ({ cluster, metadata, spec }) => {
    expect(decoded(spec?.['csr'])).toBe(makeRequest(keyOf(cluster), sliceSubject(metadata.name, cluster)));
  });

  it.each(ofKind('Identity'))('$path', ({ cluster, spec }) => {
    const ca = new TestCa(spec?.['clusterID'] ?? '');
    const [signed, authority] = [decoded(spec?.authParams?.['signedCRT']), decoded(spec?.authParams?.['ca'])];
    expect(authority).toBe(ca.pem);
    expect(signed).toBe(ca.answer(makeRequest(keyOf(cluster), controlPlaneSubject(cluster))));
    const [read, authorities] = [readCertificates(signed), readCertificates(authority)];
    if (read.kind !== 'certificates' || authorities.kind !== 'certificates') throw new Error('not read');
    const [certificate] = read.certificates;
    expect(certificate).toMatchObject({
      subject: [
        { type: 'O', value: 'liqo.io' },
        { type: 'CN', value: cluster },
      ],
      issuer: ca.name,
      notBefore: '2026-01-01T00:00:00Z',
      notAfter: '2126-01-01T00:00:00Z',
      isForClients: true,
    });
    expect(certificate.publicKey && rawOf(certificate.publicKey)).toEqual(bytesOf(keyOf(cluster).publicKey));
    expect(issuerAmong(certificate, authorities.certificates)).toBe('issued');
  });
});
