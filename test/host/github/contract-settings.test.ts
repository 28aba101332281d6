import { describe, expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { calling } from '../fake-github/injections.ts';
import { notPermitted } from '../fake-github/refusal.ts';
import { BRANCH, fleetOnGitHub, openPulls, TOPOLOGY_PATH, WITHOUT_SHORTCUT } from './contract.ts';

const SETTINGS = {
  title: 'Network of europe',
  'body-prefix': 'For **#7**.',
  'commit-message': 'chore: network\n\nOf europe.',
  labels: 'network, area: liqo',
  reviewers: '@ada',
  assignees: 'ADA',
  draft: true,
};

describe('a new pull request', () => {
  it('has the texts, labels and people that were asked for', async () => {
    const it = await fleetOnGitHub();
    const { code, stderr } = await it.weftPr({ options: SETTINGS });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    const [pull] = openPulls(it);
    expect(pull).toMatchObject({
      title: 'Network of europe',
      body: expect.stringMatching(/^<!-- weft:manifests id=europe -->\nFor \*\*#7\*\*\.\n\n\S/),
      isDraft: true,
      labels: ['network', 'area: liqo'],
      reviewers: ['ada'],
      assignees: ['ada'],
    });
    expect(it.fake.messagesOf(BRANCH)[0]).toMatch(/^chore: network\n\nOf europe\.\n\nWeft-Topology: /);
    it.finish();
  });

  it('keeps what people have changed of it since', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr({ options: SETTINGS });
    it.fake.editPull(1, { title: 'Ours', labels: [], assignees: [], reviewers: [] });
    await it.edit(WITHOUT_SHORTCUT);
    expect((await it.weftPr({ options: SETTINGS })).stderr).toContain('updated #1');
    expect(openPulls(it)).toMatchObject([{ title: 'Ours', labels: [], assignees: [], reviewers: [] }]);
    it.finish();
  });

  it('is opened although some reviewers cannot be asked, which is a warning each', async () => {
    const repositories = [{ owner: 'acme', name: 'fleet', files: { [TOPOLOGY_PATH]: TOPOLOGY }, teams: ['network'] }];
    const it = await fleetOnGitHub({ repositories });
    const options = { reviewers: 'ada,stranger', 'team-reviewers': 'network', assignees: 'ada\nstranger' };
    const { code, stderr } = await it.weftPr({ options });
    expect(code).toBe(0);
    expect(stderr).toContain('no review is requested from stranger: Reviews may only be requested from collaborators');
    expect(stderr).toContain('no review is requested from the teams network: Resource not accessible');
    expect(stderr).toContain('not assigned to stranger: ');
    expect(openPulls(it)).toMatchObject([{ reviewers: ['ada'], assignees: ['ada'] }]);
    it.finish();
  });

  it('asks teams, and not its author, with the token of a person', async () => {
    const repositories = [{ owner: 'acme', name: 'fleet', files: { [TOPOLOGY_PATH]: TOPOLOGY }, teams: ['network'] }];
    const it = await fleetOnGitHub({ repositories });
    const options = { reviewers: 'Ada', 'team-reviewers': 'network' };
    const { code, stderr } = await it.weftPr({ options, as: it.fake.user });
    expect([code, stderr]).toEqual([0, expect.stringContaining('no review is requested from Ada: the author')]);
    expect(openPulls(it)).toMatchObject([{ reviewers: ['network'] }]);
    it.finish();
  });

  it('is opened although its labels cannot be added', async () => {
    const it = await fleetOnGitHub();
    it.fake.inject({ when: calling('issues/add-labels'), effect: 'before', answer: notPermitted() });
    const { code, stderr } = await it.weftPr({ options: { labels: 'network' } });
    expect([code, stderr]).toEqual([0, expect.stringContaining('not labelled network: Resource not accessible')]);
    it.finish();
  });

  it('is not opened as a draft where there are none', async () => {
    const it = await fleetOnGitHub();
    it.fake.forbidDrafts();
    expect((await it.weftPr({ options: { draft: true } })).code).toMatch(/not supported[\s\S]*leave out --draft/);
    it.finish();
  });
});

describe('signed-off commits', () => {
  it.each(['bot', 'user'] as const)('name the author that GitHub records for a %s', async (who) => {
    const it = await fleetOnGitHub();
    await it.weftPr({ options: { signoff: true }, as: it.fake[who] });
    const [message = ''] = it.fake.messagesOf(BRANCH);
    expect(message).toMatch(/\nWeft-Topology-Digest: sha256:[0-9a-f]{64}\nSigned-off-by: .+ <\S+@\S+>$/);
    expect(message).toContain(`Signed-off-by: ${it.fake[who].login} <`);
    expect((await it.weftPr({ options: { signoff: true }, as: it.fake[who] })).stderr).toContain('nothing new for #1');
    it.finish();
  });
});

describe('the branch, when nothing is left to merge', () => {
  const options = { 'delete-branch': true };

  it('is deleted after a merge of any kind', async () => {
    for (const how of ['merge', 'squash', 'rebase'] as const) {
      const it = await fleetOnGitHub();
      await it.weftPr({ options });
      await it.fake.merge(1, how);
      expect((await it.weftPr({ options })).stderr).toContain('deleted the branch');
      expect(it.fake.branches()).toEqual(['main']);
      expect((await it.weftPr({ options })).stderr).not.toContain('deleted');
      it.finish();
    }
  });

  it('is deleted with the pull request that is closed, and stays without the setting', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.fake.commit('main', Object.fromEntries(it.fake.filesAt(BRANCH)));
    expect((await it.weftPr()).stderr).toContain('closed #1');
    expect(it.fake.branches()).toContain(BRANCH);
    expect((await it.weftPr({ options })).stderr).toContain('deleted the branch');
    expect(it.fake.branches()).toEqual(['main']);
    it.finish();
  });

  it('stays when others have commits on it, or a pull request into another branch', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.fake.commit('main', Object.fromEntries(it.fake.filesAt(BRANCH)));
    await it.fake.commit(BRANCH, { 'notes.md': 'mine\n' });
    expect((await it.weftPr({ options })).stderr).toContain('others have commits on it');
    await it.fake.branch('release', 'main');
    await it.fake.openPull({ branch: BRANCH, base: 'release', author: it.fake.user });
    expect((await it.weftPr({ options })).stderr).toContain('another pull request is open from it');
    expect(it.fake.branches()).toContain(BRANCH);
    it.finish();
  });
});
