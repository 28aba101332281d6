import { describe, expect, it } from 'vitest';
import { generateFleetKeys, type KeyStore, type SecretsTarget } from '../../src/app/generate-fleet-keys.ts';
import type { Refusal } from '../../src/app/refusal.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { memoryPorts } from './memory-ports.ts';

interface Settings {
  readonly clusters?: readonly string[];
  readonly keys?: Partial<KeyStore>;
  readonly wasRead?: boolean;
}

async function generate(secrets: SecretsTarget, { clusters = [], keys = {}, wasRead = true }: Settings = {}) {
  const events: string[] = [];
  let pairs = 0;
  const result = await generateFleetKeys(
    {
      files: memoryPorts({ 'topologies/topology.yaml': TOPOLOGY }).files,
      writeStream: async () => {
        events.push('secrets written');
        return wasRead;
      },
      keys: {
        secretsFolder: (typed) => ({ typed, path: `/${typed}` }),
        writeSecrets: async (_, all) => {
          events.push('secrets written');
          return { kind: 'written', paths: [...all.keys()] };
        },
        writeKeysFile: async (path) => void events.push(`${path} written`),
        newKeyPair: () => {
          pairs += 1;
          const key = Buffer.alloc(32, pairs).toString('base64');
          return { privateKey: key, publicKey: key };
        },
        ...keys,
      },
    },
    { topology: undefined, lock: undefined, clusters, secrets },
  );
  return { result, events };
}

describe('generateFleetKeys', () => {
  it('delivers the private halves before it records the public ones', async () => {
    const { result, events } = await generate({ kind: 'stream' });
    expect(result).toMatchObject({
      kind: 'generated',
      counts: { secrets: 6, clusters: 3 },
      delivered: { kind: 'stream' },
    });
    expect(events).toEqual(['secrets written', 'topologies/topology.keys.yaml written']);
  });

  it('makes pairs for one cluster', async () => {
    const { result } = await generate({ kind: 'folder', folder: 'keys' }, { clusters: ['rome'] });
    expect(result).toMatchObject({
      counts: { secrets: 2, clusters: 1 },
      delivered: { kind: 'folder', folder: 'keys', files: 1 },
    });
  });

  it.each<readonly [string, SecretsTarget, Settings, Refusal]>([
    ['a terminal', { kind: 'terminal' }, {}, { kind: 'secrets-on-terminal', folder: 'topologies' }],
    ['a stream that was not read', { kind: 'stream' }, { wasRead: false }, { kind: 'secrets-not-read' }],
    [
      'a folder in the repository',
      { kind: 'folder', folder: 'keys' },
      { keys: { secretsFolder: () => null } },
      { kind: 'secrets-in-repository', folder: 'keys', topology: 'topologies/topology.yaml' },
    ],
    [
      'a folder with other keys',
      { kind: 'folder', folder: 'keys' },
      { keys: { writeSecrets: async () => ({ kind: 'exists', path: 'keys/rome.yaml' }) } },
      { kind: 'secrets-exist', path: 'keys/rome.yaml' },
    ],
  ])('records nothing for %s', async (_, target, settings, refusal) => {
    const { result, events } = await generate(target, settings);
    expect(result).toEqual({ kind: 'refused', refusal });
    expect(events.filter((it) => it.startsWith('topologies/'))).toEqual([]);
  });
});
