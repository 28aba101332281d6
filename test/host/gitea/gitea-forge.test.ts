import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Forge, ForgeError } from '../../../src/host/forge/forge.ts';
import { giteaWithFleet } from './forge-on-gitea.ts';

const failureOf = (run: Promise<unknown>): Promise<ForgeError> =>
  run.then(
    (it) => {
      throw new Error(`it did not fail, but answered ${JSON.stringify(it)}`);
    },
    (error: ForgeError) => error,
  );

/** A branch of weft with a commit, and its pull request. */
async function withPull(of: Awaited<ReturnType<typeof giteaWithFleet>>, branch = 'weft/europe') {
  await of.fake.commit(branch, { 'out/a.yaml': 'A' });
  const forge = await of.connect();
  const pull = await open(forge, branch);
  return { forge, pull };
}

async function open(forge: Forge, branch = 'weft/europe', more: { readonly isDraft?: boolean } = {}) {
  const pull = await forge.createPull({
    branch,
    base: 'main',
    title: 'Manifests',
    body: 'plan',
    isDraft: false,
    ...more,
  });
  if (pull === 'nothing-between') throw new Error('nothing is between');
  return pull;
}

describe('a repository', () => {
  it('is opened by its present name, whatever it was called before', async () => {
    const it = await giteaWithFleet();
    it.fake.rename('network');
    symlinkSync(join(it.fake.folder, 'acme/fleet.git'), join(it.fake.folder, 'acme/network.git'));
    const forge = await it.connect();
    expect(forge.repository).toEqual({ owner: 'acme', name: 'network' });
    expect(forge.defaultBranch).toBe('main');
    // No write goes by the former name: it would be redirected.
    await it.fake.commit('weft/europe', { a: 'A' });
    await open(forge);
    expect(it.gitea.log.filter(({ path }) => path.includes('/fleet')).map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([
    ['an unknown token', 'no such token', 'not-signed-in', 'set a new token in WEFT_TOKEN'],
    ['a token without access', null, 'not-found', 'Gitea reports what a token may not see as missing'],
  ])('is not opened with %s', async (_, given, failure, hint) => {
    const it = await giteaWithFleet({ repositories: [{ owner: 'acme', name: 'fleet', isPrivate: true }] });
    const stranger = it.fake.signUp({ login: 'eve', kind: 'user', grants: {} });
    const error = await failureOf(it.connect({ token: given ?? stranger.token }));
    expect([error.failure, error.message.slice(0, 23)]).toEqual([failure, 'cannot read acme/fleet:']);
    expect(error.hint).toContain(hint);
  });
});

describe('pull requests', () => {
  it('are found by their branch, on every page, and not those of forks', async () => {
    const it = await giteaWithFleet({
      repositories: [
        { owner: 'acme', name: 'fleet' },
        { owner: 'eve', name: 'fleet', forkOf: 'acme/fleet' },
      ],
    });
    it.gitea.settings.maxItems = 2;
    const { forge, pull } = await withPull(it);
    for (const number of [2, 3, 4, 5, 6])
      await it.fake.openPull({ number, branch: `edit-${number}`, author: it.fake.user });
    await it.fake.at('eve/fleet').commit('weft/europe', { b: 'B' });
    const [fork] = it.fake.world.repositories.filter(({ owner }) => owner === 'eve');
    const foreign = await it.fake.openPull({ number: 7, branch: 'weft/europe', author: it.fake.user });
    Object.assign(foreign, { head: { repository: fork, branch: 'weft/europe' } });
    expect((await forge.openPulls('weft/europe')).map(({ number }) => number)).toEqual([pull.number]);
    expect(it.gitea.count('repoListPullRequests')).toBe(4);
  });

  it('are not opened without a commit in them, as Gitea would', async () => {
    const it = await giteaWithFleet();
    await it.fake.branch('weft/europe');
    const forge = await it.connect();
    expect(await forge.createPull({ branch: 'weft/europe', base: 'main', title: 't', body: '', isDraft: false })).toBe(
      'nothing-between',
    );
    expect(it.gitea.count('repoCreatePullRequest')).toBe(0);
  });

  it('are not opened twice: neither after an unanswered request, nor beside that of another run', async () => {
    const it = await giteaWithFleet();
    it.gitea.inject({ operation: 'repoCreatePullRequest', effect: 'after', answer: 'dropped' });
    const { forge, pull } = await withPull(it);
    expect((await open(forge)).number).toBe(pull.number);
    expect(it.fake.pulls).toHaveLength(1);
  });

  it('are drafts by a word in their title', async () => {
    const it = await giteaWithFleet();
    await it.fake.commit('weft/europe', { a: 'A' });
    await open(await it.connect(), 'weft/europe', { isDraft: true });
    expect(it.fake.pulls[0]?.title).toBe('WIP: Manifests');
  });

  it('are closed, and get another text', async () => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    await forge.updatePull(pull.number, { body: 'other', state: 'closed' });
    expect(it.fake.pulls[0]).toMatchObject({ body: 'other', state: 'closed' });
    expect(await forge.openPulls('weft/europe')).toEqual([]);
  });

  it.each(['merge', 'squash', 'rebase'] as const)(
    'that were merged (%s) are known by their own heads, and not by what came to the branch later',
    async (how) => {
      const it = await giteaWithFleet();
      const { forge, pull } = await withPull(it);
      const merged = it.fake.headOf('weft/europe');
      await it.fake.merge(pull.number, how);
      await it.fake.commit('weft/europe', { 'note.md': 'of somebody else' });
      expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([merged]);
      await it.fake.deleteBranch('weft/europe');
      expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([merged]);
      expect(await forge.mergedHeads('weft/europe', 'other')).toEqual([]);
      expect(await forge.mergedHeads('weft/other', 'main')).toEqual([]);
    },
  );

  it('that were closed without a merge do not count', async () => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    await forge.updatePull(pull.number, { state: 'closed' });
    expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([]);
  });
});

describe('the details of a pull request', () => {
  it('has labels that exist, those of the organization, and new ones, each once', async () => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    it.gitea.settings.organizationLabels.push('reviewed');
    await forge.addLabels(pull.number, ['reviewed', 'network', 'liqo']);
    await forge.addLabels(pull.number, ['network']);
    expect(it.fake.pulls[0]?.labels).toEqual(['reviewed', 'network', 'liqo']);
    expect(it.gitea.labelsOf('acme/fleet')).toEqual(['network', 'liqo']);
  });

  it('has no second label of the same name after an unanswered request', async () => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    it.gitea.inject({ operation: 'issueCreateLabel', effect: 'after', answer: 'dropped' });
    await forge.addLabels(pull.number, ['network']);
    expect(it.gitea.labelsOf('acme/fleet')).toEqual(['network']);
    expect(it.fake.pulls[0]?.labels).toEqual(['network']);
  });

  it('is assigned to those who can be, beside those who are, and not to those whom Gitea would refuse all for', async () => {
    const it = await giteaWithFleet({ repositories: [{ owner: 'acme', name: 'fleet', isPrivate: true }] });
    const { forge, pull } = await withPull(it);
    it.fake.signUp({ login: 'eve', kind: 'user', grants: {} });
    it.fake.editPull(pull.number, { assignees: ['weft'] });
    expect(await forge.addAssignees(pull.number, ['ADA', 'eve', 'nobody'])).toEqual(['ada', 'weft']);
    expect(await forge.addAssignees(pull.number, ['nobody'])).toEqual(['ada', 'weft']);
  });

  it.each([
    ['somebody unknown', ['nobody'], [], "User 'nobody' not exist", 'not-permitted'],
    ['an unknown team', [], ['nobody'], "Team 'nobody' not exist", 'not-permitted'],
    ['its author', ['weft'], [], "poster of pr can't be reviewer [user_id: 1, repo_id: 1]", 'refused'],
  ])('asks no review of %s, in the words of Gitea', async (_, people, teams, reason, failure) => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    expect(await failureOf(forge.requestReviews(pull.number, { people, teams }))).toMatchObject({ reason, failure });
  });

  it('asks people and teams for reviews', async () => {
    const it = await giteaWithFleet({ repositories: [{ owner: 'acme', name: 'fleet', teams: ['net'] }] });
    const { forge, pull } = await withPull(it);
    await forge.requestReviews(pull.number, { people: ['ada'], teams: ['net'] });
    expect(it.fake.pulls[0]?.reviewers).toEqual(['ada', 'net']);
  });
});

