import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';
const ASIA = TOPOLOGY.replace('name: europe', 'name: asia').replace('rome:  ', 'tokyo: ').replace('[rome,', '[tokyo,');

/** Every file below a folder, with its text. */
const snapshot = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => [join(it.parentPath, it.name), readFileSync(join(it.parentPath, it.name), 'utf8')]),
  );

type Fleet = ReturnType<typeof workspace>;

/** The command must be refused with these words, and no file may change. */
async function expectRefused(fleet: Fleet, argv: readonly string[], words: readonly string[], code = 2) {
  const before = snapshot(fleet.folder);
  const answer = await fleet.weft(...argv);
  expect(answer).toMatchObject({ code, stdout: '' });
  for (const it of words) expect(answer.stderr).toContain(it);
  expect(snapshot(fleet.folder)).toEqual(before);
}

describe('an output folder with the bundles of another fleet', () => {
  const words = [
    'out/ contains the bundles of the fleet "europe", and topologies/asia.yaml describes "asia"; nothing is written',
    'hint: choose another folder with --out, or give every topology its own folder with "weft compile --all"',
    'if "europe" is the old name of "asia", set `renamedFrom: europe` in topologies/asia.yaml',
  ];
  const twoFleets = async () => {
    const fleet = workspace({ [PATH]: TOPOLOGY, 'topologies/asia.yaml': ASIA });
    expect((await fleet.weft('compile', PATH)).code).toBe(0);
    return fleet;
  };

  it.each([
    ['compile', 'topologies/asia.yaml'],
    ['compile', 'topologies/asia.yaml', '--cluster', 'tokyo'],
    ['compile', 'topologies/asia.yaml', '--allow-destroy', '--allow-empty'],
    ['compile', 'topologies/asia.yaml', '--check'],
    ['plan', 'topologies/asia.yaml'],
    ['pr', 'check', 'topologies/asia.yaml'],
  ])('is left as it is by weft %s %s %s %s', async (...argv) => {
    const fleet = await twoFleets();
    await expectRefused(
      fleet,
      argv.filter((it) => it !== undefined),
      words,
      1,
    );
  });

  it('is not needed: both ways out work', async () => {
    const fleet = await twoFleets();
    expect((await fleet.weft('compile', 'topologies/asia.yaml', '--out', 'asia')).code).toBe(0);
    rmSync(join(fleet.folder, 'out'), { recursive: true });
    expect((await fleet.weft('compile', '--all')).code).toBe(0);
    expect(readdirSync(join(fleet.folder, 'out'))).toEqual(['asia', 'europe']);
    await expectRefused(
      fleet,
      ['compile', PATH],
      ['out/ contains one folder of bundles for each of 2 fleets (asia, europe)'],
    );
  });

  it('is not for a copy of its topology, but for the same topology with another file name', async () => {
    const fleet = workspace({
      [PATH]: TOPOLOGY,
      'topologies/copy.yaml': TOPOLOGY.replace('203.0.113.10', '203.0.113.99'),
    });
    expect((await fleet.weft('compile', PATH)).code).toBe(0);
    const both = ['topologies/topology.yaml and topologies/copy.yaml both describe a fleet "europe"'];
    await expectRefused(fleet, ['compile', 'topologies/copy.yaml'], both, 1);
    await expectRefused(fleet, ['compile', 'topologies/copy.yaml', '--check'], both, 1);
    await expectRefused(fleet, ['plan', 'topologies/copy.yaml'], both, 1);
    rmSync(join(fleet.folder, PATH));
    const lost = ['topologies/copy.lock.yaml is missing although there are bundles'];
    await expectRefused(fleet, ['compile', 'topologies/copy.yaml'], lost, 1);
    const lock = join(fleet.folder, 'topologies/topology.lock.yaml');
    renameSync(lock, join(fleet.folder, 'topologies/copy.lock.yaml'));
    expect((await fleet.weft('compile', 'topologies/copy.yaml')).code).toBe(0);
  });

  it('may be written after the topology says what the fleet was called', async () => {
    const fleet = workspace({ [PATH]: TOPOLOGY });
    await fleet.weft('compile');
    fleet.write(PATH, TOPOLOGY.replace('name: europe', 'name: emea'));
    await expectRefused(fleet, ['compile'], ['set `renamedFrom: europe` in topologies/topology.yaml'], 1);
    fleet.write(PATH, TOPOLOGY.replace('name: europe', 'name: emea\nrenamedFrom: europe'));
    expect((await fleet.weft('plan')).code).toBe(0);
    expect((await fleet.weft('compile')).code).toBe(0);
    expect(fleet.read('out/addresses.json')).toContain('"topology": "emea"');
    expect((await fleet.weft('compile')).code).toBe(0);
  });

  it('is that of the same fleet while its addresses.json has the marks of a merge', async () => {
    const fleet = workspace({ [PATH]: TOPOLOGY });
    await fleet.weft('compile');
    const text = fleet.read('out/addresses.json');
    const line = '  "topology": "europe",\n';
    fleet.write(
      'out/addresses.json',
      text.replace(line, `<<<<<<< a\n  "topology": "emea",\n=======\n${line}>>>>>>> b\n`),
    );
    expect((await fleet.weft('compile')).code).toBe(0);
    expect(fleet.read('out/addresses.json')).toBe(text);
  });
});

