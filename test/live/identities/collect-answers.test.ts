import { chmodSync } from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { encodeBase64 } from '../../../src/base/core/encodings.ts';
import { controlPlaneSubject, makeRequest } from '../../../src/fleet/certificates/certificate-request.ts';
import { WORKED_EXAMPLE } from '../../fleet/certificates/worked-example.ts';
import { workspace } from '../../host/cli/memory-host.ts';
import { TestCa, testKey } from '../../support/test-ca.ts';
import { base64, dump, KEYS, keysOf, TOPOLOGY, tenant } from './tenants.ts';

const FILE = 'topologies/topology.identities.yaml';

function fleet(files: Readonly<Record<string, string>> = {}, topology = TOPOLOGY) {
  const place = workspace({ 'topologies/topology.yaml': topology, 'topologies/topology.keys.yaml': KEYS, ...files });
  return {
    ...place,
    collect: (...args: readonly string[]) => place.weft('identities', 'collect', ...args),
    recorded: () => parse(place.read(FILE)).identities,
    isRecorded: () => {
      try {
        return place.read(FILE) !== '';
      } catch {
        return false;
      }
    },
  };
}

/** The codes of a run with one dump of milan, which records nothing if one of them is an error. */
async function codesOf(items: readonly object[], topology = TOPOLOGY): Promise<readonly string[]> {
  const { collect } = fleet({ 'milan.json': dump(...items) }, topology);
  const { stdout } = await collect('milan=milan.json', '-o', 'json');
  return JSON.parse(stdout).diagnostics.map((it: { readonly code: string }) => it.code);
}

const LATER = { notBefore: '20260601000000Z' };
const other = testKey('test key of another cluster');
const otherRequest = makeRequest(other, controlPlaneSubject('rome'));

describe('weft identities collect', () => {
  it('records what is public of an answer, from which compile makes the Identity', async () => {
    const { collect, recorded, weft, read } = fleet({
      'milan.json': dump(tenant()),
      'turin.json': dump(tenant({ provider: 'turin' })),
    });
    const { code, stdout, stderr } = await collect('milan=milan.json', '--live', 'turin=turin.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `rome from milan  recorded  until 2126-01-01\nrome from turin  recorded  until 2126-01-01\n${FILE} is written; every answer is recorded\nNext: weft compile\n`,
    );
    const { apiServer, ca, signedCRT: certificate } = tenant().status.authParams ?? {};
    expect(recorded().rome.milan).toEqual({ apiServer, ca, certificate });
    await weft('compile');
    expect(read('out/rome/sharing/milan.yaml')).toContain(`signedCRT: ${certificate}`);
  });

  it('refuses the answer of one provider for another one, also in the next run, until both are right', async () => {
    const { collect, recorded } = fleet({
      'milan.json': dump(tenant()),
      'turin.json': dump(tenant({ provider: 'turin' })),
    });
    const both = await collect('milan=milan.json', 'turin=milan.json');
    expect(both.code).toBe(1);
    expect(both.stderr).toContain('the answer of "milan" to "rome" is that of "turin", word for word');
    expect(both.stdout).toContain('2 answers of 2 missing');
    await collect('turin=milan.json');
    expect((await collect('milan=milan.json')).code).toBe(1);
    expect(Object.keys(recorded().rome)).toEqual(['turin']);
    expect((await collect('milan=milan.json', 'turin=turin.json')).code).toBe(0);
    expect(recorded().rome.milan.certificate).not.toBe(recorded().rome.turin.certificate);
  });

  it('changes no byte the second time, and nothing with --check', async () => {
    const { collect, read, isRecorded } = fleet({ 'milan.json': dump(tenant()) });
    const checked = await collect('milan=milan.json', '--check');
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining('would change; 1 answer of 2 missing') });
    expect(isRecorded()).toBe(false);
    await collect('milan=milan.json');
    const before = read(FILE);
    expect(await collect('milan=milan.json', '--check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('unchanged'),
    });
    expect((await collect('milan=milan.json')).code).toBe(0);
    expect(read(FILE)).toBe(before);
  });

  it('is data, whatever becomes of an answer', async () => {
    const { collect } = fleet({
      'signed.json': dump(tenant()),
      'later.json': dump(tenant({ validity: LATER })),
      'waiting.json': dump(tenant({ unsigned: true })),
      'refused.json': dump(tenant({ request: otherRequest })),
    });
    /** The exit code of each run, and the results of milan and turin. */
    const runs: unknown[] = [];
    for (const [file, ...more] of [
      ['signed.json', '--check'],
      ['waiting.json'],
      ['signed.json'],
      ['signed.json'],
      ['later.json'],
      ['signed.json'],
      ['refused.json'],
      ['gone.json'],
    ]) {
      const { code, stdout } = await collect(`milan=${file}`, ...more, '-o', 'json');
      const document = JSON.parse(stdout);
      const { changed, pairs = [] } = document.identities ?? {};
      runs.push([code, changed, ...pairs.map((it: { readonly result: string }) => it.result)]);
    }
    expect(runs).toEqual([
      [1, true, 'new', 'not-asked'],
      [1, false, 'not-signed', 'not-asked'],
      [0, true, 'new', 'not-asked'],
      [0, false, 'unchanged', 'not-asked'],
      [0, true, 'renewed', 'not-asked'],
      [0, false, 'older', 'not-asked'],
      [1, false, 'refused', 'not-asked'],
      [2, undefined],
    ]);
  });

  it('never writes anything but four fields', async () => {
    const params = { proxyURL: 'http://10.70.0.3:8118', token: 'secret', extra: { privateKey: 'secret' } };
    const { collect, recorded, read } = fleet({ 'milan.json': dump(tenant({ params })) });
    expect((await collect('milan=milan.json')).code).toBe(0);
    expect(Object.keys(recorded().rome.milan)).toEqual(['apiServer', 'ca', 'certificate', 'proxyURL']);
    expect(read(FILE)).not.toContain('secret');
  });

  it('leaves out the NUL bytes that Liqo may leave behind a CA, and an empty CA', async () => {
    const ca = new TestCa('milan').pem;
    const { collect, recorded } = fleet({
      'milan.json': dump(tenant({ params: { ca: base64(`${ca}\0\0`) } })),
      'turin.json': dump(tenant({ provider: 'turin', params: { ca: '' } })),
    });
    expect((await collect('milan=milan.json', 'turin=turin.json')).code).toBe(0);
    expect(recorded().rome.milan.ca).toBe(base64(ca));
    expect(recorded().rome.turin).not.toHaveProperty('ca');
  });
});

