import { describe, expect, it, onTestFinished } from 'vitest';
import { type Forge, ForgeError, type NewPull } from '../../../src/host/forge/forge.ts';
import { addDetails, type PullDetails, sameText } from '../../../src/host/forge/markdown-text.ts';
import { upsertComment } from '../../../src/host/forge/upsert-comment.ts';
import { expectNoViolations } from '../fake-github/expect-no-violations.ts';
import { BOT, type FakeGitLab, fakeGitLab, type GitLabFault } from '../fake-gitlab/fake-gitlab.ts';
import { gitLabForge } from './forge-on-gitlab.ts';

const FLEET = { owner: 'acme', name: 'fleet' };

/** A GitLab with a branch of weft, and the forge on it. */
async function onGitLab(owner = 'acme'): Promise<{ readonly fake: FakeGitLab; readonly forge: Forge }> {
  const fake = await fakeGitLab({ repositories: [{ owner, name: 'fleet', files: { 'README.md': 'a fleet\n' } }] });
  const forge = await gitLabForge(fake, { repository: { owner, name: 'fleet' } });
  onTestFinished(async () => {
    await forge.close();
    expectNoViolations(fake);
    await fake.close();
  });
  await fake.commit('weft/europe', { 'out/a.yaml': 'a' });
  return { fake, forge };
}

const PULL: NewPull = { branch: 'weft/europe', base: 'main', title: 'Manifests', body: 'a plan', isDraft: false };

const NOBODY: PullDetails = { labels: [], assignees: [], people: [], teams: [] };

async function failureOf(run: Promise<unknown>): Promise<ForgeError> {
  const error = await run.then(
    () => undefined,
    (found: unknown) => found,
  );
  if (error instanceof ForgeError) return error;
  throw error ?? new Error('it did not fail');
}

describe('a merge request', () => {
  it('is opened, found, edited and closed, by its number in the project', async () => {
    const { fake, forge } = await onGitLab();
    const pull = await forge.createPull(PULL);
    expect(pull).toEqual({
      ...{ number: 1, url: `${fake.git.url}/acme/fleet/-/merge_requests/1`, body: 'a plan', base: 'main', author: BOT },
    });
    expect(await forge.openPulls('weft/europe')).toEqual([pull]);
    expect(await forge.openPulls('other')).toEqual([]);
    await forge.updatePull(1, { body: 'another plan' });
    expect(fake.pulls[0]).toMatchObject({ body: 'another plan', state: 'open' });
    await forge.updatePull(1, { state: 'closed' });
    expect(await forge.openPulls('weft/europe')).toEqual([]);
    expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([]);
  });

  it('of a project in nested groups is reached by its whole path', async () => {
    const { fake, forge } = await onGitLab('acme/network/eu');
    expect(forge.repository).toEqual({ owner: 'acme/network/eu', name: 'fleet' });
    expect(await forge.createPull(PULL)).toMatchObject({ number: 1 });
    expect(await forge.headOf('weft/europe')).toBe(fake.headOf('weft/europe'));
    expect(fake.log[0]?.path).toBe('/api/v4/projects/acme/network/eu/fleet');
  });

  it('of a renamed project is reached by its old name', async () => {
    const fake = await fakeGitLab({ repositories: [{ ...FLEET, files: { 'README.md': 'x' } }] });
    fake.rename('network');
    const forge = await gitLabForge(fake);
    onTestFinished(async () => {
      await forge.close();
      await fake.close();
    });
    expect(forge.repository).toEqual({ owner: 'acme', name: 'network' });
    expect(await forge.openPulls('x')).toEqual([]);
  });

  it('is a draft by its title', async () => {
    const { fake, forge } = await onGitLab();
    await forge.createPull({ ...PULL, isDraft: true });
    expect(fake.pulls[0]).toMatchObject({ title: 'Draft: Manifests', isDraft: true });
  });

  it('is not opened when base has everything', async () => {
    const { fake, forge } = await onGitLab();
    await fake.branch('weft/europe', 'main');
    expect(await forge.createPull(PULL)).toBe('nothing-between');
    expect(fake.pulls).toEqual([]);
  });

  it('that another run has opened meanwhile is the one', async () => {
    const { fake, forge } = await onGitLab();
    await fake.openPull({ number: 4, branch: 'weft/europe', author: fake.user });
    expect(await forge.createPull(PULL)).toMatchObject({ number: 4, author: 'ada' });
    expect(fake.count('create merge request')).toBe(1);
  });

  it.each<[string, GitLabFault['answer'], GitLabFault['effect']]>([
    ['did, and whose answer is lost', 'dropped', 'after'],
    ['did not, and whose answer is lost', 'dropped', 'before'],
    ['did, and answers 502', { status: 502, body: {} }, 'after'],
  ])('is there once after a request that GitLab %s', async (_, answer, effect) => {
    const { fake, forge } = await onGitLab();
    fake.inject({ of: 'create merge request', effect, answer });
    expect(await forge.createPull(PULL)).toMatchObject({ number: 1 });
    expect(fake.pulls).toHaveLength(1);
  });

  it('from a fork with a branch of the same name is another one', async () => {
    const fake = await fakeGitLab({
      repositories: [
        { ...FLEET, files: { 'README.md': 'x' } },
        { owner: 'mallory', name: 'fleet', forkOf: 'acme/fleet' },
      ],
    });
    const forge = await gitLabForge(fake);
    onTestFinished(async () => {
      await forge.close();
      await fake.close();
    });
    const pull = await fake.openPull({ branch: 'weft/europe', author: fake.user });
    const fork = fake.world.repositories[1];
    if (fork === undefined) throw new Error('there is no fork');
    Object.assign(pull, { head: { repository: fork, branch: 'weft/europe' } });
    expect(await forge.openPulls('weft/europe')).toEqual([]);
    Object.assign(pull, { state: 'closed', mergedAt: '2026-01-01T00:00:00Z' });
    expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([]);
  });

  it('from a fork that is gone, or without its commits, is none of weft', async () => {
    const { fake, forge } = await onGitLab();
    await forge.createPull(PULL);
    const [pull] = fake.pulls;
    if (pull === undefined) throw new Error('it was not opened');
    const { head, headSha } = pull;
    const gone = { ...head.repository, id: 99 };
    Object.assign(pull, { head: { ...head, repository: gone } });
    expect(await forge.openPulls('weft/europe')).toEqual([]);
    Object.assign(pull, { state: 'closed', mergedAt: '2026-01-01T00:00:00Z' });
    expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([]);
    Object.assign(pull, { head, headSha: '' });
    expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([]);
    Object.assign(pull, { headSha });
    expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([headSha]);
  });

  it('names the last commits of its branch when it was squashed', async () => {
    const { fake, forge } = await onGitLab();
    const head = fake.headOf('weft/europe');
    await forge.createPull(PULL);
    await fake.merge(1, 'squash');
    expect(await forge.mergedHeads('weft/europe', 'main')).toEqual([head]);
    expect(await forge.mergedHeads('weft/europe', 'release')).toEqual([]);
  });
});