describe('a compile that would remove many clusters', () => {
  const LEAVES = ['athens', 'berlin', 'cairo', 'dublin', 'geneva', 'lima'];
  const fleetOf = (names: readonly string[], more = '') =>
    `version: 1\nname: europe\nhub: europe\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }\nclusters:\n  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }\n${names.map((it) => `  ${it}: { podCIDR: 10.${20 + LEAVES.indexOf(it)}.0.0/16${more} }\n`).join('')}`;
  const compiled = async () => {
    const fleet = workspace({ [PATH]: fleetOf(LEAVES) });
    expect((await fleet.weft('compile', '-q')).code).toBe(0);
    return fleet;
  };

  it('asks for the consent that plan asks for, and writes nothing without it', async () => {
    const fleet = await compiled();
    fleet.write(PATH, fleetOf(LEAVES.slice(0, 3)));
    const words = ['3 of 7 clusters', 'nothing is written', 'pass --allow-destroy if this is intended'];
    await expectRefused(fleet, ['compile', '-q'], words, 1);
    await expectRefused(fleet, ['compile', '-q', '--max-removed', '40%'], words, 1);
    expect((await fleet.weft('plan', '-q')).stderr).toContain('3 of 7 clusters');
    expect((await fleet.weft('compile', '-q', '--max-removed', '1/2')).code).toBe(0);
    expect(readdirSync(join(fleet.folder, 'out'))).not.toContain('lima');
  });

  it('removes a few, or all that are allowed, without a question', async () => {
    const fleet = await compiled();
    fleet.write(PATH, fleetOf(LEAVES.slice(0, 4)));
    expect((await fleet.weft('compile', '-q')).code).toBe(0);
    fleet.write(PATH, fleetOf(LEAVES.slice(0, 1)));
    expect((await fleet.weft('compile', '-q', '--allow-destroy')).code).toBe(0);
  });

  it('asks when only the folder of the hub is written, and not when they retire', async () => {
    const fleet = await compiled();
    fleet.write(PATH, fleetOf(LEAVES.slice(0, 3)));
    await expectRefused(fleet, ['compile', '-q', '--cluster', 'europe'], ['3 of 7 clusters', '--allow-destroy'], 1);
    const retiring = fleetOf(LEAVES).replace(/^( {2}(?:athens|berlin|cairo): .*) }$/gm, '$1, retired: true }');
    fleet.write(PATH, retiring);
    expect((await fleet.weft('compile', '-q', '--cluster', 'lima')).code).toBe(0);
    expect((await fleet.weft('compile', '-q')).code).toBe(0);
  });

  it('asks by the files alone when the state before cannot be read', async () => {
    const fleet = await compiled();
    fleet.write('out/addresses.json', '{\n  "version": 1,\n  "topology": "europe",\n');
    fleet.write(PATH, fleetOf(LEAVES.slice(0, 3)));
    await expectRefused(fleet, ['compile', '-q'], ['3 of 7 clusters', '3 of 6 links'], 1);
  });
});

