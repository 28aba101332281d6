import { describe, expect, it } from 'vitest';
import { diskPorts } from '../../../src/host/app/disk-ports.ts';
import { OperationRefused } from '../../../src/host/app/refusal.ts';
import { findAllTopologies, findTopology } from '../../../src/host/app/topology-files.ts';
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
