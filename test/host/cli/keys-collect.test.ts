import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keySecret, newPair, secretsDump } from '../../live/public-keys/key-secrets.ts';
import { publicKeysIn } from '../../support/public-keys-in.ts';
import { workspace } from './memory-host.ts';

const FILE = 'topologies/topology.keys.yaml';

const TOPOLOGY = `version: 1
name: fleet
hub: rome
keys: { secrets: liqo }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome:  { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16 }
  turin: { podCIDR: 10.203.0.0/16 }
`;

function fleet(files: Readonly<Record<string, string>> = {}, topology = TOPOLOGY) {
  const it = workspace({ 'topologies/topology.yaml': topology, ...files });
  return {
    ...it,
    collect: (...args: readonly string[]) => it.weft('keys', 'collect', ...args),
    recorded: () => (existsSync(join(it.folder, FILE)) ? publicKeysIn(it.read(FILE)) : {}),
  };
}

/** The first code in what was said. */
const codeOf = (stderr: string): string | undefined => /(?:error|warning|note) (\S+):/.exec(stderr)?.[1];

const pairs = { rome: { milan: newPair(), turin: newPair() }, milan: newPair(), turin: newPair() };
const ROME = secretsDump(
  keySecret('milan', { data: pairs.rome.milan }),
  keySecret('turin', { data: pairs.rome.turin }),
);
const MILAN = secretsDump(keySecret('rome', { data: pairs.milan }));
const TURIN = secretsDump(keySecret('rome', { data: pairs.turin }));
const ALL = { 'dumps/rome.json': ROME, 'dumps/milan.json': MILAN, 'dumps/turin.json': TURIN };

