import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { firstPair } from '../../../src/base/core/key-pair.ts';
import { generateKeys } from '../../../src/fleet/keys/generate-keys.ts';
import { printKeysFile } from '../../../src/fleet/keys/keys-file.ts';
import { missingKeys } from '../../../src/fleet/keys/missing-keys.ts';
import { parseKeys } from '../../../src/fleet/topology/parse-recorded.ts';
import { newKeyPair, randomBytes } from '../../../src/host/disk/secrets.ts';
import { link } from '../../bundle/liqo/fixtures.ts';

const links = [
  link('rome', 'europe', { publicKeys: { server: 'known', client: null } }),
  link('rome', 'milan', { publicKeys: { server: null, client: null } }),
];

/** Pairs that are numbered by call. */
function countedPairs() {
  let count = 0;
  return () => {
    count += 1;
    return { privateKey: `private-${count}`, publicKey: `public-${count}` };
  };
}

describe('missing keys', () => {
  it('are those of gateways without a recorded one, by cluster and peer', () => {
    const secretName = 'gw-keys';
    const ofMilan = { cluster: 'milan', peer: 'rome', namespace: 'liqo-tenant-rome', secretName };
    expect(missingKeys({ links }, null)).toEqual([
      ofMilan,
      { cluster: 'rome', peer: 'europe', namespace: 'liqo-tenant-europe', secretName },
      { cluster: 'rome', peer: 'milan', namespace: 'liqo-tenant-milan', secretName },
    ]);
    expect(missingKeys({ links }, ['milan'])).toEqual([ofMilan]);
  });
});

describe('generated keys', () => {
  const recorded = new Map([
    ['europe', new Map([['rome', firstPair('known')]])],
    ['gone', new Map([['europe', { ...firstPair('old', '2025-01-31'), generation: 3 }]])],
  ]);
  const generated = generateKeys({
    gateways: missingKeys({ links }, null),
    consumers: [],
    recorded: { gateways: recorded, authentication: new Map() },
    newPair: countedPairs(),
    randomBytes,
    today: '2026-11-28',
  });

  it('are added to what is recorded, and nothing recorded changes', () => {
    expect(generated.keysFile).toBe(
      [
        '# Public WireGuard keys: by cluster, then by the peer that its gateway is for.',
        '# Written by `weft keys generate` and `weft keys collect`. No private key belongs in here.',
        'version: 1',
        'keys:',
        '  "europe":',
        '    "rome": "known"',
        '  "gone":',
        '    "europe": { key: "old", generation: 3, since: "2025-01-31" }',
        '  "milan":',
        '    "rome": { key: "public-1", since: "2026-11-28" }',
        '  "rome":',
        '    "europe": { key: "public-2", since: "2026-11-28" }',
        '    "milan": { key: "public-3", since: "2026-11-28" }',
        '',
      ].join('\n'),
    );
    expect(recorded.get('rome')).toBeUndefined();
  });

  it('that replace an unknown one keep its generation, whose name the Secret has, and the next key', () => {
    const next = { key: 'prepared', since: '2026-11-27' };
    const unknown = { ...firstPair('unknown'), generation: 2, next };
    const replaced = generateKeys({
      gateways: [{ cluster: 'rome', peer: 'milan', namespace: 'liqo-tenant-milan', secretName: 'gw-keys-2' }],
      consumers: [],
      recorded: { gateways: new Map([['rome', new Map([['milan', unknown]])]]), authentication: new Map() },
      newPair: countedPairs(),
      randomBytes,
      today: '2026-11-28',
    });
    expect(parse(replaced.keysFile).keys.rome.milan).toEqual({
      ...{ key: 'public-1', generation: 2, since: '2026-11-28' },
      next,
    });
    expect(parse(replaced.secrets.get('rome') ?? '').metadata.name).toBe('gw-keys-2');
  });

  it('come as Secrets that the gateway finds: name, namespace, both labels, and the pair under data', () => {
    expect([...generated.secrets.keys()]).toEqual(['milan', 'rome']);
    const [first, second] = parseAllDocuments(generated.secrets.get('rome') ?? '').map((it) => it.toJS());
    expect(first).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: {
        name: 'gw-keys',
        namespace: 'liqo-tenant-europe',
        labels: { 'liqo.io/remote-cluster-id': 'europe', 'networking.liqo.io/gateway-resource': 'true' },
      },
      data: { privateKey: 'private-2', publicKey: 'public-2' },
    });
    expect(second.metadata.namespace).toBe('liqo-tenant-milan');
  });

  it.each(['on', 'no', '0x10', '1e3', 'null', '2024-01-01'])(
    'keep a cluster called %s a string in YAML 1.1 and 1.2',
    (name) => {
      const keysFile = printKeysFile({
        gateways: new Map([[name, new Map([[name, firstPair('x')]])]]),
        authentication: new Map(),
      });
      const { secrets } = generateKeys({
        gateways: [{ cluster: 'a', peer: name, namespace: name, secretName: name }],
        consumers: [],
        recorded: { gateways: new Map(), authentication: new Map() },
        newPair: countedPairs(),
        randomBytes,
        today: '2026-11-28',
      });
      for (const version of ['1.1', '1.2'] as const) {
        expect(parse(keysFile, { version })).toEqual({ version: 1, keys: { [name]: { [name]: 'x' } } });
        const secret = parse(secrets.get('a') ?? '', { version });
        expect(secret.metadata.name).toBe(name);
        expect(secret.metadata.labels['liqo.io/remote-cluster-id']).toBe(name);
      }
    },
  );

  it('are read back by the keys file reader', () => {
    const keys = new Map([['rome', new Map([['europe', firstPair(newKeyPair().publicKey)]])]]);
    expect(
      parseKeys({ path: 'a.keys.yaml', text: printKeysFile({ gateways: keys, authentication: new Map() }) }),
    ).toMatchObject({ ok: true, diagnostics: [] });
    expect(
      parseKeys({ path: 'a.keys.yaml', text: printKeysFile({ gateways: new Map(), authentication: new Map() }) }),
    ).toMatchObject({
      ok: true,
      diagnostics: [],
    });
  });
});

const hasWireGuard = spawnSync('wg', ['--version']).status === 0;

describe('a key pair', () => {
  it('has two halves of 32 bytes, and is another one each time', () => {
    const [a, b] = [newKeyPair(), newKeyPair()];
    for (const key of [a.privateKey, a.publicKey, b.privateKey, b.publicKey]) {
      expect(Buffer.from(key, 'base64')).toHaveLength(32);
      expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    }
    expect(a.privateKey).not.toBe(b.privateKey);
  });

  it.skipIf(!hasWireGuard && !process.env['CI'])('is one for WireGuard, too (skipped without wg)', () => {
    for (let i = 0; i < 10; i++) {
      const { privateKey, publicKey } = newKeyPair();
      expect(execFileSync('wg', ['pubkey'], { input: privateKey, encoding: 'utf8' }).trim()).toBe(publicKey);
    }
  });
});
