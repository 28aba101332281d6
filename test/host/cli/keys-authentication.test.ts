import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { readPublicKey, verifyNonce } from '../../../src/fleet/certificates/authentication-key.ts';
import { bytesOf, pemBlocksIn } from '../../../src/fleet/certificates/bytes.ts';
import {
  checkRequest,
  controlPlaneSubject,
  sliceSubject,
} from '../../../src/fleet/certificates/certificate-request.ts';
import { workspace } from './memory-host.ts';

const FLEET = `version: 1
name: europe
hub: rome
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16 }
  turin: { podCIDR: 10.203.0.0/16 }
sharing:
  - { consumer: rome, provider: milan }
`;
const TOPOLOGY = 'topologies/topology.yaml';
const KEYS = 'topologies/topology.keys.yaml';
const TO_TURIN = '  - { consumer: rome, provider: turin, slices: [{ name: batch }, { name: gpu }] }\n';

const fleet = (text = FLEET) => workspace({ [TOPOLOGY]: text });
type Fleet = ReturnType<typeof fleet>;

const recordedIn = (it: Fleet) => parse(it.read(KEYS)).authentication;
const decoded = (text: string): string => Buffer.from(text, 'base64').toString('latin1');
const authenticationIn = (stream: string) =>
  parseAllDocuments(stream)
    .map((it) => it.toJS())
    .filter((it) => it.metadata.name === 'authentication-keys');

/** The keys file without the entry of a consumer. */
function forget(it: Fleet, consumer: string): void {
  const file = parse(it.read(KEYS));
  delete file.authentication[consumer];
  it.write(KEYS, stringify(file));
}

/** A fleet with all its keys, compiled. */
async function running(text = FLEET): Promise<Fleet> {
  const it = fleet(text);
  expect((await it.weft('keys', 'generate')).code).toBe(0);
  expect((await it.weft('compile')).code).toBe(0);
  return it;
}

describe('weft keys generate, for clusters that borrow resources', () => {
  it('makes one key for all providers of a consumer, and records what they accept', async () => {
    const it = fleet(FLEET + TO_TURIN);
    const { stdout, stderr } = await it.weft('keys', 'generate');
    expect(stderr).toContain(`5 Secrets (4 WireGuard key pairs, 1 authentication key) for 3 clusters on stdout\n`);
    const [secret, ...others] = authenticationIn(stdout);
    expect([others, secret.metadata.namespace]).toEqual([[], 'liqo']);
    expect(it.read(KEYS)).not.toContain(secret.data.privateKey);
    const { rome, ...nobody } = recordedIn(it);
    const publicKey = readPublicKey(bytesOf(Buffer.from(rome.publicKey, 'base64')));
    if (publicKey === undefined) throw new Error('no key');
    expect([nobody, publicKey.form, publicKey.pem]).toEqual([{}, 'raw', decoded(secret.data.publicKey)]);
    const signature = bytesOf(Buffer.from(rome.signature, 'base64'));
    expect(Buffer.from(rome.nonce, 'base64')).toHaveLength(64);
    expect(verifyNonce({ publicKey, nonce: rome.nonce, signature })).toBe('valid');
    const requests = [
      [rome.request, controlPlaneSubject('rome')],
      ...['milan-slice', 'batch', 'gpu'].map((name) => [rome.slices[name], sliceSubject(name, 'rome')]),
    ];
    for (const [request, subject] of requests)
      expect(checkRequest({ request: decoded(request), subject, spki: publicKey.spki })).toBeUndefined();
    expect(Object.keys(rome.slices)).toHaveLength(3);
    expect(pemBlocksIn(decoded(secret.data.privateKey)).map((block) => block.label)).toEqual(['PRIVATE KEY']);
  });

  it.each([
    ['handshake', FLEET],
    ['credentials', FLEET.replace('provider: milan', 'provider: milan, auth: credentials')],
  ])('makes one for a consumer that authenticates by %s: its slices have certificates too', async (_, text) => {
    const it = await running(text);
    expect(Object.keys(recordedIn(it).rome.slices)).toEqual(['milan-slice']);
    const slice = parseAllDocuments(it.read('out/rome/sharing/milan.yaml'))
      .map((document) => document.toJS())
      .find((document) => document.kind === 'ResourceSlice');
    expect(slice.spec.csr).toBe(recordedIn(it).rome.slices['milan-slice']);
  });

  it('has nothing to do for a provider or a slice that is added later', async () => {
    const it = await running();
    const before = it.read(KEYS);
    it.write(TOPOLOGY, FLEET + TO_TURIN);
    expect(await it.weft('keys', 'generate')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `${KEYS} stays as it is; every key is recorded\nSecrets are written once, when keys are made: to make a lost one again, remove the entry of its key there and pass --replace.\n`,
    });
    expect(it.read(KEYS)).toBe(before);
    expect((await it.weft('compile')).code).toBe(0);
    expect(it.read('out/turin/sharing/rome.yaml')).toContain(recordedIn(it).rome.publicKey);
    expect(it.read('out/rome/sharing/turin.yaml')).not.toContain('csr');
  });

  it('makes keys of the clusters that are asked for, and keeps what is recorded', async () => {
    const it = fleet(`${FLEET}  - { consumer: milan, provider: rome, name: back }\n`);
    const made = await it.weft('keys', 'generate', '--cluster', 'milan');
    expect(authenticationIn(made.stdout)).toHaveLength(1);
    const { milan } = recordedIn(it);
    await it.weft('keys', 'generate');
    expect([recordedIn(it).milan, Object.keys(recordedIn(it))]).toEqual([milan, ['milan', 'rome']]);
  });

  it('writes the Secrets of a cluster into one file, in the namespace of its Liqo', async () => {
    const it = fleet(FLEET.replace('gateway: 203.0.113.10', 'gateway: 203.0.113.10, liqo: { namespace: liqo-system }'));
    expect((await it.weft('keys', 'generate', '--secrets-dir', 'secrets', '--in-repository')).code).toBe(0);
    const [secret] = authenticationIn(it.read('secrets/rome.yaml'));
    expect(secret.metadata.namespace).toBe('liqo-system');
    expect(it.read('secrets/rome.yaml')).toContain('kubectl create namespace liqo-system');
  });
});

