import { expect, it } from 'vitest';
import { folderFiles, folderOf, inFolders } from '../../../src/base/core/folder-files.ts';

const TEXTS = new Map([
  ['rome/a.yaml', '1'],
  ['rome/peers/b.yaml', '2'],
  ['milan/a.yaml', '3'],
  ['addresses.json', '4'],
]);

it('files in folders are a map like any other', () => {
  const files = inFolders(TEXTS);
  expect([...files]).toEqual([...TEXTS]);
  expect([...files.keys()]).toEqual([...TEXTS.keys()]);
  expect([...files.values()]).toEqual([...TEXTS.values()]);
  expect([...files.entries()]).toEqual([...TEXTS]);
  expect(files.size).toBe(4);
  expect(files.folders).toEqual(['rome', 'milan', '']);
  expect([...files.inFolder('rome').keys()]).toEqual(['rome/a.yaml', 'rome/peers/b.yaml']);
  expect(files.inFolder('turin').size).toBe(0);
  expect(files.get('rome/peers/b.yaml')).toBe('2');
  expect(files.get('turin/a.yaml')).toBeUndefined();
  expect(['addresses.json', 'rome/a.yaml', 'rome', 'turin/a.yaml'].map((it) => files.has(it))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const seen: string[] = [];
  files.forEach((text, path) => void seen.push(`${path} ${text}`));
  expect(seen).toEqual([...TEXTS].map(([path, text]) => `${path} ${text}`));
});

it('files in memory can be read alone, and folders that are made as a whole cannot', () => {
  const { single } = inFolders(new Map([...TEXTS, ['rome/B.yaml', '5']]));
  expect(single?.pathsIn('rome')).toEqual(['rome/B.yaml', 'rome/a.yaml', 'rome/peers/b.yaml']);
  expect(single?.pathsIn('turin')).toEqual([]);
  expect(['rome/B.yaml', 'turin/a.yaml'].map((it) => single?.read(it))).toEqual(['5', undefined]);
  expect(folderFiles(new Map([['rome', () => TEXTS]])).single).toBeUndefined();
});

it('a folder is the first part of a path', () => {
  expect(['rome/peers/b.yaml', 'addresses.json', '/odd'].map(folderOf)).toEqual(['rome', '', '']);
});

it('a folder is made once for a walk over all files, however large they are, and its paths are remembered', () => {
  const made: string[] = [];
  const large = 'x'.repeat(10 * 1024 * 1024);
  const maker = (folder: string) => {
    made.push(folder);
    return new Map([
      [`${folder}/a`, large],
      [`${folder}/b`, ''],
    ]);
  };
  const files = folderFiles(new Map(['one', 'two', 'three'].map((it) => [it, () => maker(it)])));
  expect([...files].map(([path, text]) => `${path} ${text.length}`)).toHaveLength(6);
  expect(made.splice(0)).toEqual(['one', 'two', 'three']);
  expect([files.size, files.has('one/a'), [...files.keys()].length]).toEqual([6, true, 6]);
  expect(made).toEqual([]);
  expect(files.get('three/a')).toBe(large);
  expect(made).toEqual([]);
  expect(files.get('one/a')).toBe(large);
  expect(made.splice(0)).toEqual(['one']);
});
