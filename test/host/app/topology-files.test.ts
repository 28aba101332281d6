import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskPorts } from '../../../src/host/app/disk-ports.ts';
import { OperationRefused } from '../../../src/host/app/refusal.ts';
import { findAllTopologies, findTopology, readSources } from '../../../src/host/app/topology-files.ts';
import { LARGEST_FILE_BYTES } from '../../../src/host/disk/read-text-file.ts';
import { describeRefusal } from '../../../src/host/front/refused.ts';
import { workspace } from '../cli/memory-host.ts';

const find = (files: readonly string[], named?: string) =>
  findTopology(diskPorts(workspace(Object.fromEntries(files.map((it) => [it, '']))).folder).files, named, undefined);

describe('the topology that is meant', () => {
  it('is topologies/topology.yaml, whatever stands beside it', async () => {
    expect(await find(['topologies/topology.yaml', 'topologies/asia.yaml', 'topologies/topology.lock.yaml'])).toEqual({
      topology: 'topologies/topology.yaml',
      byDefault: true,
      keys: 'topologies/topology.keys.yaml',
      identities: 'topologies/topology.identities.yaml',
      lock: 'topologies/topology.lock.yaml',
    });
  });

  it('is the only other one; locks and keys do not count', async () => {
    const found = await find([
      'topologies/asia.yaml',
      'topologies/asia.lock.yaml',
      'topologies/asia.keys.yaml',
      'topologies/README.md',
    ]);
    expect(found.topology).toBe('topologies/asia.yaml');
    expect(found.lock).toBe('topologies/asia.lock.yaml');
  });

  it('is the one that was named, or the one in the folder that was named', async () => {
    expect((await find([], 'a/b.yml')).keys).toBe('a/b.keys.yaml');
    expect((await find(['fleet/x.yaml'], 'fleet')).topology).toBe('fleet/x.yaml');
  });

  it.each([
    [[], undefined, 'no folder topologies/'],
    [['topologies/a.yaml', 'topologies/b.yaml'], undefined, 'topologies/a.yaml, topologies/b.yaml'],
    [['topologies/a.json', 'topologies/a.lock.yaml'], undefined, 'it contains a.json, a.lock.yaml'],
    [['topologies/a.lock.yaml'], 'topologies/a.lock.yaml', 'is a lock, not a topology'],
    [['topologies/a.keys.yaml'], 'topologies/a.keys.yaml', 'is a keys file, not a topology'],
  ])('cannot be told from %j and %j', async (files, named, message) => {
    const refused = await find(files, named).catch((error: unknown) => error);
    expect(refused instanceof OperationRefused && describeRefusal(refused.refusal).message).toContain(message);
  });

  it('is every one of the folder for --all', async () => {
    const { folder } = workspace({ 'topologies/b.yaml': '', 'topologies/a.yaml': '', 'topologies/a.lock.yaml': '' });
    expect((await findAllTopologies(diskPorts(folder).files, undefined)).map((it) => it.topology)).toEqual([
      'topologies/a.yaml',
      'topologies/b.yaml',
    ]);
  });
});

const FILES = {
  topology: 'topology.yaml',
  keys: 'topology.keys.yaml',
  identities: 'topology.identities.yaml',
  lock: 'topology.lock.yaml',
  byDefault: true,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-read-sources-'));
  writeFileSync(join(folder, FILES.topology), 'version: 1\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function told(): Promise<readonly string[]> {
  const read = await readSources(diskPorts(folder).files, FILES);
  return read.diagnostics.map((it) => `${it.span.source.path}: ${it.code}: ${it.message}`);
}

it('reads the topology, and the files beside it that are there', async () => {
  writeFileSync(join(folder, FILES.lock), 'version: 1\ndecisions: {}\n');
  const read = await readSources(diskPorts(folder).files, FILES);
  expect(read).toEqual({
    ok: true,
    value: {
      topology: { path: 'topology.yaml', text: 'version: 1\n' },
      keys: undefined,
      identities: undefined,
      lock: { path: 'topology.lock.yaml', text: 'version: 1\ndecisions: {}\n' },
    },
    diagnostics: [],
  });
});

const TEXTS = {
  'source/too-large': 'the file is larger than 16 MiB: it has 17 MiB',
  'source/not-text': 'the file is not UTF-8 text',
} as const;

it('a file that is too large is a mistake, and is not read', async () => {
  truncateSync(join(folder, FILES.topology), LARGEST_FILE_BYTES + 1);
  expect(await told()).toEqual([`topology.yaml: source/too-large: ${TEXTS['source/too-large']}`]);
});

it('a file that is not UTF-8 is a mistake, whichever it is', async () => {
  writeFileSync(join(folder, FILES.keys), Buffer.from([0x76, 0xe9]));
  expect(await told()).toEqual([`topology.keys.yaml: source/not-text: ${TEXTS['source/not-text']}`]);
});

it('mistakes in several files are told in one run', async () => {
  writeFileSync(join(folder, FILES.topology), Buffer.from([0xff, 0xfe, 0x76, 0x00]));
  truncateSync(writeEmpty(FILES.lock), LARGEST_FILE_BYTES + 1);
  expect(await told()).toEqual([
    `topology.yaml: source/not-text: ${TEXTS['source/not-text']}`,
    `topology.lock.yaml: source/too-large: ${TEXTS['source/too-large']}`,
  ]);
});

function writeEmpty(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, '');
  return path;
}