describe('an authentication key in use', () => {
  it('is not replaced unasked', async () => {
    const it = await running();
    const { rome } = recordedIn(it);
    forget(it, 'rome');
    expect(await it.weft('keys', 'generate')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        `1 cluster has an authentication key in out/ that ${KEYS} does not contain: "rome"`,
      ),
    });
    const { code, stdout, stderr } = await it.weft('keys', 'generate', '--replace');
    expect([code, authenticationIn(stdout)]).toEqual([0, [expect.anything()]]);
    expect(stderr).toContain('The authentication key of rome was in use');
    expect(recordedIn(it).rome.publicKey).not.toBe(rome.publicKey);
    expect(recordedIn(it).rome.nonce).not.toBe(rome.nonce);
  });

  it('does not leave the bundles unasked', async () => {
    const it = await running();
    forget(it, 'rome');
    const refused = {
      code: 1,
      stderr: expect.stringContaining('1 cluster had an authentication key and would have none'),
    };
    expect(await it.weft('compile')).toMatchObject(refused);
    expect(await it.weft('compile', '--check')).toMatchObject(refused);
    expect(await it.weft('compile', '--cluster', 'milan')).toMatchObject(refused);
    expect((await it.weft('compile', '--cluster', 'rome')).code).toBe(0);
    expect((await it.weft('compile', '--allow-destroy')).code).toBe(0);
  });

  it('does not go to another cluster unasked', async () => {
    const it = await running(`${FLEET}  - { consumer: turin, provider: rome, name: back }\n`);
    const file = parse(it.read(KEYS));
    const { rome, turin } = file.authentication;
    it.write(KEYS, stringify({ ...file, authentication: { rome: turin, turin: rome } }));
    // The signed text contains the name of the cluster, so this is found before the bundles are compared.
    const { code, stderr } = await it.weft('compile', '--allow-destroy');
    expect([code, stderr]).toEqual([1, expect.stringContaining('keys/wrong-request')]);
  });

  it('is of no use to a cluster with another name, which gets a new one', async () => {
    const it = await running();
    const { rome } = recordedIn(it);
    it.write(
      TOPOLOGY,
      FLEET.replace('  rome: {', '  roma: { renamedFrom: rome,')
        .replaceAll(/: rome\b(?!,)/g, ': roma')
        .replace('consumer: rome', 'consumer: roma'),
    );
    const { code, stdout, stderr } = await it.weft('keys', 'generate');
    expect([code, authenticationIn(stdout).length]).toEqual([0, 1]);
    expect(stderr).toContain('"roma" has a new authentication key: the requests of the old one are for "rome".');
    expect(Object.keys(recordedIn(it))).toEqual(['roma']);
    expect(recordedIn(it).roma.publicKey).not.toBe(rome.publicKey);
    expect((await it.weft('keys', 'generate')).stderr).toContain('stays as it is; every key is recorded');
  });
});
