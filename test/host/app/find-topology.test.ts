import { describe, expect, it } from 'vitest';
import { diskPorts } from '../../../src/host/app/disk-ports.ts';
import { findAllTopologies, findTopology } from '../../../src/host/app/find-topology.ts';
import { OperationRefused } from '../../../src/host/app/refusal.ts';
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

  it('is topology.yaml in the working folder before any other, with its files beside it', async () => {
    expect(await find(['topology.yaml', 'topologies/topology.yaml', 'other.yaml'])).toEqual({
      topology: 'topology.yaml',
      byDefault: true,
      keys: 'topology.keys.yaml',
      identities: 'topology.identities.yaml',
      lock: 'topology.lock.yaml',
    });
  });

  it('is no folder of that name', async () => {
    expect((await find(['topology.yaml/README.md', 'topologies/asia.yaml'])).topology).toBe('topologies/asia.yaml');
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
    [[], undefined, 'neither a file topology.yaml nor a folder topologies/'],
    [['topologies/README.md'], undefined, 'it contains README.md; and no file topology.yaml beside it'],
    [['fleet/README.md'], 'fleet', /it contains README.md$/],
    [['topologies/a.yaml', 'topologies/b.yaml'], undefined, 'topologies/a.yaml, topologies/b.yaml'],
    [['topologies/a.json', 'topologies/a.lock.yaml'], undefined, 'it contains a.json, a.lock.yaml'],
    [['topologies/a.lock.yaml'], 'topologies/a.lock.yaml', 'is a lock, not a topology'],
    [['topologies/a.keys.yaml'], 'topologies/a.keys.yaml', 'is a keys file, not a topology'],
  ])('cannot be told from %j and %j', async (files, named, message) => {
    const refused = await find(files, named).catch((error: unknown) => error);
    expect(refused instanceof OperationRefused && describeRefusal(refused.refusal).message).toMatch(message);
  });

  it.each([
    ['topology.yml', 'if topology.yml is one, name it or rename it to topology.yaml; or create one with "weft init"'],
    ['fleet.yaml', 'if fleet.yaml is one, name it or rename it to topology.yaml'],
    ['topology.lock.yaml', /^name a topology file/],
    ['README.md', /^name a topology file/],
  ])('may be %s in the working folder', async (file, hint) => {
    const refused = await find([file]).catch((error: unknown) => error);
    expect(refused instanceof OperationRefused && describeRefusal(refused.refusal).hint).toMatch(hint);
  });

  it.each([
    [
      ['topologies/b.yaml', 'topologies/a.yaml', 'topologies/a.lock.yaml'],
      undefined,
      'topologies/a.yaml topologies/b.yaml',
    ],
    [['topology.yaml', 'topology.keys.yaml', 'other.yaml'], undefined, 'topology.yaml'],
    [['topology.yaml', 'topologies/a.yaml'], undefined, 'topology.yaml topologies/a.yaml'],
    [['topology.yaml', 'fleet/b.yaml', 'fleet/topology.yaml'], 'fleet', 'fleet/b.yaml fleet/topology.yaml'],
    [
      ['fleet/topology.yaml', 'fleet/topologies/a.yaml'],
      'fleet/topology.yaml',
      'fleet/topology.yaml fleet/topologies/a.yaml',
    ],
  ])('is every one of the fleet, or of the named folder, for --all: %j and %j', async (files, named, found) => {
    const { folder } = workspace(Object.fromEntries(files.map((it) => [it, ''])));
    const all = await findAllTopologies(diskPorts(folder).files, named);
    expect(all.map((it) => it.topology).join(' ')).toBe(found);
    expect(all.map((it) => it.byDefault)).toEqual(all.map(() => all.length === 1));
  });

  it.each([
    [[], undefined, 'no-topologies'],
    [['topologies/a.lock.yaml'], undefined, 'no-topology-in-folder'],
    [['fleet/README.md'], 'fleet', 'no-topology-in-folder'],
    [['topologies/a.yaml'], 'topologies/a.yaml', 'no-folder'],
  ])('is missing for --all: %j and %j', async (files, named, kind) => {
    const { folder } = workspace(Object.fromEntries(files.map((it) => [it, ''])));
    await expect(findAllTopologies(diskPorts(folder).files, named)).rejects.toMatchObject({ refusal: { kind } });
  });
});
