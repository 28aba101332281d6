import { describe, expect, it } from 'vitest';
import { CODES } from '../../../src/base/diagnostics/codes.ts';
import { outcome } from '../../../src/base/diagnostics/outcome.ts';
import { compileTopology } from '../../../src/host/app/compile-topology.ts';
import { explainCode, explainedCodes } from '../../../src/host/app/explain.ts';
import { planFleet } from '../../../src/host/app/plan-fleet.ts';
import { startFleet } from '../../../src/host/app/start-fleet.ts';
import { traceFleet, tracePairs } from '../../../src/host/app/trace-fleet.ts';
import { translateForCluster } from '../../../src/host/app/translate-for-cluster.ts';
import { verifyFleet } from '../../../src/host/app/verify-fleet.ts';
import { viewCluster } from '../../../src/host/app/view-cluster.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { lookupPorts, memoryPorts } from './memory-ports.ts';

const PATH = 'topologies/topology.yaml';
const ANY = { topology: undefined, lock: undefined };

/** A fleet with its bundles and its lock, and nothing on a disk. */
async function fleet() {
  const ports = memoryPorts({ [PATH]: TOPOLOGY });
  const topology = await compileTopology(ports.files, ANY, { only: null });
  if (topology.kind !== 'compiled') throw new Error(topology.kind);
  for (const [path, text] of topology.compiled.bundle) ports.disk.set(`out/${path}`, text);
  ports.disk.set(topology.files.lock, topology.compiled.lock);
  return ports;
}

const broken = memoryPorts({ [PATH]: TOPOLOGY.replace('10.200.0.0/16', '10.200.0.1/16') }).files;

const packetTo = (cluster: string) =>
  ({ from: { cluster: 'rome', address: null }, to: { kind: 'cluster', cluster, address: null } }) as const;

/** Each use case that begins with a topology, with its smallest request. */
const USE_CASES = {
  planFleet: (files: typeof broken) =>
    planFleet(
      { files, tree: { contentOf: () => ({ kind: 'empty' }) } },
      { ...ANY, out: 'out', base: { kind: 'out' }, allowDestroy: false, maxRemoved: 1 },
    ),
  verifyFleet: (files: typeof broken) =>
    verifyFleet(
      { files, progress: () => {}, tree: { writtenByWeft: () => () => true, contentOf: () => ({ kind: 'empty' }) } },
      { ...ANY, out: 'out' },
    ),
  viewCluster: (files: typeof broken) => viewCluster(lookupPorts(files), { ...ANY, cluster: 'rome', peer: undefined }),
  traceFleet: (files: typeof broken) =>
    traceFleet(lookupPorts(files), { ...ANY, without: [], packet: packetTo('milan') }),
  tracePairs: (files: typeof broken) => tracePairs(lookupPorts(files), { ...ANY, without: [] }),
  translateForCluster: (files: typeof broken) =>
    translateForCluster(
      { files, readEndpoints: async () => outcome({ path: 'stdin', text: '10.202.0.5\n' }) },
      { ...ANY, hub: 'europe', receiver: 'rome' },
    ),
} as const;

describe.each(Object.entries(USE_CASES))('%s', (_, run) => {
  it('answers without a disk', async () => {
    expect(['errors', 'refused']).not.toContain((await run((await fleet()).files)).kind);
  });

  it('gives the diagnostics of a topology with errors', async () => {
    const result = await run(broken);
    if (result.kind !== 'errors') throw new Error(result.kind);
    expect(result.diagnostics.map((it) => it.code)).toContain('topology/host-bits');
  });

  it('says that there is no topology', async () => {
    await expect(run(memoryPorts({}).files)).rejects.toMatchObject({
      refusal: { kind: 'no-topologies', folder: 'topologies' },
    });
  });
});