describe('an answer that is recorded already', () => {
  it('is replaced by a newer one, never by an older one', async () => {
    const { collect, recorded, write } = fleet({
      'old.json': dump(tenant()),
      'new.json': dump(tenant({ validity: LATER })),
    });
    const certificateOf = (it: ReturnType<typeof tenant>) => it.status.authParams?.signedCRT;
    await collect('milan=old.json');
    expect(await collect('milan=new.json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('recorded again'),
    });
    expect(recorded().rome.milan.certificate).toBe(certificateOf(tenant({ validity: LATER })));
    const older = await collect('milan=old.json');
    expect(older.stderr).toContain('identities/older');
    expect(older.stdout).toContain('kept: the dump is older');
    expect(recorded().rome.milan.certificate).toBe(certificateOf(tenant({ validity: LATER })));
    // The key was replaced: what is recorded is worth nothing.
    write('topologies/topology.keys.yaml', keysOf(other));
    write('old.json', dump(tenant({ request: otherRequest, publicKey: encodeBase64(other.publicKey) })));
    expect(await collect('milan=old.json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('recorded again'),
    });
  });

  it('stays when another is collected, refused or missing, and when its loan is gone', async () => {
    const { collect, recorded, write } = fleet({
      'milan.json': dump(tenant()),
      'turin.json': dump(tenant({ provider: 'turin' })),
      'broken.json': dump(tenant({ params: { signedCRT: 'AAAA' } })),
      'empty.json': dump(),
    });
    await collect('milan=milan.json', 'turin=turin.json');
    const before = recorded();
    for (const path of ['broken.json', 'empty.json']) {
      expect(await collect(`milan=${path}`)).toMatchObject({ code: 1 });
      expect(recorded()).toEqual(before);
    }
    write('topologies/topology.yaml', TOPOLOGY.replace(/.*provider: turin.*\n/, ''));
    await collect('milan=milan.json');
    expect(recorded()).toEqual(before);
  });

  it('does not keep others from being recorded', async () => {
    const { collect, recorded } = fleet({
      'milan.json': dump(tenant({ unsigned: true })),
      'turin.json': dump(tenant({ provider: 'turin' })),
    });
    expect(await collect('milan=milan.json', 'turin=turin.json')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/rome from milan {2}not signed yet\nrome from turin {2}recorded/),
    });
    expect(Object.keys(recorded().rome)).toEqual(['turin']);
  });
});

