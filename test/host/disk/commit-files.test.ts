import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FolderFiles, inFolders } from '../../../src/base/core/folder-files.ts';
import { type GitCommit, openCommit } from '../../../src/host/disk/open-commit.ts';
import { gitFolder } from '../../support/git-folder.ts';

/** More folders than one process of git reads. */
const FILES: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 600 }, (_, i) => i).flatMap((i) => [
    [`c${i}/a.yaml`, `a: ${i}\n`],
    [`c${i}/b/c.yaml`, `b: ${i}\n`],
  ]),
);

let folder: string;
let commit: GitCommit;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-commit-files-'));
  const { init, commit: commitAll } = gitFolder(folder);
  init();
  for (const [path, text] of FILES) {
    mkdirSync(dirname(join(folder, 'out', path)), { recursive: true });
    // Line ends of another system are no difference.
    writeFileSync(join(folder, 'out', path), path.startsWith('c7/') ? text.replaceAll('\n', '\r\n') : text);
  }
  commitAll();
  commit = await openCommit(folder, 'HEAD');
});
afterAll(() => rmSync(folder, { recursive: true }));

const edited = (paths: readonly string[]): FolderFiles =>
  inFolders(new Map([...FILES].map(([path, text]) => [path, paths.includes(path) ? 'other\n' : text])));

describe('the files of a commit', () => {
  it.each<readonly [string, FolderFiles]>([
    ['nothing', inFolders(new Map())],
    ['the same files', inFolders(FILES)],
    ['files of which some differ', edited(['c0/a.yaml', 'c1/a.yaml', 'c10/b/c.yaml', 'c599/a.yaml'])],
    ['files of which one is missing', inFolders(new Map([...FILES].filter(([path]) => path !== 'c5/b/c.yaml')))],
    ['files of which one is new', inFolders(new Map([...FILES, ['c5/new.yaml', 'new\n']]))],
    ['other files', edited([...FILES.keys()])],
  ])('are what was committed, next to %s', async (_, like) => {
    const files = await commit.filesBelow('out', like);
    expect(new Map(files)).toEqual(new Map(FILES));
    expect(files.inFolder('c10')).toEqual(new Map([...FILES].filter(([path]) => path.startsWith('c10/'))));
  });

  it.each<readonly [string, ReadonlyMap<string, string>]>([
    ['nothing', new Map()],
    [
      'the same files',
      new Map([
        ['a.yaml', 'a: 5\n'],
        ['b/c.yaml', 'b: 5\n'],
      ]),
    ],
    [
      'a file that differs, and a new one',
      new Map([
        ['a.yaml', 'other\n'],
        ['b/c.yaml', 'b: 5\n'],
        ['b/d.yaml', 'new\n'],
      ]),
    ],
  ])('of few folders are what was committed, next to %s', async (_, like) => {
    const files = await commit.filesBelow('out/c5', inFolders(like));
    expect(new Map(files)).toEqual(
      new Map([
        ['a.yaml', 'a: 5\n'],
        ['b/c.yaml', 'b: 5\n'],
      ]),
    );
  });

  it('are the very texts of an equal folder, which nobody has to compare', async () => {
    const like = inFolders(FILES);
    const files = await commit.filesBelow('out', like);
    expect(files.inFolder('c3')).toBe(like.inFolder('c3'));
  });
});
