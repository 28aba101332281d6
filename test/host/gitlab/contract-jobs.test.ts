import { describe, expect, it } from 'vitest';
import { BOT } from '../fake-gitlab/fake-gitlab.ts';
import { BRANCH, fleetOnGitLab, WITHOUT_SHORTCUT } from './job.ts';

describe('weft pr open in GitLab CI', () => {
  it('keeps one merge request with the manifests, in the words of GitLab', async () => {
    const it = await fleetOnGitLab();
    const first = await it.weftPr();
    expect(first.stderr).toContain(`opened !1: ${it.fake.git.url}/acme/fleet/-/merge_requests/1`);
    expect(it.fake.pulls[0]?.body).toContain('keeps this merge request up to date');
    expect(it.fake.pulls[0]?.body).not.toMatch(/pull request|GitHub/);
    expect(first.outputs).toContain('WEFT_CHANGED=true\n');
    expect(first.outputs).toContain('WEFT_PULL_REQUEST_NUMBER=1\n');
    expect(first.outputs).toMatch(/^(?:[A-Z_]+=.*\n)+$/);
    expect((await it.weftPr()).stderr).toContain('nothing new for !1');
    await it.edit(WITHOUT_SHORTCUT);
    expect((await it.weftPr()).stderr).toContain('updated !1');
    await it.fake.merge(1, 'squash');
    expect((await it.weftPr()).stderr).toContain('main is up to date with the topology');
    expect(it.fake.messagesOf(BRANCH)[0]).toContain('Weft-Topology: topologies/topology.yaml');
    expect(it.fake.pulls).toHaveLength(1);
  });

  it('works in nested groups', async () => {
    const it = await fleetOnGitLab({}, 'acme/network');
    const { stderr } = await it.weftPr();
    expect(stderr).toContain('/acme/network/fleet/-/merge_requests/1');
  });

  it('sends manifests to another project, from one in a group', async () => {
    const it = await fleetOnGitLab(
      {
        repositories: [
          { owner: 'acme/net', name: 'fleet', files: { 'topologies/topology.yaml': WITHOUT_SHORTCUT } },
          { owner: 'acme/net', name: 'manifests' },
        ],
      },
      'acme/net',
    );
    const stale = await it.weftPr({ options: { repository: 'acme/net/manifests' } });
    expect(stale.code).toMatch(/lock/);
    await it.weftPr();
    await it.fake.merge(1);
    expect((await it.weftPr({ options: { repository: 'acme/net/manifests' } })).code).toBe(0);
    expect(it.fake.at('acme/net/manifests').pulls).toHaveLength(1);
    expect(it.fake.at('acme/net/manifests').messagesOf(BRANCH)[0]).toMatch(
      /Weft-Topology: acme\/net\/fleet(?::|%3A)topologies/,
    );
    expect((await it.weftPr({ options: { repository: 'acme/net/manifests' } })).stderr).toContain('nothing new for !1');
  });

  it('refuses the token of the job, and says which one it needs', async () => {
    const it = await fleetOnGitLab();
    const { code } = await it.weftPr({ token: 'glcbt-64_job' });
    expect(code).toContain('CI_JOB_TOKEN may neither open merge requests nor comment on them');
    expect(code).toContain('project access token');
    const none = await it.weftPr({ token: '' });
    expect(none.code).toMatch(/^there is no token for GitLab\n.*WEFT_TOKEN or GITLAB_TOKEN/);
    expect(it.fake.branches()).toEqual(['main']);
  });

  it('pushes, and names the page on which a person opens what the token may not', async () => {
    const it = await fleetOnGitLab();
    const { token } = it.fake.signUp({
      login: 'pusher',
      kind: 'user',
      grants: { '*': { contents: 'write', pulls: 'read' } },
    });
    const { code } = await it.weftPr({ token });
    expect(code).toContain(
      `${it.fake.git.url}/acme/fleet/-/merge_requests/new?merge_request%5Bsource_branch%5D=weft%2Feurope&`,
    );
    expect(it.fake.branches()).toContain(BRANCH);
  });

  it('declines what GitLab does not have', async () => {
    const it = await fleetOnGitLab();
    const { stderr, code } = await it.weftPr({
      options: { 'team-reviewers': 'network', labels: 'network', draft: true },
    });
    expect(code).toBe(0);
    expect(stderr).toContain('GitLab requests reviews from people, and not from groups');
    expect(stderr).toContain('approval rule');
    expect(it.fake.pulls[0]).toMatchObject({ title: 'Draft: Manifests of europe', labels: ['network'] });
  });

  it('opens none for a fork, and none in a merge train', async () => {
    const it = await fleetOnGitLab();
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    const fork = await it.weftPr({ on: 'edit', pull: { number: 4, from: 'mallory/fleet' } });
    expect(fork).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('a merge request from a fork gets no manifests'),
    });
    const train = await it.weftPr({ on: 'edit', pull: { number: 4, isTrain: true } });
    expect(train).toMatchObject({ code: 0, stderr: expect.stringContaining('a merge train gets no merge request') });
    expect(it.fake.log).toEqual([]);
  });

  it('is protected from what a branch rule forbids, with what to do', async () => {
    const it = await fleetOnGitLab();
    it.fake.onGit(async ({ isPost, service }) =>
      isPost && service === 'git-receive-pack' ? { kind: 'status', status: 403 } : null,
    );
    expect((await it.weftPr()).code).toContain('role Developer');
  });
});

