import { describe, expect, it } from 'vitest';
import { drawn } from '../../support/drawn.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { calling } from '../fake-github/injections.ts';
import { BRANCH, fleetOnGitHub, openPulls, TOPOLOGY_PATH, WITHOUT_SHORTCUT } from './contract.ts';

describe('the branch of a pull request', () => {
  it('is another one for each base, so a run on a release leaves the pull request into main alone', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    const before = it.fake.headOf(BRANCH);
    await it.edit(WITHOUT_SHORTCUT, 'release/1.2');
    await it.fake.commit('release/1.2', { 'only-here.md': 'release\n' });
    expect((await it.weftPr({ on: 'release/1.2' })).stderr).toContain('opened #2');
    expect(openPulls(it)).toMatchObject([
      { base: 'main', head: { branch: BRANCH } },
      { base: 'release/1.2', head: { branch: 'weft/europe-into-release-1.2' } },
    ]);
    expect(it.fake.headOf(BRANCH)).toBe(before);
    expect(it.cloned('weft/europe-into-release-1.2')).toEqual(await it.compiled('release/1.2'));
    it.finish();
  });

  it('is refused when it has an open pull request into another base', async () => {
    const it = await fleetOnGitHub();
    const options = { branch: 'manifests' };
    await it.weftPr({ options });
    const before = it.fake.headOf('manifests');
    await it.edit(WITHOUT_SHORTCUT, 'dev');
    for (const force of [false, true]) {
      const { code } = await it.weftPr({ on: 'dev', options: { ...options, force } });
      expect(code).toMatch(/"manifests" is the branch of #1, which merges into "main" and not into "dev"/);
      expect(code).toContain('--branch');
    }
    expect(it.fake.headOf('manifests')).toBe(before);
    expect(openPulls(it)).toHaveLength(1);
    it.finish();
  });

  it('is not made for a merge queue, which no mode disturbs', async () => {
    const it = await fleetOnGitHub();
    const on = 'gh-readonly-queue/main/pr-7-0123456789';
    await it.edit(WITHOUT_SHORTCUT, on);
    for (const env of [{ GITHUB_EVENT_NAME: 'merge_group' }, {}]) {
      for (const mode of ['open', 'comment'] as const) {
        expect(await it.weftPr({ mode, on, env })).toMatchObject({
          code: 0,
          stderr: expect.stringContaining('a merge queue'),
        });
      }
    }
    expect(it.fake.log).toEqual([]);
    it.finish();
  });

  it('gets none of its own', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.fake.commit(BRANCH, { 'out/rome/kustomization.yaml': 'edited\n' });
    expect((await it.weftPr({ on: BRANCH })).stderr).toContain('this is a branch of weft');
    expect((await it.weftPr({ pull: { number: 1, branch: BRANCH } })).stderr).toContain('this is a branch of weft');
    expect(openPulls(it)).toHaveLength(1);
    it.finish();
  });

  it('in another repository belongs to one branch of the topology', async () => {
    const it = await fleetOnGitHub({
      repositories: [
        { owner: 'acme', name: 'fleet', files: { [TOPOLOGY_PATH]: TOPOLOGY } },
        { owner: 'acme', name: 'manifests' },
      ],
    });
    await it.weftPr();
    await it.fake.merge(1);
    await it.fake.branch('dev');
    const there = it.fake.at('acme/manifests');
    for (const on of ['main', 'dev']) expect((await it.weftPr({ on, repository: 'acme/manifests' })).code).toBe(0);
    await it.weftPr({ pull: { number: 5, branch: 'dev' }, repository: 'acme/manifests' });
    expect(there.pulls.map(({ base, head }) => [base, head.branch])).toEqual([
      ['main', BRANCH],
      ['main', 'weft/europe-from-dev'],
      ['main', 'weft/europe-pr-5'],
    ]);
    it.finish();
  });
});

describe('two topologies of one name', () => {
  const [A, B] = ['a/topology.yaml', 'b/topology.yaml'];
  const files = { [A]: TOPOLOGY, [B]: WITHOUT_SHORTCUT };
  const twins = () => fleetOnGitHub({ repositories: [{ owner: 'acme', name: 'fleet', files }] });
  const of = (topology: string) => ({ topology, options: { out: topology.replace('topology.yaml', 'out') } });

  it('do not overwrite the manifests of each other', async () => {
    const it = await twins();
    expect((await it.weftPr(of(A))).code).toBe(0);
    const before = it.fake.headOf(BRANCH);
    const { code } = await it.weftPr(of(B));
    expect(code).toContain('"weft/europe" has the manifests of a/topology.yaml, which is also named "europe"');
    expect(it.fake.headOf(BRANCH)).toBe(before);
    const own = { ...of(B), options: { ...of(B).options, branch: 'weft/b' } };
    expect((await it.weftPr(own)).stderr).toContain('opened #2');
    expect((await it.weftPr(of(A))).stderr).toContain('nothing new for #1');
    it.finish();
  });

  it('have a comment each', async () => {
    const it = await twins();
    await it.fake.openPull({ number: 9, branch: 'edit', author: it.fake.user });
    await it.fake.commit('edit', { [A]: WITHOUT_SHORTCUT, [B]: TOPOLOGY });
    const pull = { number: 9, branch: 'edit' };
    for (const topology of [A, B, A, B]) {
      expect((await it.weftPr({ mode: 'comment', pull, ...of(topology) })).code).toBe(0);
    }
    expect(it.fake.comments.map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- weft:plan id=europe topology=a/topology.yaml -->',
      '<!-- weft:plan id=europe topology=b/topology.yaml -->',
    ]);
    expect(it.fake.count('issues/update-comment')).toBe(0);
    it.finish();
  });

  it('are one when the file was renamed', async () => {
    const it = await fleetOnGitHub({ repositories: [{ owner: 'acme', name: 'fleet', files: { [A]: TOPOLOGY } }] });
    await it.weftPr(of(A));
    const out = 'a/out';
    await it.fake.commit('main', { [A]: null, [B]: WITHOUT_SHORTCUT });
    expect((await it.weftPr({ topology: B, options: { out } })).stderr).toContain('updated #1');
    it.finish();
  });
});

