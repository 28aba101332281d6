import type { Octokit } from '@octokit/rest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf, refusalOf } from './clients.ts';
import { expectNoViolations } from './expect-no-violations.ts';
import { type FakeGitHub, fakeGitHub } from './fake-github.ts';
import type { NewRepository } from './open-repository.ts';

const fleet = { owner: 'acme', repo: 'fleet' };
const file = { path: 'x', mode: '100644', type: 'blob' } as const;
const nowhere = '0123456789012345678901234567890123456789';

let github: FakeGitHub;
let bot: Octokit;
let user: Octokit;
let main: string;
let tree: string;

/** Opens a GitHub with the fleet and more. */
async function openWith(...more: readonly NewRepository[]): Promise<void> {
  github = fakeGitHub({ repositories: [{ owner: 'acme', name: 'fleet' }, ...more] });
  bot = clientOf(github, github.bot);
  user = clientOf(github, github.user);
  main = github.headOf('main') ?? '';
  tree = (await bot.git.getCommit({ ...fleet, commit_sha: main })).data.tree.sha;
}

async function reopen(...more: readonly NewRepository[]): Promise<void> {
  github.close();
  await openWith(...more);
}

beforeEach(() => openWith());

afterEach(() => github.close());

const commitOn = async (parents: readonly string[], message = 'empty'): Promise<string> =>
  (await bot.git.createCommit({ ...fleet, message, tree, parents: [...parents] })).data.sha;

const openPull = async (branch = 'weft'): Promise<number> => {
  await bot.git.createRef({ ...fleet, ref: `refs/heads/${branch}`, sha: await commitOn([main], branch) });
  return (await bot.pulls.create({ ...fleet, base: 'main', head: branch, title: 'Manifests' })).data.number;
};

