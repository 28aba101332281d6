import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Commit, type ForgeContent, ForgeError } from '../../../src/host/forge/forge.ts';
import { gitContent } from '../../../src/host/git-remote/git-content.ts';
import type { GitFault, GitRequest } from '../fake-git/serve-git.ts';
import { type FakeGitHub, fakeGitHub } from '../fake-github/fake-github.ts';
import { GIT_ENV } from '../fake-github/git-store.ts';
import { contentByGit, gitServerOf, TOKEN } from './content-by-git.ts';

function newFake(files: Readonly<Record<string, string>> = { 'README.md': 'a fleet\n' }): FakeGitHub {
  const fake = fakeGitHub({ repositories: [{ owner: 'acme', name: 'fleet', files }] });
  onTestFinished(() => fake.close());
  return fake;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weft-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const bareOf = (fake: FakeGitHub): string => join(fake.folder, 'acme', 'fleet.git');

const gitIn = (folder: string, args: readonly string[], input = ''): string =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'latin1', env: GIT_ENV, input, stdio: 'pipe' });

const isPush = ({ service, isPost }: GitRequest): boolean => isPost && service === 'git-receive-pack';

/** A commit on a branch with one more file. */
async function commitOn(content: ForgeContent, branch: string, path: string, text = 'new\n'): Promise<Commit> {
  const head = await content.headOf(branch);
  const before = await content.readCommit(head ?? '');
  const tree = await content.writeTree(before.tree, [{ kind: 'write', path, text, mode: '100644' }]);
  const commit = { tree, parents: [before.id], message: `Add ${path}\n` };
  return { ...commit, id: await content.writeCommit(commit) };
}

async function failureOf(run: Promise<unknown>): Promise<ForgeError> {
  const error = await run.then(
    () => undefined,
    (it: unknown) => it,
  );
  if (error instanceof ForgeError) return error;
  throw error ?? new Error('it did not fail');
}

