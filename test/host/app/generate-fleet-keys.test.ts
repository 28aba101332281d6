import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KeyStore, SecretsTarget } from '../../../src/host/app/deliver-secrets.ts';
import { generateFleetKeys } from '../../../src/host/app/generate-fleet-keys.ts';
import type { Refusal } from '../../../src/host/app/refusal.ts';
import { randomBytes } from '../../../src/host/disk/secrets.ts';
import type { StreamTarget } from '../../../src/host/disk/stream-target.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { memoryPorts } from './memory-ports.ts';

interface Settings {
  readonly clusters?: readonly string[];
  readonly keys?: Partial<KeyStore>;
  readonly wasRead?: boolean;
  readonly inRepository?: boolean;
  readonly replace?: boolean;
  readonly stream?: StreamTarget;
  /** Files on disk besides the topology. */
  readonly files?: Readonly<Record<string, string>>;
}

async function generate(
  secrets: SecretsTarget,
  {
    clusters = [],
    keys = {},
    wasRead = true,
    inRepository = false,
    replace = false,
    files = {},
    stream = { kind: 'reader' },
  }: Settings = {},
) {
  const events: string[] = [];
  let pairs = 0;
  const result = await generateFleetKeys(
    {
      ...memoryPorts({ 'topologies/topology.yaml': TOPOLOGY, ...files }),
      writeStream: async () => {
        events.push('secrets written');
        return wasRead;
      },
      streamTarget: () => stream,
      day: () => '2026-11-28',
      keys: {
        lock: async () => ({ kind: 'held', release: () => void events.push('released') }),
        // The folder of the Secrets is outside of the fleet.
        secretsFolder: (typed) => ({
          typed,
          path: typed === 'keys' ? '/keys' : join('/fleet', typed),
          repository: undefined,
        }),
        repositoryAround: (path) => (path.startsWith('/repo/') ? '/repo' : undefined),
        writeSecrets: async (_, all) => {
          events.push('secrets written');
          return {
            kind: 'written',
            paths: [...all.keys()],
            keep: () => void events.push('secrets kept'),
            remove: () => void events.push('secrets removed'),
          };
        },
        prepareKeysFile: async (path) => ({
          commit: async () => void events.push(`${path} written`),
          discard: async () => {},
        }),
        newKeyPair: () => {
          pairs += 1;
          const key = Buffer.alloc(32, pairs).toString('base64');
          return { privateKey: key, publicKey: key };
        },
        randomBytes,
        ...keys,
      },
    },
    { topology: undefined, lock: undefined, clusters, secrets, out: 'out', check: false, inRepository, replace },
  );
  return { result, events };
}

describe('generateFleetKeys', () => {
  it('delivers the private halves before it records the public ones', async () => {
    const { result, events } = await generate({ kind: 'stream' });
    expect(result).toMatchObject({
      kind: 'generated',
      counts: { gateways: 6, consumers: 0, clusters: 3 },
      delivered: { kind: 'stream' },
    });
    expect(events).toEqual(['secrets written', 'topologies/topology.keys.yaml written', 'released']);
  });

  it('makes pairs for one cluster', async () => {
    const { result } = await generate({ kind: 'folder', folder: 'keys' }, { clusters: ['rome'] });
    expect(result).toMatchObject({
      counts: { gateways: 2, consumers: 0, clusters: 1 },
      delivered: { kind: 'folder', folder: 'keys', files: 1 },
    });
  });

  it.each<readonly [string, SecretsTarget, Settings, Refusal]>([
    ['a terminal', { kind: 'terminal' }, {}, { kind: 'secrets-on-terminal', folder: 'topologies' }],
    ['a stream that was not read', { kind: 'stream' }, { wasRead: false }, { kind: 'secrets-not-read' }],
    [
      'a folder in the repository',
      { kind: 'folder', folder: 'keys' },
      { keys: { secretsFolder: (typed) => ({ typed, path: '/repo/keys', repository: '/repo' }) } },
      { kind: 'secrets-in-repository', place: 'keys', repository: '/repo' },
    ],
    [
      'a file in a repository',
      { kind: 'stream' },
      { stream: { kind: 'file', path: '/repo/secrets.yaml' } },
      { kind: 'secrets-in-repository', place: 'stdout', repository: '/repo' },
    ],
    ['a closed stream', { kind: 'stream' }, { stream: { kind: 'nothing' } }, { kind: 'secrets-lost' }],
    [
      'a keys file that another run changes',
      { kind: 'stream' },
      { keys: { lock: async () => ({ kind: 'busy', holder: 'process 7' }) } },
      { kind: 'keys-busy', keys: 'topologies/topology.keys.yaml', holder: 'process 7' },
    ],
    [
      'a gateway whose key is in use',
      { kind: 'stream' },
      { files: { 'out/europe/peers/rome/rome.yaml': 'kind: Configuration\n---\nkind: PublicKey\n' } },
      {
        kind: 'keys-in-use',
        gateways: [{ cluster: 'rome', peer: 'europe' }],
        keys: 'topologies/topology.keys.yaml',
        out: 'out',
      },
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

  it('removes the Secrets when their public halves cannot be recorded', async () => {
    const failing: Partial<KeyStore> = {
      prepareKeysFile: async () => ({
        commit: async () => {
          throw new Error('the disk is full');
        },
        discard: async () => {},
      }),
    };
    await expect(generate({ kind: 'folder', folder: 'keys' }, { keys: failing })).rejects.toThrow('the disk is full');
  });

  it('makes new keys for gateways whose key is in use when told so, and says which', async () => {
    const files = { 'out/europe/peers/rome/rome.yaml': 'kind: PublicKey\n' };
    const { result } = await generate({ kind: 'stream' }, { files, replace: true });
    expect(result).toMatchObject({
      kind: 'generated',
      replaced: { gateways: [{ cluster: 'rome', peer: 'europe' }], consumers: [] },
    });
    const other = await generate({ kind: 'stream' }, { files, clusters: ['milan'] });
    expect(other.result).toMatchObject({ kind: 'generated', replaced: { gateways: [], consumers: [] } });
  });

  it('writes into a repository when told so', async () => {
    const { result } = await generate(
      { kind: 'stream' },
      { stream: { kind: 'file', path: '/repo/a' }, inRepository: true },
    );
    expect(result).toMatchObject({ kind: 'generated' });
  });
});