describe('an answer that cannot be used', () => {
  it.each([
    ['a Tenant that is not signed', [tenant({ unsigned: true })], ['identities/not-signed']],
    ['no Tenant', [], ['identities/not-signed']],
    ['a Tenant of no loan', [tenant(), tenant({ consumer: 'paris' })], ['identities/no-loan']],
    ['a Tenant with another key', [tenant({ publicKey: base64(other.publicKeyPem) })], ['identities/other-key']],
    ['a certificate of another key', [tenant({ request: otherRequest })], ['identities/other-key']],
    [
      'a certificate for another cluster',
      [tenant({ request: makeRequest(testKey('test key of rome'), controlPlaneSubject('paris')) })],
      ['identities/wrong-certificate'],
    ],
    [
      'a certificate with another organization',
      [
        tenant({
          request: makeRequest(testKey('test key of rome'), { organization: 'system:masters', commonName: 'rome' }),
        }),
      ],
      ['identities/wrong-certificate'],
    ],
    [
      'a certificate that is none',
      [tenant({ params: { signedCRT: base64('none') } })],
      ['identities/wrong-certificate'],
    ],
    [
      'a certificate for servers',
      [tenant({ validity: { purposes: ['2b06010505070301'] } })],
      ['identities/wrong-certificate'],
    ],
    ['a CA that is none', [tenant({ params: { ca: base64('none') } })], ['identities/wrong-certificate']],
    [
      'an address without https',
      [tenant({ params: { apiServer: 'milan.example' } })],
      ['identities/wrong-certificate'],
    ],
    [
      'an address with a password',
      [tenant({ params: { apiServer: 'https://me:secret@milan.example' } })],
      ['identities/wrong-certificate'],
    ],
    ['a proxy that is no URL', [tenant({ params: { proxyURL: 'proxy' } })], ['identities/wrong-certificate']],
    ['a certificate that has ended', [tenant({ validity: { notAfter: '20260102000000Z' } })], ['identities/expired']],
  ])('is %s', async (_, items, codes) => {
    expect(await codesOf(items)).toEqual(codes);
  });

  it('is one whose issuer is in ca and has not signed it; an issuer that is not there is none', async () => {
    const [rsa, again] = [new TestCa('milan', 'rsa'), new TestCa('milan', 'rsa')];
    const signedCRT = base64(rsa.answer(WORKED_EXAMPLE.controlPlaneCsrPem));
    expect(await codesOf([tenant({ params: { signedCRT, ca: base64(again.pem) } })])).toEqual([
      'identities/wrong-certificate',
    ]);
    expect(await codesOf([tenant({ params: { signedCRT, ca: base64(rsa.pem) } })])).toEqual([]);
    const ca = base64(new TestCa('the API server of milan').pem);
    expect(await codesOf([tenant({ params: { ca } })])).toEqual([]);
  });

  it('is one that the topology contradicts', async () => {
    const declared = (apiServer: string) => TOPOLOGY.replace('10.202.0.0/16', `10.202.0.0/16, apiServer: ${apiServer}`);
    const ca = base64(new TestCa('milan').pem);
    expect(await codesOf([tenant()], declared('https://milan.example:6443'))).toEqual([]);
    expect(await codesOf([tenant()], declared('milan.example:6443'))).toEqual([]);
    expect(await codesOf([tenant()], declared('https://milan.test:6443'))).toEqual(['identities/other-api-server']);
    const withCA = (it: string) => declared(`{ address: 'https://milan.example:6443', ca: ${it} }`);
    expect(await codesOf([tenant()], withCA(ca))).toEqual([]);
    expect(await codesOf([tenant()], withCA(base64(new TestCa('turin').pem)))).toEqual(['identities/other-api-server']);
  });

  it('is a secret, which refuses every answer', async () => {
    const awsConfig = { awsAccessKeyID: 'AKIAXXXXXXXXXXXXXXXX', awsSecretAccessKey: 'very-secret-value' };
    const { collect, isRecorded } = fleet({
      'milan.json': dump(tenant()),
      'turin.json': dump(tenant({ provider: 'turin', consumer: 'paris', params: { awsConfig } })),
    });
    const { code, stdout, stderr } = await collect('milan=milan.json', 'turin=turin.json');
    expect(code).toBe(1);
    expect(stderr).toContain('identities/secret');
    expect(stdout + stderr).not.toMatch(/very-secret|AKIAX/);
    expect(stdout).toMatch(/^rome from milan {2}refused\n/);
    expect(isRecorded()).toBe(false);
  });

  it('is refused where the consumer needs it, and not called unsigned', async () => {
    const params = { awsConfig: { awsAccessKeyID: 'AKIAXXXXXXXXXXXXXXXX' }, signedCRT: undefined };
    expect(await codesOf([tenant({ params })])).toEqual(['identities/secret']);
  });
});