describe('git data that GitHub refuses', () => {
  it('branches', async () => {
    const ahead = await commitOn([main]);
    const create = (ref: string, sha = main) => refusalOf(bot.git.createRef({ ...fleet, ref, sha }));
    const update = (ref: string, sha: string) => refusalOf(bot.git.updateRef({ ...fleet, ref, sha }));
    expect(await create('refs/heads/main')).toEqual([422, 'Reference already exists']);
    expect(await create('heads/new')).toMatchObject([422, expect.stringContaining("start with 'refs/'")]);
    expect(await create('refs/heads/a..b')).toMatchObject([422, expect.stringContaining('not a valid ref name')]);
    expect(await create('refs/heads/main/more')).toEqual([422, 'Reference update failed']);
    expect(await create('refs/heads/new', nowhere)).toEqual([422, 'Object does not exist']);
    expect(await create('refs/heads/new', tree)).toEqual([422, 'Object is not a commit']);
    expect(await update('heads/new', main)).toEqual([422, 'Reference does not exist']);
    expect(await update('heads/main', nowhere)).toEqual([422, 'Object does not exist']);
    await bot.git.updateRef({ ...fleet, ref: 'heads/main', sha: ahead });
    expect(await update('heads/main', main)).toEqual([422, 'Update is not a fast forward']);
    await bot.git.updateRef({ ...fleet, ref: 'heads/main', sha: main, force: true });
    expect(github.headOf('main')).toBe(main);
    expect(await refusalOf(bot.git.getRef({ ...fleet, ref: 'heads/new' }))).toEqual([404, 'Not Found']);
    expect(await refusalOf(bot.git.deleteRef({ ...fleet, ref: 'heads/new' }))).toEqual([
      422,
      'Reference does not exist',
    ]);
    expect(await refusalOf(bot.git.deleteRef({ ...fleet, ref: 'heads/main' }))).toEqual([
      422,
      'Cannot delete the default branch',
    ]);
    expectNoViolations(github);
  });

  it('moves of a guarded branch', async () => {
    const ahead = await commitOn([main]);
    const beside = await commitOn([], 'beside');
    const update = (sha: string) => refusalOf(bot.git.updateRef({ ...fleet, ref: 'heads/main', sha, force: true }));
    github.protect('main', 'protected-branch');
    expect(await update(ahead)).toMatchObject([403, expect.stringContaining('not authorized to push')]);
    expect(await update(beside)).toEqual([422, 'Cannot force-push to this protected branch']);
    github.protect('main', 'ruleset');
    expect(await update(ahead)).toMatchObject([422, expect.stringContaining('Repository rule violations found')]);
    expect(github.headOf('main')).toBe(main);
    expectNoViolations(github);
  });

  it('commits and blobs', async () => {
    const commit = (of: string, parents: string[]) =>
      refusalOf(bot.git.createCommit({ ...fleet, message: 'm', tree: of, parents }));
    expect(await commit(nowhere, [main])).toEqual([422, 'Tree SHA does not exist']);
    expect(await commit(main, [main])).toEqual([422, 'Tree SHA does not exist']);
    expect(await commit(tree, [tree])).toEqual([422, 'Parent SHA does not exist or is not a commit object']);
    expect(await refusalOf(bot.git.getCommit({ ...fleet, commit_sha: nowhere }))).toEqual([404, 'Not Found']);
    expect(await refusalOf(bot.git.getCommit({ ...fleet, commit_sha: tree }))).toEqual([404, 'Not Found']);
    expect(await refusalOf(bot.git.getBlob({ ...fleet, file_sha: tree }))).toEqual([404, 'Not Found']);
    expect(await refusalOf(bot.git.getTree({ ...fleet, tree_sha: nowhere }))).toEqual([404, 'Not Found']);
    expect(await refusalOf(bot.repos.compareCommitsWithBasehead({ ...fleet, basehead: 'main...new' }))).toEqual([
      404,
      'Not Found',
    ]);
    expectNoViolations(github);
  });

  it.each([
    [
      'a base that is no tree',
      { base_tree: nowhere, tree: [{ ...file, content: 'x' }] },
      'base_tree is not a valid tree oid',
    ],
    ['text and id at once', { tree: [{ ...file, content: 'x', sha: nowhere }] }, 'not both'],
    ['neither text nor id', { tree: [file] }, 'Must supply tree.sha or tree.content'],
    ['an id of nothing', { tree: [{ ...file, sha: nowhere }] }, 'is not a valid blob'],
    ['taking out what is not there', { tree: [{ ...file, sha: null }] }, 'GitRPC::BadObjectState'],
    ['no mode', { tree: [{ path: 'x', type: 'blob', content: 'x' }] }, 'tree.mode'],
    ['a mode of another type', { tree: [{ ...file, mode: '040000', content: 'x' }] }, 'does not fit'],
    ['an absolute path', { tree: [{ ...file, path: '/x', content: 'x' }] }, 'cannot start with a slash'],
    ['a path out of the tree', { tree: [{ ...file, path: 'a/../x', content: 'x' }] }, 'malformed path component'],
    ['nothing at all', { tree: [] }, 'Invalid tree info'],
  ] as const)('a tree with %s', async (_, wanted, words) => {
    const call = bot.git.createTree({ ...fleet, ...wanted } as unknown as Parameters<Octokit['git']['createTree']>[0]);
    expect(await refusalOf(call)).toMatchObject([422, expect.stringContaining(words)]);
    expectNoViolations(github);
  });

  it.each([
    ['bad-gateway', 502, 'Server Error'],
    ['timeout', 422, 'input was too large'],
  ] as const)('a tree of too much, when the test wants it (%s)', async (largeTrees, status, words) => {
    const entries = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ ...file, path: `f${n}`, content: 'x' }));
    const large = [{ ...file, content: 'x'.repeat(1_300_000) }];
    await bot.git.createTree({ ...fleet, tree: entries(101) });
    github.settings.largeTrees = largeTrees;
    await bot.git.createTree({ ...fleet, tree: entries(100) });
    for (const it of [entries(101), large]) {
      const said = await refusalOf(bot.git.createTree({ ...fleet, tree: it }));
      expect(said).toMatchObject([status, expect.stringContaining(words)]);
    }
    expectNoViolations(github);
  });

  it('everything in an empty repository', async () => {
    await reopen({ owner: 'acme', name: 'empty', files: null });
    const empty = { owner: 'acme', repo: 'empty' };
    expect((await bot.repos.get(empty)).data.default_branch).toBe('main');
    const calls = [
      bot.git.getRef({ ...empty, ref: 'heads/main' }),
      bot.git.createTree({ ...empty, tree: [{ ...file, content: 'x' }] }),
      bot.git.createBlob({ ...empty, content: 'x' }),
      bot.git.createRef({ ...empty, ref: 'refs/heads/new', sha: nowhere }),
    ];
    for (const it of await Promise.all(calls.map(refusalOf))) expect(it).toEqual([409, 'Git Repository is empty.']);
    expectNoViolations(github);
  });
});

