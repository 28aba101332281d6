import { lstatSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { treeMemory } from '../../../src/disk/tree/tree-memory.ts';
import { writeTree } from '../../../src/disk/tree/write-tree.ts';
import { withFolder } from './temp-folder.ts';

afterEach(() => void vi.useRealTimers());

/** Times of the disk are those of the machine: only the clock of this process goes ahead. */
const later = (): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
};

describe('the memory of a process that writes a tree again and again', () => {
  it('reads a file once, and again when it or the wanted content is another one', () =>
    withFolder((folder) => {
      const path = join(folder, 'a');
      writeFileSync(path, 'text\n');
      const { mtime } = lstatSync(path);
      let reads = 0;
      const memory = treeMemory();
      const isEqual = (hash: string) =>
        memory.isEqual(path, hash, () => {
          reads++;
          return readFileSync(path, 'utf8') === 'text\n';
        });
      // A file of the last seconds may change again without another time.
      expect([isEqual('1'), isEqual('1'), reads]).toEqual([true, true, 2]);
      later();
      expect([isEqual('1'), isEqual('1'), isEqual('1'), reads]).toEqual([true, true, true, 3]);
      expect([isEqual('2'), reads]).toEqual([true, 4]);
      writeFileSync(path, 'TEXT\n');
      utimesSync(path, mtime, mtime);
      expect([isEqual('2'), isEqual('2'), reads]).toEqual([false, false, 6]);
    }));

  it('does not hide an edit by hand, of the same size and with the same time', () =>
    withFolder(async (root) => {
      const memory = treeMemory();
      const request = { root, files: new Map([['rome/a.yaml', 'text\n']]), scope: null, lockFile: null };
      const write = () => writeTree(request, { memory });
      await write();
      later();
      expect(await write()).toMatchObject({ changed: [], unchanged: 1 });
      const path = join(root, 'rome/a.yaml');
      const { mtime } = lstatSync(path);
      writeFileSync(path, 'TEXT\n');
      utimesSync(path, mtime, mtime);
      expect(await write()).toMatchObject({ changed: ['rome/a.yaml'] });
      expect(readFileSync(path, 'utf8')).toBe('text\n');
    }));

  it('makes the content of a folder again only for another version', () => {
    const content = { paths: [], hashes: [], rows: new Map(), record: '', badPaths: [] };
    let made = 0;
    const memory = treeMemory();
    const [first, second] = [{}, {}];
    for (const version of [first, first, second, second, first])
      memory.contentOf('out/rome', version, () => {
        made++;
        return content;
      });
    memory.contentOf('out/oslo', first, () => {
      made++;
      return content;
    });
    expect(made).toBe(4);
  });
});
