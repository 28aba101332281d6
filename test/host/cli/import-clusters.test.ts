import { describe, expect, it } from 'vitest';
import { recordedKubectl } from '../kubectl/recorded-kubectl.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const CSV =
  'name,podCIDR,serviceCIDR,gateway\neurope,10.200.0.0/16,10.96.0.0/12,203.0.113.10\nrome,10.202.0.0/16,10.96.0.0/12,\n';
const PATH = 'topologies/inventory/topology.clusters.yaml';
const TOPOLOGY_PATH = 'topologies/topology.yaml';

const codesOf = (stdout: string): readonly string[] =>
  (JSON.parse(stdout) as { readonly diagnostics: readonly { readonly code: string }[] }).diagnostics.map(
    (it) => it.code,
  );

describe('weft import --clusters', () => {
  it('starts a fleet, which compiles when it has a hub, and finds nothing to do the next time', async () => {
    const it = workspace({ 'a.csv': CSV });
    const first = await it.weft('import', '--clusters', 'a.csv', '--name', 'europe');
    expect(first).toEqual({
      code: 0,
      stderr: '',
      stdout: `wrote ${PATH}
wrote schemas/topology.schema.json
wrote ${TOPOLOGY_PATH} (a new topology: name its hub there)
2 clusters in the inventory: 2 added, 0 changed, 0 unchanged
  + europe
  + rome
"weft plan" shows what this changes in the network
`,
    });
    expect((await it.weft('compile')).code).toBe(0);
    it.write(TOPOLOGY_PATH, it.read(TOPOLOGY_PATH).replace('# hub: NAME-OF-A-CLUSTER', 'hub: europe'));
    expect((await it.weft('validate')).stdout).toContain('2 clusters, 1 link');
    const before = [it.read(PATH), it.read(TOPOLOGY_PATH)];
    for (const options of [[], ['--check']]) {
      const again = await it.weft('import', '--clusters', 'a.csv', ...options);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing to write')]);
    }
    expect([it.read(PATH), it.read(TOPOLOGY_PATH)]).toEqual(before);
  });

  it('adds the file to a topology that is there, and changes no other line of it', async () => {
    const it = workspace({ [TOPOLOGY_PATH]: TOPOLOGY, 'a.csv': 'name,podCIDR\noslo,10.204.0.0/16\n' });
    const { code, stdout } = await it.weft('import', '--clusters', 'a.csv');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`wrote ${TOPOLOGY_PATH} (one line more, which includes the clusters)`),
    ]);
    expect(it.read(TOPOLOGY_PATH)).toBe(
      TOPOLOGY.replace('name: europe\n', 'name: europe\ninclude: [inventory/topology.clusters.yaml]\n'),
    );
    expect((await it.weft('validate')).stdout).toContain('4 clusters');
  });

  it.each([
    ['its folder', 'include: [inventory/]\n', 'include: [inventory/]\n'],
    ['the file', 'include: [inventory/topology.clusters.yaml]\n', 'include: [inventory/topology.clusters.yaml]\n'],
    ['other files', 'include:\n  - regions/\n', 'include:\n  - regions/\n  - inventory/topology.clusters.yaml\n'],
  ])('understands a topology that includes %s', async (_, before, after) => {
    const files = { [PATH]: 'version: 1\n', 'topologies/regions/a.yaml': 'version: 1\n' };
    const it = workspace({
      ...files,
      [TOPOLOGY_PATH]: TOPOLOGY + before,
      'a.csv': 'name,podCIDR\noslo,10.204.0.0/16\n',
    });
    expect((await it.weft('import', '--clusters', 'a.csv')).code).toBe(0);
    expect(it.read(TOPOLOGY_PATH)).toBe(TOPOLOGY + after);
    expect((await it.weft('validate')).code).toBe(0);
  });

  it('writes the file again when it was deleted', async () => {
    const included = `${TOPOLOGY}include: [inventory/topology.clusters.yaml]\n`;
    const it = workspace({ [TOPOLOGY_PATH]: included, 'a.csv': 'name,podCIDR\noslo,10.204.0.0/16\n' });
    expect((await it.weft('import', '--clusters', 'a.csv')).code).toBe(0);
    expect(it.read(PATH)).toContain('oslo: { podCIDR: 10.204.0.0/16 }');
    expect(it.read(TOPOLOGY_PATH)).toBe(included);
  });

  it('with --check writes nothing, and ends with 1 for a change', async () => {
    const it = workspace({ [TOPOLOGY_PATH]: TOPOLOGY, 'a.csv': 'name,podCIDR\noslo,10.204.0.0/16\n' });
    const { code, stdout } = await it.weft('import', '--clusters', 'a.csv', '--check');
    expect([code, stdout]).toEqual([1, expect.stringContaining(`would write ${PATH}`)]);
    expect(() => it.read(PATH)).toThrow();
    expect(it.read(TOPOLOGY_PATH)).toBe(TOPOLOGY);
  });

  it('changes nothing for a mistake, an empty inventory or an empty one beside a full one', async () => {
    const it = workspace({
      'a.csv': CSV,
      'empty.csv': 'name,podCIDR\n',
      'bad.csv': CSV.replace('10.202.0.0', '10.202.0.1'),
    });
    await it.weft('import', '--clusters', 'a.csv');
    const before = it.read(PATH);
    for (const [files, code] of [
      [['empty.csv'], 'inventory/empty'],
      [['a.csv', 'empty.csv'], 'inventory/empty'],
      [['bad.csv'], 'topology/host-bits'],
    ] as const) {
      const answer = await it.weft('import', '--clusters', ...files, '-o', 'json');
      expect([answer.code, codesOf(answer.stdout)]).toEqual([1, [code]]);
    }
    expect(it.read(PATH)).toBe(before);
  });

  it('reads stdin, folders and several files', async () => {
    const it = workspace({
      'a/one.csv': CSV,
      'a/two.json': '{"oslo":{"pod_cidr":"10.204.0.0/16","service_cidr":"10.96.0.0/12"}}',
      'a/notes.txt': 'x',
    });
    expect((await it.weft('import', '--clusters', 'a/')).stdout).toContain('3 clusters in the inventory: 3 added');
    const piped = await it.weftWith({ stdin: CSV }, 'import', '--clusters', '-');
    expect([piped.code, piped.stdout, piped.stderr]).toEqual([
      0,
      expect.stringContaining('2 unchanged, 1 no longer in the inventory'),
      expect.stringMatching(/inventory\/cluster-gone[\s\S]*if another inventory has it, name both in one call;/),
    ]);
  });

  const cluster = {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Cluster',
    metadata: { name: 'rome', namespace: 'fleet' },
    spec: { clusterNetwork: { pods: { cidrBlocks: ['10.1.0.0/16'] }, services: { cidrBlocks: ['10.96.0.0/12'] } } },
  };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'rome',
      namespace: 'argocd',
      labels: { 'argocd.argoproj.io/secret-type': 'cluster', site: 'italy' },
    },
    data: { name: 'cm9tZQ==', server: 'aHR0cHM6Ly9yb21l', config: 'aHVudGVyMg==' },
  };

  it('reads Cluster API and Argo CD through kubectl, without credentials', async () => {
    const env = recordedKubectl({ management: [cluster, secret] });
    const it = workspace();
    const answer = await it.weftWith({ env }, 'import', '--clusters', '--context', 'management');
    expect([answer.code, answer.stderr]).toEqual([0, '']);
    expect(it.read(PATH)).toMatch(
      /\n {4}podCIDR: 10\.1\.0\.0\/16\n(?:.*\n)* {4}apiServer: "https:\/\/rome"\n {4}labels: \{ site: italy \}\n$/,
    );
    expect(it.read(PATH)).not.toContain('hunter2');
  });

  it('refuses a context without clusters', async () => {
    const env = recordedKubectl({ management: [{ ...secret, kind: 'ConfigMap' }] });
    const answer = await workspace().weftWith({ env }, 'import', '--clusters', '--context', 'management', '-o', 'json');
    expect([answer.code, codesOf(answer.stdout)]).toEqual([1, ['inventory/empty']]);
  });

  it.each([
    [['--clusters'], 'neither an inventory nor a context is given'],
    [['--clusters', 'rome=a.csv'], 'write a.csv'],
    [['--clusters', '--context', 'rome=management'], 'write management'],
    [['--clusters', '--print-commands'], 'exclude each other'],
    [['a.csv'], 'add --clusters'],
    [['--clusters', 'gone.csv'], 'there is no file gone.csv'],
    [['--clusters', 'a.csv', '--topology', 'fleet'], 'does not end in .yaml'],
  ])('is refused with %j', async (argv, message) => {
    const { code, stderr } = await workspace({ 'a.csv': CSV }).weft('import', ...argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('reports a topology that is broken, and leaves it alone', async () => {
    const it = workspace({ [TOPOLOGY_PATH]: 'version: 1\nname: [\n', 'a.csv': CSV });
    const { code, stdout } = await it.weft('import', '--clusters', 'a.csv', '-o', 'json');
    expect([code, codesOf(stdout)]).toEqual([1, ['source/yaml-syntax']]);
    expect(it.read(TOPOLOGY_PATH)).toBe('version: 1\nname: [\n');
  });
});