describe('pull requests and comments that GitHub refuses', () => {
  it('pull requests', async () => {
    const number = await openPull();
    const create = (it: object) =>
      refusalOf(bot.pulls.create({ ...fleet, base: 'main', head: 'weft', title: 'Manifests', ...it }));
    expect(await create({})).toEqual([422, 'A pull request already exists for acme:weft.']);
    expect(await create({ head: 'acme:main' })).toEqual([422, 'No commits between main and acme:main']);
    expect(await create({ head: 'nobody:weft' })).toEqual([422, 'head']);
    expect(await create({ head: 'gone' })).toEqual([422, 'head']);
    expect(await create({ base: 'gone' })).toEqual([422, 'base']);
    expect(await create({ title: '' })).toEqual([422, 'title']);
    const long = 'body is too long (maximum is 65536 characters)';
    expect(await create({ body: 'x'.repeat(65_537) })).toEqual([422, long]);
    const update = (it: object) => refusalOf(bot.pulls.update({ ...fleet, pull_number: number, ...it }));
    expect(await update({ body: 'x'.repeat(65_537) })).toEqual([422, long]);
    expect(await update({ base: 'gone' })).toEqual([422, 'base']);
    await bot.pulls.update({ ...fleet, pull_number: number, body: 'x'.repeat(65_536), state: 'closed' });
    await bot.git.deleteRef({ ...fleet, ref: 'heads/weft' });
    expect(await update({ state: 'open' })).toEqual([422, 'state cannot be changed.']);
    expect(await refusalOf(bot.pulls.get({ ...fleet, pull_number: 99 }))).toEqual([404, 'Not Found']);
    github.forbidPullsByActions();
    expect(await create({})).toMatchObject([403, expect.stringContaining('not permitted to create or approve')]);
    expectNoViolations(github);
  });

  it('comments', async () => {
    const issue_number = await openPull();
    const create = (body: string, number = issue_number) =>
      refusalOf(bot.issues.createComment({ ...fleet, issue_number: number, body }));
    const long = 'Body is too long (maximum is 65536 characters)';
    expect(await create('x'.repeat(65_537))).toEqual([422, long]);
    expect(await create('text', 99)).toEqual([404, 'Not Found']);
    const { id } = github.comment(issue_number, github.user, 'mine');
    const update = (client: Octokit, comment_id: number, body: string) =>
      refusalOf(client.issues.updateComment({ ...fleet, comment_id, body }));
    expect(await update(bot, id, 'x'.repeat(65_537))).toEqual([422, long]);
    expect(await update(bot, 99, 'text')).toEqual([404, 'Not Found']);
    const guest = github.signUp({ login: 'guest', kind: 'user', grants: {} });
    expect(await update(clientOf(github, guest), id, 'text')).toEqual([403, 'Forbidden']);
    await clientOf(github, guest).issues.createComment({ ...fleet, issue_number, body: 'a guest may' });
    expect(github.comments.map((it) => [it.author.login, it.body])).toEqual([
      ['ada', 'mine'],
      ['guest', 'a guest may'],
    ]);
    expectNoViolations(github);
  });

  it('forks: who may, whom the filter finds, whom it misses', async () => {
    await reopen(
      { owner: 'eve', name: 'fleet', forkOf: 'acme/fleet' },
      { owner: 'acme', name: 'fleet-copy', forkOf: 'acme/fleet' },
    );
    const eve = clientOf(
      github,
      github.signUp({ login: 'eve', kind: 'user', grants: { 'eve/fleet': { contents: 'write', pulls: 'write' } } }),
    );
    await github.at('eve/fleet').commit('weft', { 'x.txt': 'x\n' });
    await github.at('acme/fleet-copy').commit('weft', { 'y.txt': 'y\n' });
    const own = await openPull();
    const wanted = { ...fleet, base: 'main', title: 'From a fork' };
    const theirs = (await eve.pulls.create({ ...wanted, head: 'eve:weft', maintainer_can_modify: true })).data;
    expect(theirs.head.repo?.full_name).toBe('eve/fleet');
    const copy = (await bot.pulls.create({ ...wanted, head: 'acme:weft', head_repo: 'acme/fleet-copy' })).data;
    const list = async (head: string) => (await bot.pulls.list({ ...fleet, head })).data.map((it) => it.number);
    expect(await list('eve:weft')).toEqual([theirs.number]);
    // The fork of the same owner is missed, and without an owner nothing is filtered.
    expect(await list('acme:weft')).toEqual([own]);
    expect(await list('weft')).toEqual([copy.number, theirs.number, own]);
    const again = {
      ...wanted,
      base: 'other',
      head: 'acme:weft',
      head_repo: 'acme/fleet-copy',
      maintainer_can_modify: true,
    };
    await bot.git.createRef({ ...fleet, ref: 'refs/heads/other', sha: main });
    expect(await refusalOf(eve.pulls.create(again))).toMatchObject([422, expect.stringContaining('Fork collab')]);
    const { data } = await bot.repos.compareCommitsWithBasehead({ ...fleet, basehead: 'main...eve:weft' });
    expect(data.ahead_by).toBe(1);
    expectNoViolations(github);
  });
});

