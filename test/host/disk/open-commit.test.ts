import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inFolders as toFolders } from '../../../src/base/core/folder-files.ts';
import { commitsOf, type GitCommit, openCommit } from '../../../src/host/disk/open-commit.ts';
import { LARGEST_FILE_BYTES } from '../../../src/host/disk/read-text-file.ts';

const FILES = {
  'a.yaml': 'version: 1\n',
  'marked.yaml': '\uFEFFversion: 1\n',
  'latin.yaml': Buffer.from([0x76, 0xe9]),
  'large.yaml': Buffer.alloc(LARGEST_FILE_BYTES + 1, '#'),
  'eu/it/rome.yaml': 'rome\n',
  'eu/it/milan.yaml': 'milan\n',
  'eu/.hidden.yaml': 'hidden\n',
};

let folder: string;
let commit: GitCommit;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-open-commit-'));
  mkdirSync(join(folder, 'eu/it'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  symlinkSync('a.yaml', join(folder, 'link.yaml'));
  symlinkSync('eu', join(folder, 'europe'));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '--all');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  git(...author, 'commit', '--quiet', '-m', 'a');
  commit = await openCommit(folder, 'HEAD');
});
afterAll(() => rmSync(folder, { recursive: true }));

const isRoot = process.getuid?.() === 0;

it.skipIf(!isRoot)(
  'of another user, as in a container, is not read, and the error says what to set (needs root)',
  async () => {
    const other = mkdtempSync(join(tmpdir(), 'weft-other-user-'));
    const before = { ...process.env };
    try {
      execFileSync('git', ['init', '--quiet', other]);
      chownSync(other, 12_345, 12_345);
      chownSync(join(other, '.git'), 12_345, 12_345);
      // Neither the settings of this machine nor a sudo before it count.
      Object.assign(process.env, { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', SUDO_UID: '' });
      const hint = `run this first, in a job of a container too: git config --global --add safe.directory ${other}`;
      await expect(openCommit(other, 'HEAD')).rejects.toMatchObject({
        name: 'EnvironmentError',
        message: `git does not trust ${other}, because it belongs to another user`,
        hint,
      });
    } finally {
      for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM', 'SUDO_UID']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      rmSync(other, { recursive: true });
    }
  },
);

describe('a file of a commit is read under the rules for files on disk:', () => {
  it.each([
    ['a text', 'a.yaml', { kind: 'ok', text: 'version: 1\n' }],
    ['a byte order mark', 'marked.yaml', { kind: 'ok', text: 'version: 1\n' }],
    ['no file', 'b.yaml', { kind: 'missing' }],
    ['in a folder of a folder', 'eu/it/rome.yaml', { kind: 'ok', text: 'rome\n' }],
    ['a folder', 'eu', { kind: 'missing' }],
    ['in a folder that is missing', 'asia/rome.yaml', { kind: 'missing' }],
    ['a link', 'link.yaml', { kind: 'missing' }],
    ['below a link', 'europe/it/rome.yaml', { kind: 'missing' }],
    ['no UTF-8', 'latin.yaml', { kind: 'not-utf8' }],
    ['too large', 'large.yaml', { kind: 'too-large', bytes: LARGEST_FILE_BYTES + 1, limitBytes: LARGEST_FILE_BYTES }],
  ])('%s', async (_, path, expected) => {
    expect(await commit.readText(path)).toEqual(expected);
  });
});

it('the names in a folder of a commit are those of plain files that are not hidden', async () => {
  const plain = ['a.yaml', 'large.yaml', 'latin.yaml', 'marked.yaml'];
  expect(await Promise.all(['', 'eu', 'eu/it', 'asia', 'europe'].map(commit.namesIn))).toEqual([
    ...[plain, [], ['milan.yaml', 'rome.yaml'], undefined, undefined],
  ]);
});

describe('files of a commit that are asked for at once', () => {
  it('are read by one process of git, in every folder and in other commits, and not again', async () => {
    const trace = join(mkdtempSync(join(tmpdir(), 'weft-git-')), 'runs');
    const bin = dirname(trace);
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho run >>'${trace}'\nexec '${git}' "$@"\n`, { mode: 0o755 });
    const path = process.env['PATH'];
    process.env['PATH'] = `${bin}:${path}`;
    const runs = (): number => readFileSync(trace, 'utf8').split('\n').length - 1;
    try {
      const open = commitsOf(folder);
      const opened = await open('HEAD');
      expect(runs()).toBe(1);
      for (let turn = 0; turn < 2; turn++)
        expect(await Promise.all(['a.yaml', 'b.yaml', 'marked.yaml'].map(opened.readText))).toMatchObject([
          ...[{ kind: 'ok' }, { kind: 'missing' }, { kind: 'ok' }],
        ]);
      const inFolders = ['eu/it/rome.yaml', 'eu/it/milan.yaml', 'eu/x.yaml', 'asia/x.yaml'];
      const found = await Promise.all(inFolders.map(opened.readText));
      expect(found.map((it) => it.kind)).toEqual(['ok', 'ok', 'missing', 'missing']);
      const again = await open(opened.id);
      expect(new Map(await again.filesBelow('eu', toFolders(new Map())))).toEqual(
        new Map([
          ['.hidden.yaml', 'hidden\n'],
          ['it/milan.yaml', 'milan\n'],
          ['it/rome.yaml', 'rome\n'],
        ]),
      );
      expect(await again.mergeBasesWith(opened.id)).toEqual([opened.id]);
      expect(runs()).toBe(2);
    } finally {
      process.env['PATH'] = path;
      rmSync(bin, { recursive: true });
    }
  });

  it('do not fail with one that is outside the repository', async () => {
    const [inside, outside] = await Promise.allSettled([commit.readText('a.yaml'), commit.readText('../a.yaml')]);
    expect(inside).toMatchObject({ status: 'fulfilled', value: { kind: 'ok' } });
    expect(outside).toMatchObject({ status: 'rejected', reason: { name: 'GitError' } });
  });
});

it('a commit that git cannot compare with is an error, and not a commit without changes', async () => {
  await expect(commit.changesSince('0'.repeat(40))).rejects.toMatchObject({
    name: 'GitError',
    message: expect.stringContaining('git cannot compare two commits: '),
  });
  expect(await commit.changesSince(commit.id)).toEqual(new Map());
});

it('a repository in a folder whose name has a line break is opened', async () => {
  const odd = mkdtempSync(join(tmpdir(), 'weft-\n-odd-'));
  try {
    execFileSync('git', ['clone', '--quiet', folder, odd], { stdio: 'pipe' });
    expect(await (await openCommit(odd, 'HEAD')).readText('a.yaml')).toMatchObject({ kind: 'ok' });
    await expect(openCommit(odd, 'nowhere')).rejects.toThrow('git finds no commit nowhere');
  } finally {
    rmSync(odd, { recursive: true });
  }
});
