import { describe, expect, it } from 'vitest';
import { judgeAround } from '../../../src/proof/provenance/judge-around.ts';
import { FLEET, pullRequest, type Repository } from './pull-request.ts';

type Around = Parameters<typeof judgeAround>[0];

const NOTHING: Around = {
  ...{ out: 'out', fleets: null, removed: [], rules: [], left: [] },
  read: ['topologies/topology.yaml', 'topologies/topology.keys.yaml', 'topologies/topology.lock.yaml'],
  written: ['topologies/topology.lock.yaml'],
  changed: new Map(),
};

const changed = (files: Readonly<Record<string, string>>): Pick<Around, 'changed'> => ({
  changed: new Map(Object.entries(files)),
});

const attribute = (path: string, name: string, value: string): Around['rules'][number] => ({
  ...{ kind: 'attribute', path, name, value },
});

const TOPOLOGY = 'topologies/topology.yaml';

/** Changes of a pull request -> the place and the beginning of what is reported, or nothing. */
const CASES: Readonly<Record<string, readonly [Partial<Around>, readonly string[]]>> = {
  'an ordinary file': [changed({ 'README.md': '', 'outer/a.yaml': '', 'out/rome/a.yaml': '' }), []],
  'a folder that is out/ elsewhere': [
    changed({ 'Out/rome/a.yaml': '', OUT: '' }),
    ['Out/rome/a.yaml error the path of this file differs from out only in case', 'OUT error the path'],
  ],
  'a second lock': [
    changed({ 'Topologies/topology.lock.yaml': '' }),
    [
      'Topologies/topology.lock.yaml error the path of this file differs from topologies/topology.lock.yaml only in case',
    ],
  ],
  'what Flux shall not see': [
    { ...changed({ '.sourceignore': '' }), removed: ['../.sourceignore'] },
    ['.sourceignore warning Flux does not see what this file excludes', '../.sourceignore warning Flux'],
  ],
  'what Flux does not look for': [changed({ 'docs/.sourceignore': '', 'out/rome/.sourceignore': '' }), []],
  'a kustomization around the bundles': [
    changed({ 'kustomization.yaml': 'components: [c]\nresources:\n  - ./out/rome\n' }),
    ['kustomization.yaml warning this kustomization includes out/rome, and may change'],
  ],
  'a kustomization beside them': [
    changed({ 'deploy/apps/kustomization.yaml': 'resources: [../../out/rome/peers]\n' }),
    ['deploy/apps/kustomization.yaml warning this kustomization includes out/rome/peers'],
  ],
  'a kustomization of other things': [changed({ 'kustomization.yaml': 'resources: [apps, outer, ../out]\n' }), []],
  'attributes that change bytes': [
    { rules: [attribute('out/a.yaml', 'filter', 'evil'), attribute(TOPOLOGY, 'working-tree-encoding', 'UTF-7')] },
    [
      '.gitattributes warning the attribute "filter=evil" makes git check out other bytes than the commit contains: out/a.yaml',
      '.gitattributes warning the attribute "working-tree-encoding=UTF-7" makes git check out other bytes',
    ],
  ],
  'attributes that hide': [
    { rules: [attribute(TOPOLOGY, 'diff', 'unset'), attribute(TOPOLOGY, 'linguist-generated', 'true')] },
    [
      '.gitattributes warning the attribute "-diff" hides the changes of these files from reviewers: topologies/topology.yaml',
      '.gitattributes warning the attribute "linguist-generated=true" folds these files in reviews',
    ],
  ],
  'the attributes that `weft init` writes': [
    {
      rules: [
        attribute('out/a.yaml', 'linguist-generated', 'true'),
        attribute('topologies/topology.lock.yaml', 'linguist-generated', 'true'),
        attribute(TOPOLOGY, 'diff', 'yaml'),
        attribute(TOPOLOGY, 'working-tree-encoding', 'UTF-8'),
        attribute(TOPOLOGY, 'filter', 'unset'),
      ],
    },
    [],
  ],
  'a lock that git ignores': [
    { rules: [{ kind: 'ignored', path: 'topologies/topology.lock.yaml', by: '.gitignore', line: 3 }] },
    ['.gitignore warning line 3 makes git ignore topologies/topology.lock.yaml, so a new one is not committed'],
  ],
  'bundles in the former folder': [
    { left: ['old'] },
    ['old/addresses.json warning old/ contains bundles of this fleet, too, which nothing compiles any more'],
  ],
  'a file between the fleets': [
    {
      ...changed({ 'out/evil.yaml': '', 'out/mars/a.yaml': '', 'out/asia/a.yaml': '' }),
      ...{ out: 'out/europe', fleets: ['out/europe', 'out/asia'] },
    },
    ['out/evil.yaml error this file was added by hand: it belongs to the folder of no fleet', 'out/mars/a.yaml error'],
  ],
};

