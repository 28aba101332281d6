import { describe, expect, it } from 'vitest';
import { type CompileRequest, type CompileResult, compileFleet } from '../../../src/host/app/compile-fleet.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { type MemoryPorts, memoryPorts } from './memory-ports.ts';

const REQUEST: CompileRequest = {
  topology: undefined,
  lock: undefined,
  all: false,
  out: 'out',
  only: null,
  relock: [],
  mode: 'write',
  verify: false,
  frozenLock: false,
  allowEmpty: false,
  allowDestroy: false,
  maxRemoved: 1 / 3,
};

const PATH = 'topologies/topology.yaml';
const LOCK = 'topologies/topology.lock.yaml';

const compile = (ports: MemoryPorts, request: Partial<CompileRequest> = {}): Promise<CompileResult> =>
  compileFleet(ports, { ...REQUEST, ...request });

/** A fleet whose bundles are up to date, with a topology that is edited afterwards. */
async function compiled(topology = TOPOLOGY): Promise<MemoryPorts> {
  const ports = memoryPorts({ [PATH]: TOPOLOGY });
  await compile(ports);
  ports.disk.set(PATH, topology);
  return ports;
}

/** Runs a request that has to be refused, and checks that it leaves everything as it was. */
async function refusal(ports: MemoryPorts, request: Partial<CompileRequest> = {}): Promise<unknown> {
  const before = new Map(ports.disk);
  const result = await compile(ports, request);
  expect(ports.disk).toEqual(before);
  return result.kind === 'refused' ? result.refusal : result;
}

const withoutLinks = TOPOLOGY.replace('hub: europe\n', '').replace('shortcuts:\n  - [rome, milan]\n', '');