describe('comments', () => {
  it('are written once, changed and deleted, also if they are gone', async () => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    it.gitea.inject({ operation: 'issueCreateComment', effect: 'after', answer: 'dropped' });
    const made = await forge.createComment(pull.number, 'plan', ({ body }) => body === 'plan');
    await forge.updateComment(made.id, 'other plan');
    expect(await forge.listComments(pull.number)).toEqual([
      { id: made.id, url: made.url, body: 'other plan', author: 'weft', byBot: false },
    ]);
    await forge.deleteComment(made.id);
    await forge.deleteComment(made.id);
    expect(it.fake.comments).toEqual([]);
  });

  it('of a job are those of a bot', async () => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    it.fake.comment(pull.number, it.fake.bot, 'by a job');
    it.fake.comment(pull.number, it.fake.user, 'by a person');
    expect((await forge.listComments(pull.number)).map(({ byBot }) => byBot)).toEqual([true, false]);
  });
});

describe('the owner of the token', () => {
  const authorOf = async (prepare: (it: Awaited<ReturnType<typeof giteaWithFleet>>) => void) => {
    const it = await giteaWithFleet();
    prepare(it);
    const forge = await it.connect();
    const main = await forge.readCommit((await forge.headOf('main')) ?? '');
    const commit = await forge.writeCommit({ tree: main.tree, parents: [main.id], message: 'x' });
    return { login: await forge.login(), author: await forge.authorOf(commit) };
  };

  it('writes the commits, with the address that everybody may see', async () => {
    expect(await authorOf(() => {})).toEqual({ login: 'weft', author: { name: 'weft', email: 'weft@example.com' } });
    const hidden = await authorOf(({ gitea }) => gitea.settings.hidesEmail.push('weft'));
    expect(hidden.author.email).toMatch(/^\d+\+weft@noreply\.127\.0\.0\.1$/);
  });

  it('is unknown to a token without the scope for it, which pushes all the same', async () => {
    expect(await authorOf(({ gitea }) => gitea.settings.withoutUserScope.push('weft'))).toEqual({
      login: null,
      author: { name: 'weft', email: 'weft@noreply.127.0.0.1' },
    });
  });
});