describe('a branch that was merged and kept', () => {
  /** A merged pull request with a file of another user, which main has removed since, and an edit of the topology. */
  async function merged(how: 'squash' | 'rebase' | 'merge') {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.fake.commit(BRANCH, { 'notes.md': 'mind this\n' });
    await it.fake.merge(1, how);
    await it.fake.commit('main', { 'notes.md': null, 'news.md': 'new\n' });
    await it.edit(WITHOUT_SHORTCUT);
    return it;
  }

  it.each(drawn(['squash', 'merge', 'rebase'] as const))(
    'starts fresh and does not bring back what main has removed (%s)',
    async (how) => {
      const it = await merged(how);
      expect((await it.weftPr()).stderr).toContain('opened #2');
      expect(it.cloned(BRANCH)).toEqual(await it.compiled('main'));
      const changed = it.fake.changedBetween('main', BRANCH);
      expect(changed.filter((path) => !/^out\/|\.lock\.yaml$/.test(path))).toEqual([]);
      expect(it.fake.historyOf(BRANCH).slice(1)).toEqual(it.fake.historyOf('main'));
      // Once more: the branch continues, and what main changes meanwhile is not a conflict.
      await it.fake.commit('main', { 'news.md': 'newer\n' });
      await it.edit(TOPOLOGY.replace('203.0.113.30', '203.0.113.31'));
      expect((await it.weftPr()).stderr).toMatch(/^updated #2: \S+\n(?!.*changed on both)/);
      const { 'news.md': _, ...files } = it.cloned(BRANCH);
      expect(files).not.toHaveProperty('notes.md');
      await it.fake.merge(2, how);
      expect(it.cloned('main')).toEqual(await it.compiled('main'));
      it.finish();
    },
  );

  it('keeps what somebody pushes to it at the last moment', async () => {
    const it = await merged('squash');
    it.fake.meanwhile({
      when: calling('git/create-commit'),
      run: async () => {
        await it.fake.commit(BRANCH, { 'later.md': 'after\n' });
      },
    });
    await it.weftPr();
    expect(it.cloned(BRANCH)).toEqual({ ...(await it.compiled('main')), 'later.md': 'after\n' });
    it.finish();
  });

  it.each(drawn(['squash', 'rebase'] as const))('keeps what somebody added to it after the merge (%s)', async (how) => {
    const it = await merged(how);
    await it.fake.commit(BRANCH, { 'later.md': 'after\n' });
    await it.weftPr();
    expect(it.cloned(BRANCH)).toEqual({ ...(await it.compiled('main')), 'later.md': 'after\n' });
    it.finish();
  });
});

it('leaves a title that a person has written', async () => {
  const it = await fleetOnGitHub();
  await it.weftPr();
  it.fake.editPull(1, { title: 'Rome gets a shortcut (OPS-12)' });
  await it.edit(WITHOUT_SHORTCUT);
  expect((await it.weftPr()).stderr).toContain('updated #1');
  expect(openPulls(it)).toMatchObject([{ title: 'Rome gets a shortcut (OPS-12)' }]);
  it.finish();
});

describe('a repository that was renamed', () => {
  it.each([301, 307] as const)('works by its old name, every time (%i)', async (redirectOfWrites) => {
    const it = await fleetOnGitHub({ settings: { redirectOfWrites } });
    it.fake.rename('network');
    // A workflow names the old one; GitHub Actions itself knows the new one.
    const old = { repository: 'Acme/Fleet', env: { GITHUB_REPOSITORY: 'acme/network' } };
    expect((await it.weftPr(old)).stderr).toContain('opened #1: https://github.com/acme/network/pull/1');
    expect(Object.keys(it.cloned(BRANCH))).toContain('topologies/topology.lock.yaml');
    expect((await it.weftPr(old)).stderr).toContain('nothing new for #1');
    await it.edit(WITHOUT_SHORTCUT);
    expect((await it.weftPr(old)).stderr).toContain('updated #1');
    const pull = { number: 1, branch: 'main' };
    expect((await it.weftPr({ ...old, mode: 'comment', pull })).code).toBe(0);
    await it.fake.merge(1);
    expect((await it.weftPr(old)).code).toBe(0);
    const redirected = it.fake.log.filter(({ status }) => status === 301 || status === 307);
    expect(new Set(redirected.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set(['GET /repos/Acme/Fleet']),
    );
    it.finish();
  });

  it('is no other repository for a job that began before, and runs again', async () => {
    const it = await fleetOnGitHub();
    it.fake.rename('network');
    expect((await it.weftPr()).stderr).toContain('opened #1: https://github.com/acme/network/pull/1');
    expect(Object.keys(it.cloned(BRANCH))).toContain('topologies/topology.lock.yaml');
    it.finish();
  });
});
