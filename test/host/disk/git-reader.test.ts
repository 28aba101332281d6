import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeName, splitNames } from '../../../src/host/disk/git-objects.ts';
import { FOLDER_MODE, type GitReader, gitReader } from '../../../src/host/disk/git-reader.ts';

let folder: string;
let reader: GitReader;
const git = (args: readonly string[], input: string | Buffer = ''): Buffer =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { input, stdio: 'pipe' });
const idOf = (name: string): string => git(['rev-parse', name]).toString().trim();

/** A tree as it is stored, however odd. */
const treeOf = (entries: readonly (readonly [mode: string, name: string | Buffer, id: string])[]): string => {
  const bytes = entries.flatMap(([mode, name, id]) => [
    Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from('\0'), Buffer.from(id, 'hex')]),
  ]);
  const args = ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'];
  return git(args, Buffer.concat(bytes)).toString().trim();
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-git-reader-'));
  git(['init', '--quiet']);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const path of ['a', 'a.b/c', 'a-b', 'out/x/y', 'out/x.y', 'out/x-y/z', 'out/\u00e9', 'out/a b\nc'])
    write(path, path);
  symlinkSync('out', join(folder, 'link'));
  git(['add', '--all']);
  git(['commit', '--quiet', '-m', 'a']);
  write('out/x/y', 'another');
  write('new/file', 'new');
  git(['rm', '--quiet', '-r', 'out/x-y', 'a.b']);
  write('a.b', 'a file now');
  git(['add', '--all']);
  git(['commit', '--quiet', '-m', 'b']);
  reader = gitReader(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The listing of git itself. */
const listed = (tree: string) =>
  splitNames(git(['ls-tree', '-r', '-z', '--full-tree', tree])).map((line) => {
    const [mode = '', , id = ''] = line.split('\t')[0]?.split(' ') ?? [];
    return { path: line.slice(line.indexOf('\t') + 1), mode, id };
  });

describe('a tree', () => {
  it.each(['HEAD', 'HEAD~1'])('%s is listed as git lists it', async (name) => {
    const id = idOf(`${name}^{tree}`);
    expect(await reader.filesBelow({ mode: FOLDER_MODE, id })).toEqual(listed(id));
  });

  it('with names that are no UTF-8, and modes of old gits, is listed as git lists it', async () => {
    const blob = idOf('HEAD:a');
    const odd = treeOf([
      ...[['100664', 'a', blob] as const, ['100711', 'b', blob] as const, ['160000', 'c', idOf('HEAD')] as const],
      ...[['100644', Buffer.from([0x64, 0xe9]), blob] as const, ['40000', 'e', idOf('HEAD:out')] as const],
    ]);
    expect(await reader.filesBelow({ mode: FOLDER_MODE, id: odd })).toEqual(listed(odd));
    expect((await reader.entryAt(odd, decodeName(Buffer.from([0x64, 0xe9]))))?.id).toBe(blob);
  });

  it('is not entered through a link, and has no files below a file', async () => {
    const root = idOf('HEAD^{tree}');
    for (const path of ['link/x.y', 'a/b', 'nowhere', 'out/nowhere'])
      expect(await reader.entryAt(root, path)).toBe(undefined);
    expect(await reader.entryAt(root, 'link')).toMatchObject({ mode: '120000' });
    expect(await reader.entryAt(root, '')).toEqual({ mode: FOLDER_MODE, id: root });
  });

  it.each<readonly [string, () => string]>([
    ['a name with a slash', () => treeOf([['100644', 'out/x', idOf('HEAD:a')]])],
    [
      'two entries of one name',
      () =>
        treeOf([
          ['100644', 'a', idOf('HEAD:a')],
          ['40000', 'a', idOf('HEAD:out')],
        ]),
    ],
    ['an entry without a name', () => treeOf([['100644', '', idOf('HEAD:a')]])],
    ['an entry without a mode', () => treeOf([['x', 'a', idOf('HEAD:a')]])],
    ['half an id', () => treeOf([['100644', 'a', 'abcdef']])],
  ])('with %s is refused', async (_, tree) => {
    await expect(reader.filesBelow({ mode: FOLDER_MODE, id: tree() })).rejects.toMatchObject({ name: 'GitError' });
  });

  it('that contains more files than fit, because each of its folders is there ten times, is refused', async () => {
    let tree = treeOf([['100644', 'a'.repeat(4_000_000), idOf('HEAD:a')]]);
    for (let depth = 0; depth < 3; depth++)
      tree = treeOf('0123456789'.split('').map((it) => ['40000', it, tree] as const));
    await expect(reader.filesBelow({ mode: FOLDER_MODE, id: tree })).rejects.toThrow('too large to be bundles');
  });
});

describe('the process of git', () => {
  it('answers many questions at once, also for objects of several pieces, and for missing ones', async () => {
    const large = Buffer.alloc(3_000_000, 'weft\n');
    const id = git(['hash-object', '-w', '--stdin'], large).toString().trim();
    const none = '0'.repeat(40);
    const names = Array.from(
      { length: 300 },
      (_, i) => [id, none, 'HEAD:a', 'no name'][i % (i < 20 ? 4 : 3 - (i % 2))] ?? '',
    );
    const found = await Promise.all(names.map((it) => reader.find(it)));
    expect(found.map((it) => it?.bytes.length)).toEqual(
      names.map((it) => (it === id ? large.length : it === 'HEAD:a' ? 1 : undefined)),
    );
  });

  it('starts again after it has ended, and its end is an error of all questions', async () => {
    const broken = gitReader(join(folder, '.git/objects'));
    expect(await broken.find('HEAD:a')).toMatchObject({ type: 'blob' });
    const nowhere = gitReader(tmpdir());
    const answers = await Promise.allSettled([nowhere.find('HEAD'), nowhere.find('HEAD')]);
    for (const it of answers)
      expect(it).toMatchObject({
        reason: { name: 'GitError', message: expect.stringContaining('not a git repository') },
      });
    await expect(nowhere.find('HEAD')).rejects.toMatchObject({ name: 'GitError' });
  });

  const running = (): number => process.getActiveResourcesInfo().filter((it) => it === 'ProcessWrap').length;

  it('keeps no program waiting that has its answer, and ends when nothing is asked', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'weft-git-'));
    const program = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    const text = `#!/bin/sh\n'${program}' "$@"\necho ended >>'${bin}/runs'\n`;
    writeFileSync(join(bin, 'git'), text, { mode: 0o755 });
    const path = process.env['PATH'];
    process.env['PATH'] = `${bin}:${path}`;
    try {
      await expect.poll(running).toBe(0);
      const asked = gitReader(folder).find('HEAD:a');
      expect(running()).toBe(1);
      await asked;
      expect(running()).toBe(0);
      expect(existsSync(join(bin, 'runs'))).toBe(false);
      await expect.poll(() => existsSync(join(bin, 'runs')), { timeout: 30_000 }).toBe(true);
    } finally {
      process.env['PATH'] = path;
      rmSync(bin, { recursive: true });
    }
  });
});