describe('what a merge request gets', () => {
  it('are labels, assignees and reviewers, added to those that are there', async () => {
    const { fake, forge } = await onGitLab();
    const bob = fake.signUp({ login: 'bob', kind: 'user', grants: { '*': { contents: 'write', pulls: 'write' } } });
    const pull = await forge.createPull(PULL);
    if (pull === 'nothing-between') throw new Error(pull);
    fake.editPull(1, { labels: ['old'], assignees: [bob.login] });
    const details = { labels: ['network', 'weft::manifests'], assignees: ['Ada'], people: ['ada', 'bob'], teams: [] };
    expect(await addDetails(forge, pull, details)).toEqual([]);
    expect(fake.pulls[0]).toMatchObject({
      ...{ labels: ['old', 'network', 'weft::manifests'], assignees: ['bob', 'ada'], reviewers: ['ada', 'bob'] },
    });
  });

  it('leaves out whom GitLab does not know, and groups, and says so', async () => {
    const { forge } = await onGitLab();
    const pull = await forge.createPull(PULL);
    if (pull === 'nothing-between') throw new Error(pull);
    const details = {
      ...NOBODY,
      labels: ['a,b'],
      assignees: ['nobody'],
      people: ['ada', 'nobody'],
      teams: ['network'],
    };
    expect(await addDetails(forge, pull, details)).toEqual([
      { what: 'labels', names: ['a,b'], reason: 'a label of GitLab has no comma in it' },
      { what: 'assignees', names: ['nobody'], reason: expect.any(String) },
      { what: 'reviewers', names: ['nobody'], reason: 'there is no user nobody' },
      { what: 'teams', names: ['network'], reason: 'GitLab requests reviews from people, and not from groups' },
    ]);
    expect(await forge.openPulls('weft/europe')).toHaveLength(1);
  });

  it('is one reviewer in some plans: the others are declined, and the first stays', async () => {
    const { fake, forge } = await onGitLab();
    fake.signUp({ login: 'bob', kind: 'user', grants: { '*': { contents: 'write', pulls: 'write' } } });
    fake.allowOnePersonOnly();
    const pull = await forge.createPull(PULL);
    if (pull === 'nothing-between') throw new Error(pull);
    const declined = await addDetails(forge, pull, { ...NOBODY, people: ['ada', 'bob'] });
    expect(declined).toEqual([
      { what: 'reviewers', names: ['bob'], reason: expect.stringContaining('only one of them') },
    ]);
    expect(fake.pulls[0]?.reviewers).toEqual(['ada']);
  });
});

