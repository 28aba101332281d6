import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { prCommand } from '../../../src/host/cli/commands/pr.ts';
import { gitFolder } from '../../support/git-folder.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { objectsAtRest } from '../../support/objects-at-rest.ts';
import { memoryHost, TOPOLOGY, workspace } from '../cli/memory-host.ts';
import { optionsFor } from '../cli/options-for.ts';
import { forgeOnGitHub } from './forge-on-github.ts';

const PATH = 'topologies/topology.yaml';
const BEFORE = TOPOLOGY.replace('hub: europe', 'liqo: { version: "1.2" }\nhub: europe');
const WANTED = BEFORE.replace('milan:  { podCIDR: 10.202.0.0/16', 'milan:  { podCIDR: 10.220.0.0/16');
const BOTH = BEFORE.replace('milan:  { podCIDR: 10.202.0.0/16', 'milan:  { podCIDR: [10.202.0.0/16, 10.220.0.0/16]');

/** A repository with the states of a change, of which none is applied yet, and the GitHub that it is from. */
async function fleet() {
  const it = workspace({ ...withKeysFiles({ [PATH]: BEFORE }), 'event.json': '{}' });
  const { init, commit } = gitFolder(it.folder);
  init();
  await it.weft('compile');
  commit();
  it.write(PATH, WANTED);
  expect((await it.weft('plan', '--steps', 'steps')).code).toBe(0);
  it.write(PATH, BEFORE);
  commit();
  const files = () =>
    Object.fromEntries(
      ['topology.yaml', 'topology.keys.yaml', 'topology.lock.yaml'].map((one) => [
        `topologies/${one}`,
        it.read(`topologies/${one}`),
      ]),
    );
  const github = await forgeOnGitHub(files());
  /** Every cluster is as the topology in the working folder has it. */
  const arrive = (but: readonly string[] = []) => {
    const source = (name: string) => ({ path: name, text: it.read(`topologies/${name}`) });
    const compiled = compile(
      { topology: source('topology.yaml'), keys: source('topology.keys.yaml'), lock: source('topology.lock.yaml') },
      { relock: [], only: null },
    );
    if (!compiled.ok) throw new Error('the topology has errors');
    for (const cluster of ['europe', 'milan', 'rome'].filter((one) => !but.includes(one))) {
      const own = [...compiled.value.bundle].filter(([path]) => path.startsWith(`${cluster}/`));
      const items = objectsAtRest(own.map(([path, text]) => [path.slice(cluster.length + 1), text] as const));
      it.write(`dumps/${cluster}.json`, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    }
  };
  const open = async (more: object = {}) => {
    const env = {
      GITHUB_WORKSPACE: it.folder,
      GITHUB_REPOSITORY: 'acme/fleet',
      GITHUB_TOKEN: 'ghs_0123456789secret',
      GITHUB_EVENT_PATH: join(it.folder, 'event.json'),
      GITHUB_REF: 'refs/heads/main',
    };
    const { host, said } = memoryHost(it.folder, { env });
    const live = ['europe', 'milan', 'rome'].map((one) => `${one}=dumps/${one}.json`);
    const options = optionsFor('pr', { stage: 'steps', live, ...more });
    const code = await prCommand(host, { args: ['open'], options }, github.connect);
    return { code, ...said() };
  };
  /** The proposed files are merged and checked out. */
  const merge = async () => {
    const proposed = github.filesOf('weft/europe');
    await github.pushForeign(
      'main',
      Object.fromEntries(Object.entries(proposed).filter(([path]) => path.startsWith('topologies/'))),
    );
    for (const [path, text] of Object.entries(proposed)) it.write(path, text);
    commit();
  };
  return { ...it, github, open, arrive, merge };
}

describe('weft pr open --stage', () => {
  it('proposes each state when all clusters are as the one before has them, and then no more', async () => {
    const it = await fleet();
    it.arrive();
    const first = await it.open();
    expect([first.code, first.stdout + first.stderr]).toEqual([
      0,
      expect.stringContaining('0-base has arrived: 1-add is next'),
    ]);
    const proposed = it.github.filesOf('weft/europe');
    expect(proposed[PATH]).toBe(BOTH);
    expect(proposed['topologies/topology.lock.yaml']).toBe(it.read('steps/1-add/topology.lock.yaml'));
    expect(proposed['out/europe/peers/milan/milan.yaml']).toContain('10.220.0.0/16');
    await it.merge();
    // The state is merged, and not yet applied: the clusters are as before.
    const waiting = await it.open();
    expect([waiting.code, waiting.stdout + waiting.stderr]).toEqual([
      0,
      expect.stringContaining('1-add has not arrived: europe'),
    ]);
    expect(it.read(PATH)).toBe(BOTH);
    it.arrive();
    expect((await it.open()).code).toBe(0);
    expect(it.github.filesOf('weft/europe')[PATH]).toBe(WANTED);
    await it.merge();
    it.arrive();
    const last = await it.open();
    expect([last.code, last.stdout + last.stderr]).toEqual([0, expect.stringContaining('2-finish is the last state')]);
  });

  it('waits while one cluster differs or was not read', async () => {
    const it = await fleet();
    it.arrive();
    const unread = await it.open({ live: ['europe=dumps/europe.json', 'milan=dumps/milan.json'] });
    expect([unread.code, unread.stdout + unread.stderr]).toEqual([
      0,
      expect.stringContaining('0-base has not arrived: rome was not read'),
    ]);
    expect(it.github.fake.pulls).toEqual([]);
    expect(it.read(PATH)).toBe(BEFORE);
  });

  it('proposes nothing over a topology that was edited since', async () => {
    const it = await fleet();
    it.arrive();
    it.write(PATH, `${BEFORE}# a comment\n`);
    await expect(it.open()).rejects.toThrow(
      'topologies/topology.yaml and the files beside it are none of the states in steps',
    );
    await expect(it.open({ stage: 'nowhere' })).rejects.toThrow('nowhere has no states of a change');
    await expect(it.open({ stage: undefined })).rejects.toThrow('--live and --context need --stage');
    expect(it.github.fake.pulls).toEqual([]);
  });

  it('goes on after a nudge in the middle, and keeps it', async () => {
    const it = await fleet();
    it.arrive();
    await it.open();
    await it.merge();
    expect((await it.weft('compile', '--nudge', 'rome/europe')).code).toBe(0);
    const lock = 'topologies/topology.lock.yaml';
    const [nudge] = it.read(lock).match(/ {2}\S+\/nudge: 1\n/) ?? [];
    expect(nudge).toBeDefined();
    it.arrive();
    const next = await it.open();
    expect([next.code, next.stdout + next.stderr]).toEqual([0, expect.stringContaining('1-add has arrived')]);
    const proposed = it.github.filesOf('weft/europe');
    expect(proposed[PATH]).toBe(WANTED);
    expect(proposed[lock]?.replace(nudge ?? '', '')).toBe(it.read('steps/2-finish/topology.lock.yaml'));
    expect(proposed[lock]).toContain(nudge);
    // Nothing but the nudge may differ.
    it.write(lock, it.read('steps/1-add/topology.lock.yaml').replace(/join: \d+/, 'join: 900'));
    it.write(PATH, BOTH);
    await expect(it.open()).rejects.toThrow('none of the states in steps');
  });

  it('writes the same in a repeated run, and keeps one pull request', async () => {
    const it = await fleet();
    it.arrive();
    await it.open();
    for (const name of ['topology.yaml', 'topology.lock.yaml'])
      it.write(`topologies/${name}`, it.read(`steps/0-base/${name}`));
    const again = await it.open();
    expect(again.stdout + again.stderr).toContain('nothing new');
    expect(it.github.fake.pulls).toHaveLength(1);
  });
});