describe('the token', () => {
  it('is in no command line, no file and no address, and its header goes to the server alone', async () => {
    const fake = newFake();
    const folder = newFolder();
    const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const basic = Buffer.from(`weft:${TOKEN}`).toString('base64');
    // A git that notes its arguments, and whether a file of the repository has the token.
    const spy = [
      '#!/bin/sh',
      `printf '%s\\n' "$*" >> ${folder}/arguments`,
      `[ -z "$GIT_DIR" ] || grep -rlE '${TOKEN}|${basic}' "$GIT_DIR" >> ${folder}/leaks`,
      `exec ${real} "$@"`,
    ];
    writeFileSync(join(folder, 'git'), `${spy.join('\n')}\n`);
    chmodSync(join(folder, 'git'), 0o755);
    const server = await gitServerOf(fake);
    const content = gitContent(
      {
        ...{ url: `${server.url}/acme/fleet.git`, name: 'acme/fleet', forge: 'the server', user: 'weft', token: TOKEN },
        ...{ author: async () => ({ name: 'Weft Bot', email: 'weft@example.com' }), proxies: {}, hints: {} },
        ...{ clock: fake.clock, notify: () => {} },
      },
      { PATH: `${folder}:${process.env['PATH']}` },
    );
    const commit = await commitOn(content, 'main', 'a.txt');
    expect(await content.createBranch('weft/europe', commit.id)).toBe('created');
    await content.close();
    const told = readFileSync(join(folder, 'arguments'), 'utf8');
    expect(told).toContain('push');
    expect(told).not.toContain(TOKEN);
    expect(told).not.toContain(basic);
    expect(readFileSync(join(folder, 'leaks'), 'utf8')).toBe('');
    expect(server.requests.every((it) => it.password === TOKEN)).toBe(true);
  });

  it('is not sent to where a server redirects', async () => {
    const fake = newFake();
    const seen: string[] = [];
    const elsewhere = createServer((request, answer) => {
      seen.push(JSON.stringify(request.headers));
      answer.writeHead(404).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = elsewhere.address() as AddressInfo;
    const redirecting = createServer((request, answer) => {
      answer.writeHead(302, { Location: `http://127.0.0.1:${port}${request.url}` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const it of [elsewhere, redirecting]) it.close();
    });
    const { port: first } = redirecting.address() as AddressInfo;
    const content = contentByGit(fake, { url: `http://127.0.0.1:${first}` });
    await failureOf(content.headOf('main'));
    expect(seen).toEqual([]);
  });

  it.each([
    ['no user is asked for another one', 'wrong', 'not-signed-in'],
    ['neither without any', '', 'not-signed-in'],
  ] as const)('that is wrong is refused, and %s', async (_, token, failure) => {
    const fake = newFake();
    const content = contentByGit(fake, await gitServerOf(fake), { token });
    const error = await failureOf(content.headOf('main'));
    expect(error.failure).toBe(failure);
    expect(error.message).toMatch(/^cannot read the branch main of acme\/fleet: /);
    expect(error.hint).toContain('WEFT_TOKEN');
  });
});

it('goes through the proxies of the machine, and not to those that need none', async () => {
  const fake = newFake();
  const server = await gitServerOf(fake);
  const seen: string[] = [];
  // git sends a proxy the whole address.
  const proxy = createServer((incoming, answer) => {
    seen.push(incoming.url ?? '');
    const to = request(incoming.url ?? '', { method: incoming.method ?? 'GET', headers: incoming.headers });
    to.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    incoming.pipe(to);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  // The address without a scheme, as users write it.
  const httpProxy = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const through = contentByGit(fake, server, { proxies: { httpProxy } });
  expect(await through.headOf('main')).toBe(fake.headOf('main'));
  expect(seen[0]).toContain(`${server.url}/acme/fleet.git/info/refs`);
  const count = seen.length;
  const around = contentByGit(fake, server, { proxies: { httpProxy, noProxy: 'example.com 127.0.0.1' } });
  expect(await around.headOf('main')).toBe(fake.headOf('main'));
  expect(seen).toHaveLength(count);
});

describe('the temporary repository', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('is gone after %s in the middle of a fetch', async (signal) => {
    const folder = newFolder();
    // A server that never answers.
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/acme/fleet.git`;
    const script = join(folder, 'run.mjs');
    await build({
      stdin: {
        contents: `import { gitContent } from './src/host/git-remote/git-content.ts';
          const every = () => () => {};
          await gitContent({ url: ${JSON.stringify(url)}, name: 'acme/fleet', forge: 'the server', user: 'weft', token: 'token-1234',
            author: async () => ({ name: 'W', email: 'w@example.com' }), proxies: {}, hints: {}, notify() {},
            clock: { now: Date.now, sleep: async () => {}, every } }, process.env).headOf('main');`,
        resolveDir: new URL('../../..', import.meta.url).pathname,
      },
      ...{ bundle: true, platform: 'node', format: 'esm', outfile: script, logLevel: 'error' },
    });
    const temporary = join(folder, 'tmp');
    mkdirSync(temporary);
    const asked = new Promise<void>((resolve) => silent.once('request', () => resolve()));
    const child = spawn(process.execPath, [script], { env: { ...process.env, TMPDIR: temporary }, stdio: 'ignore' });
    const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, by) => resolve(by)));
    await asked;
    expect(readNames(temporary)).toEqual([expect.stringMatching(/^weft-git-/)]);
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(readNames(temporary)).toEqual([]);
  });

  it('is made for the first call, and is gone at the end', async () => {
    const fake = newFake();
    const folder = newFolder();
    const server = await gitServerOf(fake);
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      const content = contentByGit(fake, server);
      expect(readNames(folder)).toEqual([]);
      await content.headOf('main');
      expect(readNames(folder)).toEqual([expect.stringMatching(/^weft-git-/)]);
      await content.close();
      expect(readNames(folder)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  it('has of the first commits neither files nor folders, and the history only after a comparison', async () => {
    const fake = newFake({ 'a/b/c.txt': 'one\n' });
    for (const n of [1, 2, 3]) await fake.commit('main', { 'a/b/c.txt': `${n}\n`, [`big-${n}`]: 'x'.repeat(10_000) });
    const folder = newFolder();
    const server = await gitServerOf(fake);
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      const content = contentByGit(fake, server);
      const head = (await content.headOf('main')) ?? '';
      await content.listFiles((await content.readCommit(head)).tree);
      const [name = ''] = readNames(folder);
      const types = (): readonly string[] =>
        gitIn(join(folder, name), ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype)'])
          .split('\n')
          .filter(Boolean)
          .sort();
      expect(types()).toEqual(['commit', 'tree', 'tree', 'tree']);
      const first = fake.historyOf('main').at(-1) ?? '';
      expect(await content.compare(first, head)).toMatchObject({ mergeBase: first, ahead: 3, behind: 0 });
      expect(types()).toEqual(['commit', 'commit', 'commit', 'commit', 'tree', 'tree', 'tree']);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  it('makes the same commits whatever the user has configured', async () => {
    const fake = newFake();
    const home = newFolder();
    const config =
      '[core]\n\tautocrlf = true\n\thooksPath = /nonexistent\n[commit]\n\tgpgSign = true\n[i18n]\n\tcommitEncoding = latin1\n';
    writeFileSync(join(home, '.gitconfig'), config);
    const server = await gitServerOf(fake);
    const env = { PATH: process.env['PATH'], HOME: home, GIT_AUTHOR_NAME: 'Mallory', GIT_DIR: '/nonexistent' };
    const content = gitContent(
      {
        ...{ url: `${server.url}/acme/fleet.git`, name: 'acme/fleet', forge: 'the server', user: 'weft', token: TOKEN },
        ...{ author: async () => ({ name: 'Zoë', email: 'zoe@example.com' }), proxies: {}, hints: {} },
        ...{ clock: fake.clock, notify: () => {} },
      },
      env,
    );
    onTestFinished(() => content.close());
    const { id } = await commitOn(content, 'main', 'a.txt', 'one\r\ntwo\n');
    await content.createBranch('b', id);
    expect(fake.filesAt('b').get('a.txt')).toBe('one\r\ntwo\n');
    const commit = gitIn(bareOf(fake), ['cat-file', 'commit', 'b']);
    expect(Buffer.from(commit, 'latin1').toString()).toMatch(
      /\nauthor Zoë <zoe@example.com> \d+ [+-]\d{4}\ncommitter Zoë <zoe@/,
    );
    expect(commit).not.toMatch(/gpgsig|encoding/);
    expect(await content.authorOf(id)).toEqual({ name: 'Zoë', email: 'zoe@example.com' });
  });
});

const readNames = (folder: string): readonly string[] =>
  existsSync(folder) ? execFileSync('ls', ['-A', folder], { encoding: 'utf8' }).split('\n').filter(Boolean) : [];

describe('trees', () => {
  it('keep what weft does not know: programs, links, submodules, and names that are no text', async () => {
    const fake = newFake();
    const bare = bareOf(fake);
    const blob = gitIn(bare, ['hash-object', '-w', '--stdin'], 'x').trim();
    const entries = [
      `100755 blob ${blob}\trun`,
      `120000 blob ${blob}\tlink`,
      `160000 commit ${'1'.repeat(40)}\tmodule`,
      `100644 blob ${blob}\tname-\xff\xfe`,
      `100644 blob ${blob}\tnäme`.replace('ä', Buffer.from('ä').toString('latin1')),
    ];
    const tree = execFileSync('git', ['-C', bare, 'mktree', '-z', '--missing'], {
      env: GIT_ENV,
      input: Buffer.from(entries.map((it) => `${it}\0`).join(''), 'latin1'),
      encoding: 'utf8',
    }).trim();
    const env = {
      ...GIT_ENV,
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    const commit = execFileSync('git', ['-C', bare, 'commit-tree', tree, '-m', 'x'], { env, encoding: 'utf8' }).trim();
    gitIn(bare, ['update-ref', 'refs/heads/main', commit]);
    const content = contentByGit(fake, await gitServerOf(fake));
    const { id } = await commitOn(content, 'main', 'deep/er/a.txt');
    await content.createBranch('b', id);
    const listed = gitIn(bare, ['ls-tree', '-r', '-z', 'b']).split('\0').filter(Boolean);
    expect(listed.filter((it) => !it.endsWith('a.txt')).sort()).toEqual([...entries].sort());
    expect(listed.filter((it) => it.endsWith('\tdeep/er/a.txt'))).toHaveLength(1);
  });

  it('are read with one request, however many files are wanted, and those that are here with none', async () => {
    const texts = Array.from({ length: 40 }, (_, i) => `text ${i}\n${'é'.repeat(i)}`);
    const fake = newFake(Object.fromEntries(texts.map((text, i) => [`f${i}`, text])));
    const server = await gitServerOf(fake);
    const content = contentByGit(fake, server);
    const { tree } = await content.readCommit((await content.headOf('main')) ?? '');
    const files = await content.listFiles(tree);
    const ids = texts.map((_, i) => files?.get(`f${i}`)?.id ?? '');
    const before = server.requests.length;
    expect(await content.readTexts(ids)).toEqual(texts);
    const needed = server.requests.length - before;
    expect(needed).toBeLessThanOrEqual(2);
    expect(await content.readTexts([...ids, await content.writeBlob('own')])).toEqual([...texts, 'own']);
    expect(await content.readTexts([])).toEqual([]);
    expect(server.requests.length - before).toBe(needed);
  });

  it('get edits in their order: files become folders, folders become files, and empty ones go', async () => {
    const fake = newFake({ file: 'f', 'folder/a': 'a', 'folder/b': 'b', 'other/c': 'c', 'left/d': 'd' });
    const content = contentByGit(fake, await gitServerOf(fake));
    const before = await content.readCommit((await content.headOf('main')) ?? '');
    const mode = '100644';
    const other = (await content.readFolder(before.tree)).get('other') ?? { mode: '', id: '' };
    const tree = await content.writeTree(before.tree, [
      { kind: 'delete', path: 'file', mode },
      { kind: 'delete', path: 'folder/a', mode },
      { kind: 'delete', path: 'folder/b', mode },
      { kind: 'delete', path: 'left', mode: '040000' },
      { kind: 'write', path: 'file/x', text: 'x', mode },
      { kind: 'write', path: 'folder', text: 'now a file', mode: '100755' },
      { kind: 'put', path: 'copy/of', entry: other },
    ]);
    const id = await content.writeCommit({ tree, parents: [before.id], message: 'm' });
    await content.createBranch('b', id);
    expect(Object.fromEntries(fake.filesAt('b'))).toEqual({
      'file/x': 'x',
      folder: 'now a file',
      'other/c': 'c',
      'copy/of/c': 'c',
    });
    expect(fake.modesAt('b').get('folder')).toBe('100755');
    const files = await content.listFiles(tree);
    expect([...(files ?? [])].map(([path]) => path).sort()).toEqual(['copy/of/c', 'file/x', 'folder', 'other/c']);
  });
});

describe('a branch', () => {
  it('is moved only from the head that weft has seen', async () => {
    const fake = newFake();
    const content = contentByGit(fake, await gitServerOf(fake));
    const seen = (await content.headOf('main')) ?? '';
    const { id } = await commitOn(content, 'main', 'a.txt');
    const foreign = await fake.commit('main', { 'b.txt': 'b' });
    for (const force of [false, true])
      expect(await content.moveBranch('main', { from: seen, to: id, force })).toBe('not-a-fast-forward');
    expect(fake.headOf('main')).toBe(foreign);
    const next = await commitOn(content, 'main', 'a.txt');
    expect(await content.moveBranch('main', { from: foreign, to: next.id, force: false })).toBe('moved');
    expect(fake.headOf('main')).toBe(next.id);
    // Backwards only by force.
    expect(await content.moveBranch('main', { from: next.id, to: seen, force: false })).toBe('not-a-fast-forward');
    expect(await content.moveBranch('main', { from: next.id, to: seen, force: true })).toBe('moved');
    expect(await content.moveBranch('gone', { from: seen, to: next.id, force: true })).toBe('missing');
  });

  it.each([
    [
      'moves',
      async (fake: FakeGitHub): Promise<void> => void (await fake.commit('b', { 'b.txt': 'b' })),
      'not-a-fast-forward',
      'moved',
    ],
    ['goes', (fake: FakeGitHub): Promise<void> => fake.deleteBranch('b'), 'missing', 'deleted'],
  ] as const)(
    'that %s between the look of git and its push is noticed by the server',
    async (_, event, moved, deleted) => {
      const fake = newFake();
      await fake.branch('b');
      let pending: (() => Promise<void>) | undefined;
      const server = await gitServerOf(fake, {
        before: async (request): Promise<null> => {
          if (!isPush(request)) return null;
          const run = pending;
          pending = undefined;
          await run?.();
          return null;
        },
      });
      const content = contentByGit(fake, server);
      const seen = (await content.headOf('b')) ?? '';
      const { id } = await commitOn(content, 'b', 'a.txt');
      pending = () => event(fake);
      expect(await content.moveBranch('b', { from: seen, to: id, force: true })).toBe(moved);
      expect(pending).toBeUndefined();
      await fake.branch('b', 'main');
      const again = (await content.headOf('b')) ?? '';
      pending = () => event(fake);
      expect(await content.deleteBranch('b', again)).toBe(deleted);
      expect(pending).toBeUndefined();
    },
  );

  it('is created unless there is one, and deleted once', async () => {
    const fake = newFake();
    const content = contentByGit(fake, await gitServerOf(fake));
    const { id } = await commitOn(content, 'main', 'a.txt');
    expect(await content.headOf('weft/europe')).toBeNull();
    expect(await content.createBranch('weft/europe', id)).toBe('created');
    expect(await content.createBranch('weft/europe', id)).toBe('created');
    const foreign = await fake.commit('weft/europe', { 'x.txt': 'x' });
    expect(await content.createBranch('weft/europe', id)).toBe('exists');
    expect(await content.deleteBranch('weft/europe', id)).toBe('moved');
    expect(fake.headOf('weft/europe')).toBe(foreign);
    expect(await content.deleteBranch('weft/europe', foreign)).toBe('deleted');
    expect(await content.deleteBranch('weft/europe', foreign)).toBe('deleted');
    expect(await content.headOf('weft/europe')).toBeNull();
  });

  it('that is gone makes room for one whose name continues it', async () => {
    const fake = newFake();
    const content = contentByGit(fake, await gitServerOf(fake));
    await fake.branch('weft');
    expect(await content.headOf('weft')).toBe(fake.headOf('main'));
    await fake.deleteBranch('weft');
    await fake.branch('weft/europe');
    expect(await content.headOf('weft/europe')).toBe(fake.headOf('main'));
    expect(await content.headOf('weft')).toBeNull();
  });

  it.each(['a:refs/heads/main', '+main', 'a b', '../x', 'a..b', 'main^', '-x\n', ''])(
    'cannot be called %j',
    async (name) => {
      const fake = newFake();
      const server = await gitServerOf(fake);
      const content = contentByGit(fake, server);
      const head = fake.headOf('main') ?? '';
      if (name !== '+main') expect((await failureOf(content.headOf(name))).reason).toBe('git does not allow this name');
      // A plus is a letter of a name.
      else expect(await content.headOf(name)).toBeNull();
      if (name !== '+main') await failureOf(content.createBranch(name, head));
      expect(fake.branches()).toEqual(['main']);
    },
  );
});

describe('a failure', () => {
  const withHook = (fake: FakeGitHub, said: string): void => {
    const hooks = join(bareOf(fake), 'hooks');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, 'pre-receive'), `#!/bin/sh\ncat > /dev/null\necho '${said}' >&2\nexit 1\n`);
    chmodSync(join(hooks, 'pre-receive'), 0o755);
  };

  it.each([
    ['GitLab: You are not allowed to push code to protected branches on this project.', 'protected', '--branch'],
    ['Gitea: branch main is protected from force push', 'protected', '--branch'],
    ['GitLab: Commit message does not follow the pattern', 'refused', 'push rule'],
    ['GitLab: Commit must be signed with a GPG key', 'refused', 'weft signs no commits'],
    ['GitLab: the moon is full', 'refused', 'a rule or a hook'],
  ] as const)('of a hook has the words of the server: %s', async (said, failure, hint) => {
    const fake = newFake();
    withHook(fake, said);
    const content = contentByGit(fake, await gitServerOf(fake));
    const { id } = await commitOn(content, 'main', 'a.txt');
    const error = await failureOf(content.createBranch('b', id));
    expect(error.failure).toBe(failure);
    expect(error.message).toBe(`cannot create the branch b in acme/fleet: ${said.replace(/^\w+: /, '')}`);
    expect(error.hint).toContain(hint);
    expect(fake.branches()).toEqual(['main']);
  });

  it.each([
    [403, 'not-permitted', 'push'],
    [404, 'not-found', 'check the name'],
    [413, 'too-large', 'size'],
    [429, 'limited', 'after the limit'],
  ] as const)('with status %i is reported once', async (status, failure, hint) => {
    const fake = newFake();
    const server = await gitServerOf(fake, {
      before: async (request) => (request.service === 'git-receive-pack' ? { kind: 'status', status } : null),
    });
    const content = contentByGit(fake, server);
    const { id } = await commitOn(content, 'main', 'a.txt');
    const error = await failureOf(content.createBranch('b', id));
    expect([error.failure, error.hint]).toEqual([failure, expect.stringContaining(hint)]);
    expect(server.requests.filter((it) => it.service === 'git-receive-pack')).toHaveLength(1);
  });

  it.each<[string, GitFault]>([
    ['an answer of 503', { kind: 'status', status: 503 }],
    ['a connection that ends before git has worked', { kind: 'hang up', after: false }],
    ['a connection that ends when git has worked', { kind: 'hang up', after: true }],
  ])('of the network is no failure when a later attempt succeeds: %s', async (_, fault) => {
    const fake = newFake();
    let faults = 0;
    const server = await gitServerOf(fake, {
      before: async (request) => (isPush(request) && faults++ < 2 ? fault : null),
    });
    const content = contentByGit(fake, server);
    const { id } = await commitOn(content, 'main', 'a.txt');
    expect(await content.createBranch('b', id)).toBe('created');
    expect(fake.headOf('b')).toBe(id);
    expect(fake.clock.slept.length).toBeGreaterThan(0);
  });

  it('of the network is reported after some attempts', async () => {
    const fake = newFake();
    const server = await gitServerOf(fake);
    const content = contentByGit(fake, server);
    await server.close();
    const error = await failureOf(content.headOf('main'));
    expect(error.failure).toBe('unreachable');
    expect(error.hint).toContain('HTTPS_PROXY');
    expect(fake.clock.slept).toEqual([1000, 2000, 4000, 8000]);
  });

  it('never shows the token, not even one that the server repeats', async () => {
    const fake = newFake();
    withHook(fake, `your token ${TOKEN} and ${Buffer.from(`weft:${TOKEN}`).toString('base64')}`);
    const content = contentByGit(fake, await gitServerOf(fake));
    const { id } = await commitOn(content, 'main', 'a.txt');
    expect((await failureOf(content.createBranch('b', id))).message).toContain('your token *** and ***');
  });

  it('names what is missing when git is too old or not there', async () => {
    const fake = newFake();
    const folder = newFolder();
    const server = await gitServerOf(fake);
    const remote = {
      ...{ url: `${server.url}/acme/fleet.git`, name: 'acme/fleet', forge: 'the server', user: 'weft', token: TOKEN },
      ...{ author: async () => ({ name: 'W', email: 'w@example.com' }), proxies: {}, hints: {} },
      ...{ clock: fake.clock, notify: () => {} },
    };
    await expect(gitContent(remote, { PATH: folder }).headOf('main')).rejects.toThrow('git is not installed');
    writeFileSync(join(folder, 'git'), '#!/bin/sh\necho git version 2.30.2\n');
    chmodSync(join(folder, 'git'), 0o755);
    await expect(gitContent(remote, { PATH: folder }).headOf('main')).rejects.toThrow('git 2.30 is too old');
  });
});
