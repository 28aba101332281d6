import { describe, expect, it } from 'vitest';
import { compileTopology } from '../../../src/host/app/compile-topology.ts';
import type { FileReader } from '../../../src/host/app/ports.ts';
import { readBase } from '../../../src/host/app/read-base.ts';
import type { ReadResult } from '../../../src/host/disk/read-text-file.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { memoryPorts } from './memory-ports.ts';

const PATH = 'topologies/topology.yaml';
const BASE = { kind: 'folder', folder: 'base' } as const;

/** Reads the base in `base/`, which has no bundles, with another answer for one of its files. */
async function baseWith(path: string, answer: ReadResult) {
  const { files } = memoryPorts({ [PATH]: TOPOLOGY, [`base/${PATH}`]: TOPOLOGY });
  const reader: FileReader = {
    ...files,
    readText: async (it) => (it === `base/${path}` ? answer : files.readText(it)),
  };
  const topology = await compileTopology(files, { topology: undefined, lock: undefined }, { only: null });
  if (topology.kind !== 'compiled') throw new Error(topology.kind);
  return readBase(reader, { base: BASE, out: 'out', topology });
}

describe('a base without bundles', () => {
  it('is the state that its topology compiles to', async () => {
    const base = await baseWith('topologies/topology.keys.yaml', { kind: 'missing' });
    expect([...base.files.keys()]).toContain('rome/kustomization.yaml');
  });

  it.each<readonly [string, ReadResult]>([
    [PATH, { kind: 'not-utf8' }],
    [PATH, { kind: 'too-large', bytes: null, limitBytes: 16 }],
    ['topologies/topology.keys.yaml', { kind: 'not-utf8' }],
    ['topologies/topology.lock.yaml', { kind: 'too-large', bytes: null, limitBytes: 16 }],
  ])('is empty when %s is %j: then its topology does not compile', async (path, answer) => {
    expect((await baseWith(path, answer)).files.size).toBe(0);
  });

  it.each<readonly [ReadResult, string]>([
    [{ kind: 'is-directory' }, 'file-is-folder'],
    [{ kind: 'unreadable', reason: 'permission denied', hint: 'check it' }, 'file-unreadable'],
  ])('is refused with its own path for %j', async (answer, kind) => {
    await expect(baseWith(PATH, answer)).rejects.toMatchObject({ refusal: { kind, path: `base/${PATH}` } });
  });
});