describe('a comment', () => {
  const marker = '<!-- weft:plan id=europe -->';
  const upsert = (forge: Forge, body: string) =>
    upsertComment(forge, { pull: 1, marker, isMarker: (line) => line === marker, body });

  it('is kept in place, and no comment of others is touched', async () => {
    const { fake, forge } = await onGitLab();
    await forge.createPull(PULL);
    fake.comment(1, fake.user, `${marker}\nfake`);
    expect(await upsert(forge, 'one')).toMatchObject({ change: 'created' });
    expect(await upsert(forge, 'one')).toMatchObject({ change: 'unchanged' });
    const updated = await upsert(forge, 'two');
    expect(updated).toMatchObject({ change: 'updated' });
    if (updated.change === 'not-needed') throw new Error('no comment');
    expect(updated.comment.url).toBe(`${fake.git.url}/acme/fleet/-/merge_requests/1#note_${updated.comment.id}`);
    expect(fake.comments.map((it) => it.body)).toEqual([`${marker}\nfake`, `${marker}\ntwo`]);
  });

  it('is found on a later page, and a second one of weft is deleted', async () => {
    const { fake, forge } = await onGitLab();
    await forge.createPull(PULL);
    for (let i = 0; i < 120; i++) fake.comment(1, fake.user, `comment ${i}`);
    fake.comment(1, fake.bot, `${marker}\none`);
    fake.comment(1, fake.bot, `${marker}\none`);
    expect(await upsert(forge, 'one')).toMatchObject({ change: 'unchanged' });
    expect(fake.count('list notes')).toBe(2);
    expect(fake.comments.filter((it) => it.body.startsWith(marker))).toHaveLength(1);
  });

  it('that is gone is deleted all the same', async () => {
    const { fake, forge } = await onGitLab();
    await forge.createPull(PULL);
    const { id } = fake.comment(1, fake.bot, 'x');
    await forge.listComments(1);
    await forge.deleteComment(id);
    await forge.deleteComment(id);
    expect(fake.comments).toEqual([]);
  });

  it('is there once after a request whose answer is lost', async () => {
    const { fake, forge } = await onGitLab();
    await forge.createPull(PULL);
    fake.inject({ of: 'create note', effect: 'after', answer: 'dropped' });
    expect(await upsert(forge, 'one')).toMatchObject({ change: 'created' });
    expect(fake.comments).toHaveLength(1);
  });
});

describe('a line that would be a quick action', () => {
  const HOSTILE = [
    '/close',
    '/merge',
    '  text',
    '\t/approve',
    ' /label ~x',
    '/assign @ada',
    'see /etc/weft',
    '/',
    '//x',
  ].join('\n');

  it('is shown, and not run: in a new text, in a changed one, and in comments', async () => {
    const { fake, forge } = await onGitLab();
    await forge.createPull({ ...PULL, body: HOSTILE });
    await forge.updatePull(1, { body: `${HOSTILE}\n/reopen` });
    const comment = await forge.createComment(1, HOSTILE, () => false);
    await forge.updateComment(comment.id, `/unapprove\n${HOSTILE}`);
    expect(fake.quickActions).toEqual([]);
    const [pull] = await forge.openPulls('weft/europe');
    // The read text equals the written one, so equal texts are not sent again.
    expect(sameText(pull?.body ?? '', `${HOSTILE}\n/reopen`)).toBe(true);
    expect((await forge.listComments(1))[0]?.body).toBe(`/unapprove\n${HOSTILE}`);
    expect(fake.pulls[0]?.body).toContain('\\/merge');
  });

  it('would have been run without that', async () => {
    const { fake } = await onGitLab();
    await fake.openPull({ number: 1, branch: 'weft/europe', author: fake.user });
    await fake.fetch(`${fake.apiUrl}/projects/acme%2Ffleet/merge_requests/1/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fake.bot.token}` },
      body: JSON.stringify({ body: '/close\ntext' }),
    });
    expect(fake.quickActions).toEqual(['/close']);
  });
});