describe('a refusal', () => {
  it.each([
    ['a missing scope', 403, 'token does not have at least one of required scope(s)', 'not-permitted', 'write:issue'],
    ['no permission', 403, 'Forbidden', 'not-permitted', 'write access'],
    ['an archived repository', 423, 'repo is archived', 'refused', 'the repository is archived'],
    ['a limit', 429, 'slow down', 'limited', 'run it again after the limit'],
    ['a proxy', 413, 'too large', 'too-large', 'raise the limit'],
  ])('because of %s says what to do', async (_, status, message, failure, hint) => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    const headers = status === 429 ? { 'retry-after': '7200' } : {};
    it.gitea.inject({
      operation: 'issueCreateComment',
      effect: 'before',
      answer: { status, body: { message }, headers },
    });
    const error = await failureOf(forge.createComment(pull.number, 'x', () => false));
    expect(error.failure).toBe(failure);
    expect(error.hint).toContain(hint);
    expect(`${error.message} ${error.hint}`).not.toContain(it.gitea.weft.token);
  });

  it('is no success when a write is sent elsewhere: it would have become a reading one', async () => {
    const it = await giteaWithFleet();
    const { forge, pull } = await withPull(it);
    const answer = { status: 301, headers: { location: '/api/v1/repos/acme/other/issues/1/comments' } };
    it.gitea.inject({ operation: 'issueCreateComment', effect: 'before', answer });
    const error = await failureOf(forge.createComment(pull.number, 'x', () => false));
    expect([error.status, error.hint]).toEqual([301, 'run it again: the repository was renamed or moved meanwhile']);
  });
});

it('gives the token to no other server than that of the API, whatever address the server names for clones', async () => {
  const it = await giteaWithFleet();
  const { forge } = await withPull(it);
  expect(await forge.headOf('main')).toBe(it.fake.headOf('main'));
});