describe('weft pr comment in GitLab CI', () => {
  it('keeps one comment on the merge request, compared with where it began', async () => {
    const it = await fleetOnGitLab();
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    await it.fake.openPull({ number: 7, branch: 'edit', author: it.fake.user });
    // New commits of main are not a part of the merge request.
    await it.fake.commit('main', { 'news.md': 'new\n' });
    const first = await it.weftPr({ mode: 'comment', on: 'edit', pull: { number: 7 } });
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('commented: ') });
    const again = await it.weftPr({ mode: 'comment', on: 'edit', pull: { number: 7 } });
    expect(again.stderr).toContain('the comment is up to date');
    expect(it.fake.comments).toHaveLength(1);
    expect(it.fake.comments[0]?.body).toContain('Plan id: ');
    expect(it.fake.comments[0]?.author.login).toBe(BOT);
    expect(first.outputs).toContain('WEFT_COMMENT_URL=');
  });

  it('says that a fork has no token for it, and ends well', async () => {
    const it = await fleetOnGitLab();
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    await it.fake.openPull({ number: 7, branch: 'edit', author: it.fake.user });
    const pull = { number: 7, from: 'mallory/fleet' };
    const { code, stderr } = await it.weftPr({ mode: 'comment', on: 'edit', pull, token: '' });
    expect(code).toBe(0);
    expect(stderr).toContain('this token cannot comment on a merge request from a fork');
    expect(it.fake.comments).toEqual([]);
  });
});

describe('weft pr check in GitLab CI', () => {
  it('needs no token, and prints no annotations of GitHub', async () => {
    const it = await fleetOnGitLab();
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    const { code, stdout } = await it.weftPr({ mode: 'check', on: 'edit', pull: { number: 7 }, token: '' });
    expect(code).toBe(0);
    expect(stdout).not.toContain('::');
    expect(it.fake.log).toEqual([]);
  });

  it('writes what GitLab shows at the lines of a merge request, and the plan to the log', async () => {
    const it = await fleetOnGitLab();
    await it.weftPr();
    await it.fake.merge(1);
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    // A smuggled file counts as edited.
    await it.fake.commit('edit', { 'out/rome/smuggled.yaml': 'kind: Secret\n' });
    const { code, stdout, quality } = await it.weftPr({ mode: 'check', on: 'edit', pull: { number: 7 } });
    expect(code).toBe(1);
    const report = JSON.parse(quality);
    expect(report).toContainEqual(
      expect.objectContaining({
        severity: 'critical',
        location: { path: 'out/rome/smuggled.yaml', lines: { begin: 1 } },
      }),
    );
    expect(new Set(report.map((row: { fingerprint: string }) => row.fingerprint)).size).toBe(report.length);
    const broken = `${WITHOUT_SHORTCUT}nonsense: 1\n`;
    await it.edit(broken, 'broken');
    const refused = await it.weftPr({ mode: 'check', on: 'broken', pull: { number: 8 } });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.quality)[0]).toMatchObject({
      severity: 'critical',
      location: { path: 'topologies/topology.yaml' },
    });
    expect(stdout).not.toContain('::error');
  });
});