describe('a change outside of the bundles', () => {
  const code = 'provenance/acts-on-files';

  it.each(Object.entries(CASES))('that acts on them is reported: %s', (_, [around, expected]) => {
    const found = judgeAround({ ...NOTHING, ...around }).map(
      ({ span, severity, message }) => `${span.source.path} ${severity} ${message}`,
    );
    expect(found.map((it, i) => it.slice(0, expected[i]?.length))).toEqual(expected);
  });

  it('is found in the files and the rules of a pull request, and does not fail its check', async () => {
    const it = await pullRequest();
    it.write('.gitattributes', '/topologies/*.yaml -diff\n');
    it.write('.gitignore', '# ours\n*.lock.yaml\n');
    it.write('.sourceignore', '/out/rome\n');
    it.write('kustomization.yaml', 'resources: [out/rome]\ncomponents: [evil]\n');
    it.commit();
    const { code: exit, stderr } = await it.check({ options: { verbose: true } });
    expect(exit).toBe(0);
    for (const place of ['.gitattributes', '.gitignore', '.sourceignore', 'kustomization.yaml'])
      expect(stderr).toContain(`${place}:1:1: warning ${code}`);
    expect((await it.comment()).comment).toContain('needs a closer look at 4 places');
  });

  it('is nothing that the base branch changed meanwhile', async () => {
    const it = await pullRequest();
    it.write('README.md', 'harmless\n');
    it.commit();
    it.git('checkout', '--quiet', 'main');
    it.write('.sourceignore', '/docs\n');
    it.commit('main moves');
    it.git('checkout', '--quiet', 'edit');
    expect((await it.check()).stderr).not.toContain(code);
  });

  it('is a file beside the folders of several fleets, of which each has its own plan with --all', async () => {
    const it = await severalFleets();
    it.edit(TOPOLOGY, '203.0.113.30', '203.0.113.31');
    it.edit('topologies/asia.yaml', '10.200.0.0/16', '10.201.0.0/16');
    await it.compile('--all');
    it.commit();
    const given = {
      options: { all: true, 'plan-json': 'plan.json', diff: 'diff' },
      env: { GITHUB_OUTPUT: it.at('outputs') },
    };
    const honest = await it.check(given);
    expect(honest.code).toBe(0);
    expect(honest.stdout).toMatch(
      /^topologies\/asia\.yaml\n[\s\S]*\ntopologies\/topology\.yaml\n[\s\S]*203\.0\.113\.31/,
    );
    expect(it.read('outputs')).toMatch(/^plan-json<<.*\nplan-asia\.json\nplan-europe\.json\n/m);
    expect(it.read('outputs')).toMatch(/^changed<<.*\nfalse\n/m);
    expect(JSON.parse(it.read('plan-asia.json'))).toMatchObject({ fleet: 'asia', empty: false });
    it.write('out/evil.yaml', 'a: 1\n');
    it.commit();
    expect(await it.check(given)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('out/evil.yaml:1:1: error'),
    });
    const several = await it.check({ options: { all: true, output: 'json' } });
    expect(several.code).toMatch(/^2: --all and --output exclude each other with several topologies/);
  });

  it('is a file beside the folders of several fleets, which the check of one of them reports', async () => {
    const it = await severalFleets();
    it.write('out/evil.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n');
    it.commit();
    const found = await it.check({ options: { out: 'out/europe' }, topology: 'topologies/topology.yaml' });
    expect(found).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('out/evil.yaml:1:1: error provenance/added'),
    });
  });

  it('is a file beside the folders of several fleets, in the pull request that adds the second', async () => {
    const it = await pullRequest({ [TOPOLOGY]: FLEET_WITHOUT_TOOLS });
    it.write('topologies/asia.yaml', ASIA);
    it.remove('out');
    await it.compile('--all');
    it.commit();
    expect(await it.check({ options: { all: true } })).toMatchObject({ code: 0 });
    it.write('out/evil.yaml', 'a: 1\n');
    it.commit();
    expect(await it.check({ options: { all: true } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('out/evil.yaml:1:1: error provenance/added'),
    });
  });
});

const FLEET_WITHOUT_TOOLS = FLEET.replace(/^gitops.*\n/m, '');
const ASIA =
  'version: 1\nname: asia\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }\nclusters:\n  tokyo: { podCIDR: 10.200.0.0/16 }\n';

/** A repository with two fleets, each in its own folder. */
const severalFleets = (): Promise<Repository> =>
  pullRequest({ [TOPOLOGY]: FLEET_WITHOUT_TOOLS, 'topologies/asia.yaml': ASIA }, ['--all']);