describe('weft keys collect', () => {
  it('records the public halves, from which compile makes the PublicKeys', async () => {
    const { collect, recorded, weft, read } = fleet(ALL);
    const { code, stdout, stderr } = await collect('--live', 'dumps/');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'milan towards rome  recorded',
        'rome towards milan  recorded',
        'rome towards turin  recorded',
        'turin towards rome  recorded',
        `${FILE} is written; every key is recorded`,
        'Next: weft compile\n',
      ].join('\n'),
    );
    expect(recorded()).toEqual({
      milan: { rome: pairs.milan.publicKey },
      rome: { milan: pairs.rome.milan.publicKey, turin: pairs.rome.turin.publicKey },
      turin: { rome: pairs.turin.publicKey },
    });
    expect((await weft('compile')).stderr).not.toContain('keys/');
    expect(read('out/milan/peers/rome/rome.yaml')).toContain(pairs.rome.milan.publicKey);
    expect(read('out/milan/peers/rome/rome.yaml')).not.toContain('secretRef');
    expect((await weft('verify')).code).toBe(0);
    const again = await collect('--live', 'dumps/', '--check');
    expect([again.code, again.stdout.split('\n').at(-2)]).toEqual([0, `${FILE} stays as it is; every key is recorded`]);
  });

  it('adds the keys of one cluster to those of others, and says what is missing', async () => {
    const { collect, recorded } = fleet(ALL);
    const check = await collect('--live', 'rome=dumps/rome.json', '--check');
    expect([check.code, recorded()]).toEqual([1, {}]);
    expect((await collect('--live', 'rome=dumps/rome.json')).stdout).toContain('2 keys of 4 missing');
    expect((await collect('--live', 'milan=dumps/milan.json')).code).toBe(0);
    expect(Object.keys(recorded())).toEqual(['milan', 'rome']);
  });

  it('never replaces a recorded key silently, and with --replace only that one', async () => {
    const { collect, recorded, write, read } = fleet(ALL);
    await collect('--live', 'dumps/');
    const next = newPair();
    write('dumps/milan.json', secretsDump(keySecret('rome', { data: next })));
    const before = read(FILE);
    const refused = await collect('--live', 'dumps/');
    expect(refused.code).toBe(1);
    expect(codeOf(refused.stderr)).toEqual('public-keys/differs');
    expect(refused.stderr).toContain(
      'the gateway of "milan" towards "rome" has another key than the recorded one, which stays',
    );
    expect(read(FILE)).toBe(before);
    const { code, stdout } = await collect('--live', 'dumps/', '--replace');
    expect([code, stdout]).toEqual([0, expect.stringContaining('milan towards rome  replaced\n')]);
    expect(read(FILE)).toBe(before.replace(pairs.milan.publicKey, next.publicKey));
    expect(recorded()['turin']?.['rome']).toBe(pairs.turin.publicKey);
  });

  it('takes the newest of several states of a Secret', async () => {
    const next = newPair();
    const states = ['9', '10'].map((version, index) =>
      keySecret('rome', { version, data: [pairs.milan, next][index] ?? null }),
    );
    for (const items of [states, [...states].reverse()]) {
      const { collect, recorded } = fleet({ 'milan.json': secretsDump(...items) });
      await collect('--live', 'milan.json');
      expect(recorded()).toEqual({ milan: { rome: next.publicKey } });
    }
  });

  it('records a key that was unknown: it is the one in use', async () => {
    const { collect, recorded } = fleet({ ...ALL, [FILE]: 'version: 1\nkeys: { milan: { rome: unknown } }\n' });
    expect((await collect('--live', 'milan=dumps/milan.json')).code).toBe(0);
    expect(recorded()).toEqual({ milan: { rome: pairs.milan.publicKey } });
  });

  it.each<[string, readonly object[], string, string]>([
    ['no Secret', [], 'public-keys/not-made', '"milan" has no Secret with a key pair for "rome" yet'],
    [
      'a Secret whose values were not read',
      [keySecret('rome', { data: null })],
      'public-keys/not-made',
      'the Secret "gw-rome" of "milan" for "rome" has no publicKey in what was read',
    ],
    [
      'the label of another cluster',
      [keySecret('rome', { remote: 'turin' })],
      'public-keys/wrong-secret',
      'the Secret "gw-rome" of "milan" for "rome" has the label of a remote cluster "turin"',
    ],
    [
      'two Secrets',
      [keySecret('rome'), keySecret('rome', { name: 'gw-keys' })],
      'public-keys/wrong-secret',
      '"milan" has 2 Secrets with the labels of a key pair for "rome": "gw-rome", "gw-keys"',
    ],
    [
      'a key that was encoded twice',
      [keySecret('rome', { data: { publicKey: Buffer.from(newPair().publicKey).toString('base64') } })],
      'keys/not-32-bytes',
      'the key of "milan" towards "rome" has 44 bytes',
    ],
    [
      'a key that is not canonical',
      [keySecret('rome', { data: { publicKey: `${'A'.repeat(42)}B=` } })],
      'keys/not-32-bytes',
      'the key of "milan" towards "rome" is not canonical base64',
    ],
    [
      'a key of zeros',
      [keySecret('rome', { data: { publicKey: `${'A'.repeat(43)}=` } })],
      'keys/low-order',
      'the key of "milan" towards "rome" is all zeros',
    ],
    [
      'the key of the other end',
      [keySecret('rome', { data: pairs.rome.milan })],
      'keys/same-at-both-ends',
      'the gateway of "milan" towards "rome" has the key of the gateway of "rome" towards "milan"',
    ],
    [
      'the key of another gateway',
      [keySecret('rome', { data: pairs.turin })],
      'keys/used-twice',
      'the gateway of "milan" towards "rome" has the key of the gateway of "turin" towards "rome"',
    ],
  ])('records no key when the cluster has %s, and those of others', async (_, items, code, message) => {
    const { collect, recorded } = fleet({ ...ALL, 'dumps/milan.json': secretsDump(...items) });
    await collect('--live', 'rome=dumps/rome.json', '--live', 'turin=dumps/turin.json');
    const answer = await collect('--live', 'dumps/');
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringContaining(`${code}: ${message}`)]);
    expect(Object.keys(recorded())).toEqual(['rome', 'turin']);
  });

  it('names the Secrets of gateways that the topology does not have', async () => {
    const left = secretsDump(keySecret('rome', { data: pairs.milan }), keySecret('oslo'));
    const { collect } = fleet({ 'milan.json': left });
    const { code, stderr } = await collect('--live', 'milan.json');
    expect([code, codeOf(stderr)]).toEqual([0, 'public-keys/no-gateway']);
    expect(stderr).toContain('"milan" has key pairs for gateways that the topology does not have: "oslo"');
  });

  it('records none of two new keys that are the same', async () => {
    const same = newPair();
    const { collect, recorded } = fleet({
      'dumps/milan.json': secretsDump(keySecret('rome', { data: same })),
      'dumps/turin.json': secretsDump(keySecret('rome', { data: same })),
    });
    expect((await collect('--live', 'dumps/')).code).toBe(1);
    expect(recorded()).toEqual({});
  });

  it('prints the result for programs', async () => {
    const { collect } = fleet(ALL);
    const { stdout } = await collect('--live', 'milan=dumps/milan.json', '-o', 'json');
    expect(JSON.parse(stdout).keys).toEqual({
      file: FILE,
      changed: true,
      written: true,
      gateways: [
        { cluster: 'milan', peer: 'rome', result: 'new', publicKey: pairs.milan.publicKey },
        { cluster: 'rome', peer: 'milan', result: 'not-asked', publicKey: null },
        { cluster: 'rome', peer: 'turin', result: 'not-asked', publicKey: null },
        { cluster: 'turin', peer: 'rome', result: 'not-asked', publicKey: null },
      ],
    });
  });

  it('reads nothing without a dump or a context', async () => {
    const { code, stderr } = await fleet().collect();
    expect([code, stderr]).toEqual([2, expect.stringContaining('weft keys collect --context CLUSTER=CONTEXT')]);
  });
});

describe('weft keys generate where gateways make their keys', () => {
  it('makes only the keys of consumers, and says who makes the others', async () => {
    const sharing = 'sharing:\n  - { consumer: milan, provider: rome }\n';
    const it = fleet({}, TOPOLOGY + sharing);
    const { code, stdout, stderr } = await it.weft('keys', 'generate');
    expect(code).toBe(0);
    expect(stdout.match(/^kind: Secret$/gm)).toHaveLength(1);
    expect(stdout).toContain('name: authentication-keys');
    expect(stderr).toContain('Gateways make their own keys in their clusters: "weft keys collect" records them.\n');
    expect(stderr).toContain('every authentication key is recorded');
    expect((await it.weft('validate')).stderr).toContain('apply the bundles and run "weft keys collect"');
    expect((await it.weft('keys', 'generate', '--check')).code).toBe(0);
  });
});