describe('compileFleet', () => {
  it('writes bundles and lock without a disk, and says what it did', async () => {
    const ports = memoryPorts({ [PATH]: TOPOLOGY });
    const result = await compile(ports);
    expect(result).toMatchObject({ kind: 'written', fleets: [{ out: 'out', only: null, lockWasLost: false }] });
    expect([...ports.disk.keys()]).toEqual(expect.arrayContaining([PATH, LOCK, 'out/rome/kustomization.yaml']));
    expect(ports.steps).toEqual([{ kind: 'compiling' }, { kind: 'writing', out: 'out' }]);
  });

  it('finds nothing to do the second time, also when it only compares', async () => {
    const ports = await compiled();
    expect(await compile(ports)).toMatchObject({ fleets: [{ tree: { created: [], changed: [], removed: [] } }] });
    expect(await compile(ports, { mode: 'check' })).toMatchObject({ kind: 'compared', fleets: [{ differences: [] }] });
  });

  it('compares without writing: the lock first, then what would be created, changed and removed', async () => {
    const ports = await compiled(TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    ports.disk.delete('out/europe/kustomization.yaml');
    const before = new Map(ports.disk);
    const result = await compile(ports, { mode: 'check' });
    expect(ports.disk).toEqual(before);
    if (result.kind !== 'compared') throw new Error(result.kind);
    const [fleet] = result.fleets;
    expect(fleet?.differences[0]).toEqual({ change: 'change', path: LOCK });
    expect(fleet?.differences).toContainEqual({ change: 'add', path: 'out/europe/kustomization.yaml' });
    expect(fleet?.differences).toContainEqual({ change: 'remove', path: 'out/rome/peers/milan/milan.yaml' });
  });

  it('proves what somebody edited only when it is asked to', async () => {
    const edited = async (verify: boolean) => {
      const ports = await compiled();
      const path = 'out/rome/peers/europe/europe.yaml';
      ports.disk.set(path, (ports.disk.get(path) ?? '').replaceAll('10.200.0.0/16', '10.209.0.0/16'));
      // Its text is not the one that weft wrote.
      const tree = { ...ports.tree, writtenByWeft: () => () => false };
      const { kind, ...result } = await compileFleet({ ...ports, tree }, { ...REQUEST, mode: 'check', verify });
      expect(kind).toBe('compared');
      return 'diagnostics' in result ? result.diagnostics.filter((it) => it.severity === 'error') : [];
    };
    expect(await edited(false)).toEqual([]);
    expect((await edited(true)).map((it) => it.code.split('/')[0])).toContain('verify');
  });

  it('notices that bundles are there and their lock is not', async () => {
    const ports = await compiled();
    ports.disk.delete(LOCK);
    expect(await compile(ports)).toMatchObject({ kind: 'written', fleets: [{ lockWasLost: true }] });
  });

  it('writes nothing when one topology of several has errors', async () => {
    const ports = memoryPorts({ 'topologies/a.yaml': TOPOLOGY, 'topologies/b.yaml': 'version: 1\n' });
    expect(await compile(ports, { all: true })).toMatchObject({ kind: 'failed' });
    expect(ports.disk.size).toBe(2);
  });

  it('gives each topology of several a folder by the name of its fleet', async () => {
    const asia = TOPOLOGY.replace('name: europe', 'name: asia');
    const ports = memoryPorts({ 'topologies/a.yaml': TOPOLOGY, 'topologies/b.yaml': asia });
    expect(await compile(ports, { all: true })).toMatchObject({ fleets: [{ out: 'out/europe' }, { out: 'out/asia' }] });
  });
});

describe('compileFleet refuses, and leaves everything as it was,', () => {
  it('two topologies with one name', async () => {
    const ports = memoryPorts({ 'topologies/a.yaml': TOPOLOGY, 'topologies/b.yaml': TOPOLOGY });
    const topologies = ['topologies/a.yaml', 'topologies/b.yaml'];
    expect(await refusal(ports, { all: true })).toEqual({ kind: 'same-fleet-name', fleet: 'europe', topologies });
  });

  const GITOPS = 'gitops: { repository: https://github.com/example/network, argo: {}, flux: {} }\n';

  it('entry points that name another folder than the one of the bundles', async () => {
    const ports = memoryPorts({ [PATH]: TOPOLOGY + GITOPS });
    const elsewhere = { kind: 'entry-points-elsewhere', topology: PATH, folder: 'build', named: 'out' };
    expect(await refusal(ports, { out: 'build' })).toEqual(elsewhere);
    expect(await refusal(ports, { out: 'build', mode: 'check' })).toEqual(elsewhere);
    expect(await compile(ports, { out: '/tmp/look' })).toMatchObject({ kind: 'written' });
    expect(await compile(ports)).toMatchObject({ kind: 'written' });
  });

  it('entry points of several topologies that all read one folder', async () => {
    const asia = TOPOLOGY.replace('name: europe', 'name: asia');
    const inFolder = (name: string) => GITOPS.replace('argo:', `path: ./out//${name}/, argo:`);
    const wrong = memoryPorts({ 'topologies/a.yaml': asia, 'topologies/b.yaml': TOPOLOGY + GITOPS });
    expect(await refusal(wrong, { all: true })).toEqual({
      kind: 'entry-points-elsewhere',
      topology: 'topologies/b.yaml',
      folder: 'out/europe',
      named: 'out',
    });
    const right = { 'topologies/a.yaml': asia + inFolder('asia'), 'topologies/b.yaml': TOPOLOGY + inFolder('europe') };
    expect(await compile(memoryPorts(right), { all: true })).toMatchObject({ kind: 'written' });
  });

  it.each([
    ['argo: {}', 'argo: { project: shared }', 'the AppProject "shared" in argocd', 'gitops.argo.project'],
    ['flux: {}', 'flux: { source: shared }', 'the GitRepository "shared" in flux-system', 'gitops.flux.source'],
  ])('fleets that would overwrite each other, with %s as %s', async (from, to, object, key) => {
    const asia = TOPOLOGY.replace('name: europe', 'name: asia');
    const shared = (name: string) => GITOPS.replace('argo:', `path: out/${name}, argo:`).replace(from, to);
    const files = { 'topologies/a.yaml': asia + shared('asia'), 'topologies/b.yaml': TOPOLOGY + shared('europe') };
    expect(await refusal(memoryPorts(files), { all: true })).toEqual({
      kind: 'same-entry-point',
      object,
      key,
      topologies: ['topologies/a.yaml', 'topologies/b.yaml'],
    });
  });

  it('a lock that may not change and would', async () => {
    const ports = memoryPorts({ [PATH]: TOPOLOGY });
    expect(await refusal(ports, { frozenLock: true })).toMatchObject({
      kind: 'lock-would-change',
      lock: LOCK,
      before: undefined,
    });
  });

  it('a cluster that would lose its last peer, unless that is meant', async () => {
    const ports = await compiled(withoutLinks);
    expect(await refusal(ports)).toEqual({
      kind: 'clusters-would-be-empty',
      clusters: ['europe', 'milan', 'rome'],
      out: 'out',
    });
    expect(await compile(ports, { allowEmpty: true })).toMatchObject({ kind: 'written' });
  });

  it('a fleet without clusters in the place of one with some', async () => {
    const ports = await compiled('version: 1\nname: europe\nclusters: {}\n');
    expect(await refusal(ports)).toMatchObject({ kind: 'fleet-would-be-empty', topology: PATH, out: 'out' });
  });

  it.each([
    [{ only: ['rmoe'] }, { kind: 'unknown-cluster', name: 'rmoe', known: ['europe', 'milan', 'rome'] }],
    [{ relock: [{ cluster: 'rome', peer: 'asia' }] }, { kind: 'unknown-cluster', name: 'asia' }],
    [{ relock: [{ cluster: 'rome', peer: 'rome' }] }, { kind: 'not-linked', cluster: 'rome', peer: 'rome' }],
  ] as const)('%j', async (request, expected) => {
    expect(await refusal(memoryPorts({ [PATH]: TOPOLOGY }), request)).toMatchObject(expected);
  });

  it('what the tree cannot take', async () => {
    const problems = [{ kind: 'foreign-file', path: 'out/a', message: 'is in the way', hint: 'move it' }] as const;
    const files = { [PATH]: TOPOLOGY };
    const inTheWay = memoryPorts(files, { write: async () => ({ kind: 'refused', problems }) });
    expect(await refusal(inTheWay)).toEqual({ kind: 'tree-blocked', problems });
    const busy = memoryPorts(files, { write: async () => ({ kind: 'busy', holder: 'process 7' }) });
    expect(await refusal(busy)).toEqual({ kind: 'tree-busy', out: 'out', holder: 'process 7' });
  });
});