describe('a plan', () => {
  it('is empty for bundles that are current, and names what an edit changes', async () => {
    const ports = await fleet();
    expect(await USE_CASES.planFleet(ports.files)).toMatchObject({ kind: 'planned', plan: { changes: [] } });
    ports.disk.set(PATH, TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    const result = await USE_CASES.planFleet(ports.files);
    if (result.kind !== 'planned') throw new Error(result.kind);
    expect(result.plan.changes.map((it) => it.kind)).toContain('link-removed');
  });
});

describe('verification', () => {
  it('counts what it read, and finds a lock that is not current', async () => {
    const ports = await fleet();
    expect(await USE_CASES.verifyFleet(ports.files)).toMatchObject({
      diagnostics: [],
      counts: { clusters: 3, links: 3, files: [...ports.disk.keys()].filter((it) => it.startsWith('out/')).length },
    });
    ports.disk.delete('topologies/topology.lock.yaml');
    const { diagnostics } = (await USE_CASES.verifyFleet(ports.files)) as { diagnostics: readonly unknown[] };
    expect(diagnostics).toHaveLength(1);
  });

  it('needs a folder', async () => {
    expect(await USE_CASES.verifyFleet(memoryPorts({ [PATH]: TOPOLOGY }).files)).toEqual({
      kind: 'refused',
      refusal: { kind: 'no-bundles', out: 'out' },
    });
  });
});

describe('names of clusters', () => {
  const { files } = memoryPorts({ [PATH]: TOPOLOGY });

  it.each([
    ['viewCluster', () => viewCluster(lookupPorts(files), { ...ANY, cluster: 'rome', peer: 'paris' })],
    [
      'traceFleet',
      () =>
        traceFleet(lookupPorts(files), {
          ...ANY,
          without: [],
          packet: packetTo('paris'),
        }),
    ],
    [
      'translateForCluster',
      () =>
        translateForCluster(
          { files, readEndpoints: () => Promise.reject(new Error('nobody asks for endpoints')) },
          { ...ANY, hub: 'europe', receiver: 'paris' },
        ),
    ],
  ])('are checked by %s', async (_, run) => {
    const known = ['europe', 'milan', 'rome'];
    expect(await run()).toMatchObject({ kind: 'refused', refusal: { kind: 'unknown-cluster', name: 'paris', known } });
  });
});

describe('a new fleet', () => {
  const start = async (there: readonly string[]) => {
    const written = new Map<string, string>();
    const result = await startFleet(
      {
        absolute: (folder) => `/home/ada/${folder}`,
        read: async (path) => (there.includes(path) ? { kind: 'ok', text: 'mine' } : { kind: 'missing' }),
        writeFile: async (path, text) => void written.set(path, text),
        append: async (path, text) => void written.set(path, text),
        files: memoryPorts({}).files,
      },
      { folder: 'asia', scheduled: [], forge: 'github', weft: { version: '9.9.9', release: null } },
    );
    return { result, written };
  };

  const AROUND = ['.gitattributes', '.prettierignore', '.yamllint'];

  it('is named after its folder and keeps a schema that is there', async () => {
    const { result, written } = await start(['asia/schemas/topology.schema.json']);
    const paths = ['topologies/topology.yaml', '.github/workflows/weft.yml', ...AROUND].map((it) => `asia/${it}`);
    expect(result).toEqual({
      kind: 'started',
      folder: 'asia',
      written: paths,
      extended: [],
      tarball: '.github/weft/liqo-weft-9.9.9.tgz',
      unchecked: null,
    });
    expect(written.get('asia/topologies/topology.yaml')).toContain('name: asia');
  });

  it('may have its topology already, as after an import', async () => {
    const { result, written } = await start(['asia/topologies', 'asia/topologies/lent.yaml']);
    const paths = ['.github/workflows/weft.yml', 'schemas/topology.schema.json', ...AROUND].map((it) => `asia/${it}`);
    expect(result).toEqual({
      kind: 'started',
      folder: 'asia',
      written: paths,
      extended: [],
      tarball: '.github/weft/liqo-weft-9.9.9.tgz',
      unchecked: null,
    });
    expect([...written.keys()]).toEqual(paths);
  });

  it.each(['.yamllint', '.yamllint.yaml', '.yamllint.yml'])('leaves yamllint the settings of %s', async (name) => {
    const { result, written } = await start([`asia/${name}`]);
    expect(result).toMatchObject({ kind: 'started', extended: [] });
    expect(written.has('asia/.yamllint')).toBe(false);
  });

  it('adds its lines to a .prettierignore that is there', async () => {
    const { result, written } = await start(['asia/.prettierignore']);
    expect(result).toMatchObject({ kind: 'started', extended: ['asia/.prettierignore'] });
    expect(written.get('asia/.prettierignore')).toContain('\n/out/\n');
  });

  it('overwrites nothing', async () => {
    const { result, written } = await start(['asia/topologies', 'asia/.github/workflows/weft.yml']);
    expect(result).toEqual({
      kind: 'refused',
      refusal: { kind: 'files-exist', paths: ['asia/.github/workflows/weft.yml'], command: 'init' },
    });
    expect(written.size).toBe(0);
  });
});

describe('codes', () => {
  it('are explained by their whole name or their last part', () => {
    expect(explainCode('host-bits')).toEqual(explainCode('topology/host-bits'));
    expect(explainCode('host-bits')).toMatchObject({ code: 'topology/host-bits' });
    expect(explainCode('topology/hots-bits')).toBeUndefined();
  });

  it('all have a sentence', () => {
    expect(explainedCodes().map((it) => it.code)).toEqual(Object.keys(CODES));
    expect(explainedCodes().filter((it) => it.summary === '')).toEqual([]);
  });
});