describe('the provider of a dump', () => {
  const configMap = (id: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'liqo-clusterid-configmap', namespace: 'liqo' },
    data: { CLUSTER_ID: id },
  });

  const oneProvider = TOPOLOGY.replace(/.*provider: turin.*\n/, '').replace(/.*consumer: paris.*\n/, '');
  const withServers = TOPOLOGY.replace('10.203.0.0/16', '10.203.0.0/16, apiServer: https://turin.example:6443');

  it.each([
    ['that is named', 'turin=-', TOPOLOGY, [tenant({ provider: 'turin' })], 'rome from turin'],
    [
      'whose ID the dump contains',
      '-',
      TOPOLOGY,
      [configMap('turin'), tenant({ provider: 'turin' })],
      'rome from turin',
    ],
    ['whose API server the topology declares', '-', withServers, [tenant({ provider: 'turin' })], 'rome from turin'],
    ['that alone lends to these consumers', '-', oneProvider, [tenant()], 'rome from milan'],
  ])('is the one %s', async (_, argument, topology, items, row) => {
    const { weftWith } = fleet({}, topology);
    const { code, stdout } = await weftWith({ stdin: dump(...items) }, 'identities', 'collect', argument);
    expect(code).toBe(0);
    expect(stdout).toContain(`${row}  recorded`);
  });

  it('is the one that has answered before', async () => {
    const { weftWith, collect } = fleet({ 'turin.json': dump(tenant({ provider: 'turin' })) });
    await collect('turin=turin.json');
    const later = dump(tenant({ provider: 'turin', validity: LATER }));
    expect((await weftWith({ stdin: later }, 'identities', 'collect', '-')).stdout).toContain(
      'rome from turin  recorded again',
    );
  });

  it.each([
    [['-'], [tenant()], /live\/whose-dump/],
    [['milan=-'], [configMap('turin'), tenant()], /live\/another-cluster/],
    [['mlian=-'], [tenant()], /did you mean "milan"/],
    [[], [tenant()], /neither a dump nor a context is given/],
    [['topologies', 'milan.json', '-'], [tenant()], /too many arguments: milan.json/],
  ])('cannot be guessed: %j', async (args, items, message) => {
    const { weftWith, isRecorded } = fleet();
    const { code, stderr } = await weftWith({ stdin: dump(...items) }, 'identities', 'collect', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(isRecorded()).toBe(false);
  });

  it('is read with kubectl, and only its Tenants and its ID are', async () => {
    const { folder, weftWith, write, recorded, read } = fleet({
      'bin/tenants.authentication.liqo.io.json': dump(tenant()),
    });
    write('bin/configmaps.json', dump(configMap('milan')));
    write('bin/kubectl', '#!/bin/sh\ncd "$(dirname "$0")" && echo "$1 $2" >> calls && cat "$2.json"\n');
    chmodSync(`${folder}/bin/kubectl`, 0o755);
    const env = { PATH: `${folder}/bin${delimiter}${process.env['PATH'] ?? ''}` };
    expect(await weftWith({ env }, 'identities', 'collect', '--context', 'milan=admin')).toMatchObject({ code: 0 });
    expect(Object.keys(recorded().rome)).toEqual(['milan']);
    expect(read('bin/calls')).toBe('get configmaps\nget tenants.authentication.liqo.io\n');
  });
});