describe('tokens', () => {
  it('may do what they were given, and nothing else', async () => {
    await reopen({ owner: 'acme', name: 'vault', isPrivate: true });
    const reading = { contents: 'read', pulls: 'none' } as const;
    const reader = clientOf(github, github.signUp({ login: 'dependabot[bot]', kind: 'bot', grants: { '*': reading } }));
    const stranger = clientOf(github, github.signUp({ login: 'stranger', kind: 'user', grants: {} }));
    const nobody = clientOf(github, null);
    const expired = clientOf(github, { ...github.bot, token: 'run-out' });
    const vault = { owner: 'acme', repo: 'vault' };
    const ref = { ref: 'refs/heads/new', sha: main };
    const integration = [403, 'Resource not accessible by integration'];
    expect(await refusalOf(reader.git.createRef({ ...fleet, ...ref }))).toEqual(integration);
    expect(await refusalOf(reader.pulls.list(vault))).toEqual(integration);
    expect((await reader.git.getRef({ ...vault, ref: 'heads/main' })).status).toBe(200);
    expect(await refusalOf(bot.users.getAuthenticated())).toEqual(integration);
    expect((await user.users.getAuthenticated()).data.login).toBe('ada');
    expect(await refusalOf(stranger.repos.get(vault))).toEqual([404, 'Not Found']);
    expect(await refusalOf(stranger.git.createRef({ ...fleet, ...ref }))).toEqual([404, 'Not Found']);
    expect((await stranger.repos.get(fleet)).data.permissions).toMatchObject({ push: false, pull: true });
    expect((await bot.repos.get(fleet)).data.permissions).toMatchObject({ push: true });
    expect((await nobody.repos.get(fleet)).data.permissions).toBeUndefined();
    expect(await refusalOf(nobody.git.createRef({ ...fleet, ...ref }))).toEqual([401, 'Requires authentication']);
    expect(await refusalOf(nobody.users.getAuthenticated())).toEqual([401, 'Requires authentication']);
    expect(await refusalOf(expired.repos.get(fleet))).toEqual([401, 'Bad credentials']);
    expect(await refusalOf(bot.repos.get({ owner: 'acme', repo: 'nothing' }))).toEqual([404, 'Not Found']);
    expect(github.log.every((it) => it.method === 'GET' || Number(it.status) >= 400)).toBe(true);
    expectNoViolations(github);
  });
});