describe('--out', () => {
  const hint = 'hint: name an empty or new folder with --out';

  it.each([
    ['src', 'src/ contains files that no record of weft lists: app, index.ts; nothing is written'],
    ['topologies', 'topologies/ contains files that no record of weft lists: topology.yaml'],
    ['.', './ contains files that no record of weft lists: package.json, src, topologies'],
  ])('%s is refused when it contains other things', async (out, words) => {
    const files = { [PATH]: TOPOLOGY, 'src/index.ts': 'code', 'src/app/main.ts': 'code', 'package.json': '{}' };
    const fleet = workspace(files);
    for (const command of ['compile', 'compile --check', 'compile --cluster rome', 'pr check'])
      await expectRefused(fleet, [...command.split(' '), '--out', out], [words, hint]);
  });

  it('is refused at the root of a repository, whatever is in it', async () => {
    const fleet = workspace({ [PATH]: TOPOLOGY });
    mkdirSync(join(fleet.folder, 'manifests'));
    execFileSync('git', ['init', '-q'], { cwd: join(fleet.folder, 'manifests') });
    await expectRefused(
      fleet,
      ['compile', '--out', 'manifests'],
      ['manifests/ is the root of a repository', 'hint: name a folder in it: --out manifests/out'],
    );
    expect((await fleet.weft('compile', '--out', 'manifests/out')).code).toBe(0);
  });

  it('may have hidden files and a README', async () => {
    const fleet = workspace({ [PATH]: TOPOLOGY, 'out/.gitkeep': '', 'out/README.md': 'the bundles' });
    expect((await fleet.weft('compile')).code).toBe(0);
    fleet.write('out/notes/mine.txt', 'mine');
    expect((await fleet.weft('compile')).code).toBe(0);
  });
});

describe('--lock', () => {
  const hint = 'hint: name another file with --lock, or leave it out: then the lock is beside the topology';

  it.each([
    [PATH, `${PATH} is the topology, not a lock`],
    ['./topologies/../topologies/topology.yaml', 'is the topology, not a lock'],
    ['topologies/topology.keys.yaml', 'is the path of a keys file, not of a lock'],
    ['topologies/other.keys.yaml', 'is the path of a keys file, not of a lock'],
    ['package.json', 'package.json is not a lock, and weft would replace it'],
    ['README.md', 'README.md is not a lock, and weft would replace it'],
    ['topologies/asia.yaml', 'topologies/asia.yaml is not a lock, and weft would replace it'],
    ['.git/config', ".git/config is in git's own folder, where no lock belongs"],
    [
      'topologies/asia.lock.yaml',
      'topologies/asia.lock.yaml is the lock of topologies/asia.yaml, and its decisions would be replaced by those of topologies/topology.yaml',
    ],
  ])('%s is refused', async (lock, words) => {
    const fleet = workspace({
      [PATH]: TOPOLOGY,
      'topologies/asia.yaml': ASIA,
      'package.json': '{ "name": "x" }',
      'README.md': '# a fleet\n',
      '.git/config': '[core]\n',
    });
    await fleet.weft('compile', 'topologies/asia.yaml', '--out', 'asia');
    for (const command of ['compile', 'compile --check', 'plan', 'validate'])
      await expectRefused(fleet, [...command.split(' '), PATH, '--lock', lock], [words, hint]);
  });

  it('may be a lock elsewhere, a new file, or an empty one, which is reported with its place', async () => {
    const fleet = workspace({ [PATH]: TOPOLOGY, 'locks/empty.yaml': '' });
    for (const _ of ['new', 'again']) expect((await fleet.weft('compile', '--lock', 'locks/a.yaml')).code).toBe(0);
    const answer = await fleet.weft('compile', '--lock', 'locks/empty.yaml');
    expect(answer.stderr).toContain('locks/empty.yaml:1:1: error');
  });
});