describe('a token', () => {
  it.each([
    ['of nobody', 'wrong-token', 'not-signed-in', 'WEFT_TOKEN or GITLAB_TOKEN'],
    ['of a job', 'glcbt-64_abcdef', 'not-permitted', 'project access token'],
  ] as const)('%s is refused with what to do', async (_, token, failure, hint) => {
    const fake = await fakeGitLab();
    onTestFinished(() => fake.close());
    const error = await failureOf(gitLabForge(fake, { token }));
    expect([error.failure, error.hint]).toEqual([failure, expect.stringContaining(hint)]);
    expect(error.message).not.toContain(token);
  });

  it('that may not see a project is told that there is none, and what may be the reason', async () => {
    const fake = await fakeGitLab({ repositories: [{ ...FLEET, isPrivate: true }] });
    onTestFinished(() => fake.close());
    const { token } = fake.signUp({ login: 'eve', kind: 'user', grants: {} });
    const error = await failureOf(gitLabForge(fake, { token }));
    expect(error.failure).toBe('not-found');
    expect(error.message).toBe('cannot read acme/fleet: it does not exist, or the token may not see it (404)');
  });

  it('that may not read code is told so, and not that the project is empty', async () => {
    const fake = await fakeGitLab({ repositories: [{ ...FLEET, files: { 'README.md': 'x' }, isPrivate: true }] });
    onTestFinished(() => fake.close());
    const { token } = fake.signUp({
      login: 'guest',
      kind: 'user',
      grants: { '*': { contents: 'none', pulls: 'read' } },
    });
    expect(await failureOf(gitLabForge(fake, { token }))).toMatchObject({
      failure: 'not-permitted',
      hint: expect.stringContaining('the role Developer'),
    });
  });

  it('of a project without a commit is told so', async () => {
    const fake = await fakeGitLab({ repositories: [{ ...FLEET, files: null }] });
    onTestFinished(() => fake.close());
    expect(await failureOf(gitLabForge(fake))).toMatchObject({ failure: 'empty', reason: 'it has no commit yet' });
  });

  it('that may push but not open leaves that to a person', async () => {
    const { fake } = await onGitLab();
    const { token } = fake.signUp({
      login: 'reporter',
      kind: 'user',
      grants: { '*': { contents: 'write', pulls: 'read' } },
    });
    const forge = await gitLabForge(fake, { token });
    onTestFinished(() => forge.close());
    expect((await failureOf(forge.createPull(PULL))).failure).toBe('pulls-not-permitted');
    expect((await failureOf(forge.updatePull(1, { body: 'x' }))).hint).toContain('role Developer');
  });

  it('that may only read cannot push', async () => {
    const { fake } = await onGitLab();
    const { token } = fake.signUp({
      login: 'guest',
      kind: 'user',
      grants: { '*': { contents: 'read', pulls: 'read' } },
    });
    const forge = await gitLabForge(fake, { token });
    onTestFinished(() => forge.close());
    const head = (await forge.headOf('main')) ?? '';
    const error = await failureOf(forge.createBranch('x', head));
    expect([error.failure, error.hint]).toEqual(['not-permitted', expect.stringContaining('role Developer')]);
  });

  it('is the author of commits', async () => {
    const { fake, forge } = await onGitLab();
    const head = await forge.readCommit((await forge.headOf('main')) ?? '');
    const id = await forge.writeCommit({ tree: head.tree, parents: [head.id], message: 'x' });
    expect(await forge.authorOf(id)).toEqual({ name: 'weft', email: `${BOT}@example.com` });
    expect(fake.count('get user')).toBe(1);
  });
});

describe('a limit', () => {
  it('is waited for as GitLab says, also for a request that creates', async () => {
    const { fake, forge } = await onGitLab();
    const answer = { status: 429, body: { message: 'Too Many Requests' }, headers: { 'retry-after': '37' } };
    fake.inject({ of: 'create merge request', effect: 'before', answer });
    expect(await forge.createPull(PULL)).toMatchObject({ number: 1 });
    expect(fake.clock.slept).toContain(37_000);
  });

  it('of a server that answers 503 is waited for, and reported in the end', async () => {
    const { fake, forge } = await onGitLab();
    fake.inject({ of: 'list merge requests', effect: 'before', times: 6, answer: { status: 503, body: {} } });
    const error = await failureOf(forge.openPulls('x'));
    expect(error.failure).toBe('unreachable');
    expect(error.message).toMatch(/^cannot list the merge requests of acme\/fleet: .*\(503\)$/);
  });
});
