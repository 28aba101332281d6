import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Octokit } from '@octokit/rest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from './clients.ts';
import { DESCRIPTION } from './description.ts';
import { expectNoViolations } from './expect-no-violations.ts';
import { type FakeGitHub, fakeGitHub } from './fake-github.ts';
import { OPERATION_IDS } from './operations.ts';
import { ROUTE_IDS } from './routes.ts';

const fleet = { owner: 'acme', repo: 'fleet' };

let github: FakeGitHub;
let bot: Octokit;
let user: Octokit;

beforeEach(() => {
  const files = { 'README.md': 'hello\n', 'out/a.yaml': 'a: 1\n', 'out/b.yaml': 'b: 1\n' };
  github = fakeGitHub({ repositories: [{ owner: 'acme', name: 'fleet', files }] });
  bot = clientOf(github, github.bot);
  user = clientOf(github, github.user);
});

afterEach(() => github.close());

const headOf = async (branch: string): Promise<string> =>
  (await bot.git.getRef({ ...fleet, ref: `heads/${branch}` })).data.object.sha;

type Files = Readonly<Record<string, string | null>>;

/** Files on top of the default branch in one commit, in trees of at most 100 entries; the id of the commit. */
async function commitOf(files: Files): Promise<string> {
  const parent = (await bot.git.getCommit({ ...fleet, commit_sha: await headOf('main') })).data;
  let tree = parent.tree.sha;
  const entries = Object.entries(files);
  for (let at = 0; at < entries.length; at += 100) {
    const part = entries.slice(at, at + 100).map(([path, content]) => ({
      path,
      mode: '100644' as const,
      type: 'blob' as const,
      ...(content === null ? { sha: null } : { content }),
    }));
    tree = (await bot.git.createTree({ ...fleet, base_tree: tree, tree: part })).data.sha;
  }
  return (await bot.git.createCommit({ ...fleet, message: 'some files', tree, parents: [parent.sha] })).data.sha;
}

const branchOf = async (branch: string, files: Files): Promise<string> => {
  const sha = await commitOf(files);
  await bot.git.createRef({ ...fleet, ref: `refs/heads/${branch}`, sha });
  return sha;
};

const openPull = async (branch = 'weft', files: Files = { 'out/new.yaml': 'new: 1\n' }) => {
  await branchOf(branch, files);
  return (await bot.pulls.create({ ...fleet, base: 'main', head: branch, title: 'Manifests', body: 'all of them' }))
    .data;
};

describe("the subset of GitHub's description", () => {
  it('has the calls that the fake knows, and no others', () => {
    expect([...OPERATION_IDS].sort()).toEqual(ROUTE_IDS);
    expect(ROUTE_IDS).toHaveLength(24);
  });

  it('says where it is from and under which licence', () => {
    expect(DESCRIPTION.source.version).toBe('23.0.2');
    expect(DESCRIPTION.source.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(DESCRIPTION.source.license.join('\n')).toContain('MIT License');
    expect(DESCRIPTION.openapi).toBe('3.0.3');
  });

  it('has everything that it refers to, and nothing that nobody refers to', () => {
    const text = readFileSync(new URL('openapi-subset.json', import.meta.url), 'utf8');
    const used = new Set([...text.matchAll(/"#\/components\/(\w+\/[^"]+)"/g)].map(([, it]) => it));
    const there = Object.entries(DESCRIPTION.components).flatMap(([kind, it]) =>
      Object.keys(it).map((name) => `${kind}/${name}`),
    );
    expect(there.sort()).toEqual([...used].sort());
  });
});

describe('what weft does on GitHub', () => {
  it('commits 250 files in chained trees, which the real git then checks out', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 250 }, (_, n) => [`out/cluster-${n % 7}/links/${n}.yaml`, `n: ${n}\nname: "Zürich"\n`]),
    );
    github.settings.largeTrees = 'bad-gateway';
    const sha = await branchOf('weft/manifests', { ...files, 'out/a.yaml': null });
    expect(github.count('git/create-tree')).toBe(3);
    const folder = join(mkdtempSync(join(tmpdir(), 'weft-clone-')), 'clone');
    github.clone(folder, 'weft/manifests');
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(folder, path), 'utf8')).toBe(text);
    rmSync(join(folder, '..'), { recursive: true });
    expect([...github.filesAt(sha).keys()].sort()).toEqual(['README.md', ...Object.keys(files), 'out/b.yaml'].sort());
    expectNoViolations(github);
  });

  it('writes objects and branches with which git finds no fault, and the tree that git makes of the same files', async () => {
    const files = { 'a/b/c.yaml': 'c: 1\n', 'a.yaml': 'a: 1\n', 'a-b': 'ü\n', 'run.sh': 'run\n', link: 'a/b' };
    await github.commit('other', files, { modes: { 'run.sh': '100755', link: '120000' } });
    await branchOf('weft/manifests', { 'a/b/c.yaml': 'c: 2\n', 'README.md': null });
    const { store } = github.world.repositories[0] ?? {};
    expect(store?.run(['fsck', '--full', '--strict', '--no-dangling'])).toBe('');
    expect(store?.run(['for-each-ref', '--format=%(refname)'])).toBe(
      ['main', 'other', 'weft/manifests'].map((it) => `refs/heads/${it}\n`).join(''),
    );
    const listed = store?.run(['ls-tree', '-z', 'other^{tree}']) ?? '';
    expect(store?.run(['mktree', '-z'], listed)).toBe(store?.run(['rev-parse', 'other^{tree}']));
    expect(Object.fromEntries(github.filesAt('other'))).toMatchObject(files);
  });

  it('signs what a bot commits without an author, and nothing else', async () => {
    const tree = (await bot.git.getTree({ ...fleet, tree_sha: 'main' })).data.sha;
    const parents = [await headOf('main')];
    const author = { name: 'Ada', email: 'ada@example.com', date: '2026-03-04T05:06:07+02:00' };
    const plain = (await bot.git.createCommit({ ...fleet, message: 'one\n\ntwo', tree, parents })).data;
    expect(plain.verification).toMatchObject({ verified: true, reason: 'valid' });
    expect(plain).toMatchObject({ author: { name: 'github-actions[bot]' }, committer: { name: 'GitHub' } });
    const named = (await bot.git.createCommit({ ...fleet, message: 'one', tree, parents, author })).data;
    expect(named).toMatchObject({ verification: { verified: false }, author: { date: '2026-03-04T03:06:07Z' } });
    const byUser = (await user.git.createCommit({ ...fleet, message: 'one', tree, parents })).data;
    expect(byUser).toMatchObject({ verification: { verified: false }, committer: { name: 'ada' } });
    const read = (await bot.git.getCommit({ ...fleet, commit_sha: plain.sha })).data;
    expect(read).toEqual(plain);
    expectNoViolations(github);
  });

  it('opens, changes, lists, closes and reopens a pull request', async () => {
    const { number, head, base } = await openPull();
    expect([head.label, base.label, head.sha]).toEqual(['acme:weft', 'acme:main', github.headOf('weft')]);
    await bot.pulls.update({ ...fleet, pull_number: number, title: 'Other', body: 'text' });
    const listed = (await bot.pulls.list({ ...fleet, head: 'acme:weft', base: 'main' })).data;
    expect(listed.map((it) => [it.number, it.title, it.body, it.state])).toEqual([[number, 'Other', 'text', 'open']]);
    await bot.pulls.update({ ...fleet, pull_number: number, state: 'closed' });
    expect((await bot.pulls.list({ ...fleet })).data).toEqual([]);
    expect((await bot.pulls.list({ ...fleet, state: 'all' })).data).toHaveLength(1);
    await bot.pulls.update({ ...fleet, pull_number: number, state: 'open' });
    expect((await bot.pulls.get({ ...fleet, pull_number: number })).data).toMatchObject({
      state: 'open',
      merged: false,
    });
    await bot.git.deleteRef({ ...fleet, ref: 'heads/weft' });
    expect((await bot.pulls.get({ ...fleet, pull_number: number })).data.state).toBe('closed');
    expectNoViolations(github);
  });

  it('closes a pull request whose branch is moved to its base for a moment', async () => {
    const { number, head } = await openPull();
    await bot.git.updateRef({ ...fleet, ref: 'heads/weft', sha: await headOf('main'), force: true });
    await bot.git.updateRef({ ...fleet, ref: 'heads/weft', sha: head.sha });
    expect((await bot.pulls.get({ ...fleet, pull_number: number })).data).toMatchObject({
      state: 'closed',
      merged: false,
    });
    expectNoViolations(github);
  });

  it.each(['merge', 'squash'] as const)('knows that a pull request was merged (%s)', async (how) => {
    const { number } = await openPull();
    await github.commit('main', { 'other.txt': 'other\n' });
    await github.merge(number, how);
    expect((await bot.pulls.get({ ...fleet, pull_number: number })).data).toMatchObject({
      state: 'closed',
      merged: true,
    });
    expect([...github.filesAt('main').keys()]).toContain('out/new.yaml');
    expect([...github.filesAt('main').keys()]).toContain('other.txt');
    expectNoViolations(github);
  });

  it('pages through 120 comments, 30 at a time unless more are asked for', async () => {
    const { number } = await openPull();
    for (let n = 0; n < 119; n++) github.comment(number, github.user, `comment ${n}`);
    const { data: mine } = await bot.issues.createComment({ ...fleet, issue_number: number, body: 'the last' });
    expect((await bot.issues.listComments({ ...fleet, issue_number: number })).data).toHaveLength(30);
    const all = await bot.paginate(bot.issues.listComments, { ...fleet, issue_number: number, per_page: 100 });
    expect(all.map((it) => it.body)).toEqual([...Array.from({ length: 119 }, (_, n) => `comment ${n}`), 'the last']);
    expect(all.at(-1)?.user).toMatchObject({ login: 'github-actions[bot]', type: 'Bot' });
    await bot.issues.updateComment({ ...fleet, comment_id: mine.id, body: 'the very last' });
    const last = (await bot.issues.listComments({ ...fleet, issue_number: number, per_page: 100, page: 2 })).data;
    expect(last.at(-1)).toMatchObject({ id: mine.id, body: 'the very last' });
    expect(github.count('issues/list-comments')).toBe(4);
    for (const it of github.comments.slice(0, 1)) it.minimized = true;
    const [first] = (await bot.issues.listComments({ ...fleet, issue_number: number, per_page: 1 })).data;
    expect(first).toMatchObject({ minimized: { reason: 'outdated' } });
    expectNoViolations(github);
  });

  it('compares what diverged, and pages through its commits', async () => {
    await openPull();
    await github.commit('main', { 'other.txt': 'other\n' });
    await github.commit('weft', { 'out/a.yaml': null, 'out/b.yaml': 'b: 2\n' }, { author: 'Eve' });
    const { data } = await bot.repos.compareCommitsWithBasehead({ ...fleet, basehead: 'main...weft' });
    expect(data).toMatchObject({ status: 'diverged', ahead_by: 2, behind_by: 1, total_commits: 2 });
    expect(data.commits.map((it) => it.commit.message)).toEqual(['some files', 'Eve was here']);
    expect(data.files?.map((it) => [it.filename, it.status, it.changes])).toEqual([
      ['out/a.yaml', 'removed', 1],
      ['out/b.yaml', 'modified', 2],
      ['out/new.yaml', 'added', 1],
    ]);
    const second = { ...fleet, basehead: `${await headOf('main')}...${await headOf('weft')}`, per_page: 1, page: 2 };
    const { commits, files } = (await bot.repos.compareCommitsWithBasehead(second)).data;
    expect([commits.map((it) => it.commit.message), files]).toEqual([['Eve was here'], []]);
    expectNoViolations(github);
  });

  it('reads blobs and folders, and cuts a listing that is too long', async () => {
    const root = (await bot.git.getCommit({ ...fleet, commit_sha: await headOf('main') })).data.tree.sha;
    const top = (await bot.git.getTree({ ...fleet, tree_sha: root })).data;
    expect(top.tree.map((it) => [it.path, it.mode, it.type, it.size])).toEqual([
      ['README.md', '100644', 'blob', 6],
      ['out', '040000', 'tree', undefined],
    ]);
    const all = (await bot.git.getTree({ ...fleet, tree_sha: root, recursive: 'true' })).data;
    expect(all.tree.map((it) => it.path)).toEqual(['README.md', 'out', 'out/a.yaml', 'out/b.yaml']);
    const blob = (
      await bot.git.createBlob({
        ...fleet,
        content: Buffer.from('ä'.repeat(99)).toString('base64'),
        encoding: 'base64',
      })
    ).data;
    const read = (await bot.git.getBlob({ ...fleet, file_sha: blob.sha })).data;
    expect(Buffer.from(read.content, 'base64').toString('utf8')).toBe('ä'.repeat(99));
    github.settings.treeEntries = 2;
    expect((await bot.git.getTree({ ...fleet, tree_sha: root, recursive: '1' })).data).toMatchObject({
      truncated: true,
    });
    expectNoViolations(github);
  });

  it('puts, replaces and takes out entries of every kind', async () => {
    const root = (await bot.git.getCommit({ ...fleet, commit_sha: await headOf('main') })).data.tree.sha;
    const blob = (await bot.git.createBlob({ ...fleet, content: 'x' })).data.sha;
    const out =
      (await bot.git.getTree({ ...fleet, tree_sha: root })).data.tree.find((it) => it.path === 'out')?.sha ?? '';
    const { data } = await bot.git.createTree({
      ...fleet,
      base_tree: root,
      tree: [
        { path: 'copy', mode: '040000', type: 'tree', sha: out },
        { path: 'run.sh', mode: '100755', type: 'blob', sha: blob },
        { path: 'link', mode: '120000', type: 'blob', content: 'run.sh' },
        { path: 'README.md/inside', mode: '100644', type: 'blob', content: 'a file became a folder' },
        { path: 'out', mode: '040000', type: 'tree', sha: null },
      ],
    });
    const paths = (await bot.git.getTree({ ...fleet, tree_sha: data.sha, recursive: '1' })).data.tree;
    expect(paths.filter((it) => it.type === 'blob').map((it) => `${it.mode} ${it.path}`)).toEqual([
      '100644 README.md/inside',
      '100644 copy/a.yaml',
      '100644 copy/b.yaml',
      '120000 link',
      '100755 run.sh',
    ]);
    expectNoViolations(github);
  });
});
