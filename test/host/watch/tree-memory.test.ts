import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sharedFilesIn } from '../../../src/base/core/generated-files.ts';
import { diskView } from '../../../src/host/disk/tree/tree-path.ts';
import { writeTree } from '../../../src/host/disk/tree/write-tree.ts';
import { treeMemory } from '../../../src/host/watch/watch-fleets.ts';
import { withFolder } from '../disk/tree/temp-folder.ts';

afterEach(() => void vi.useRealTimers());

/** Times of the disk are those of the machine: only the clock of this process goes ahead. */
const later = (): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
};

/** The clock of a disk goes on in steps of up to 10 ms: two changes within one leave the same time. */
const waitForTick = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);

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

  it('lists a folder once, and again when an entry is added, removed or replaced', () =>
    withFolder((folder) => {
      let lists = 0;
      const memory = treeMemory();
      const entries = () => {
        const view = diskView(folder, true, (path, read) =>
          memory.entriesOf(path, () => {
            lists++;
            return read();
          }),
        );
        return Object.fromEntries(['a', 'b'].map((it) => [it, view.kindOf(`rome/${it}`)]));
      };
      mkdirSync(join(folder, 'rome'));
      writeFileSync(join(folder, 'rome/a'), '');
      later();
      expect([entries(), entries(), lists]).toEqual([...Array(2).fill({ a: 'file', b: 'missing' }), 1]);
      waitForTick();
      writeFileSync(join(folder, 'rome/b'), '');
      expect([entries(), lists]).toEqual([{ a: 'file', b: 'file' }, 2]);
      waitForTick();
      rmSync(join(folder, 'rome/a'));
      mkdirSync(join(folder, 'rome/a'));
      expect([entries(), lists]).toEqual([{ a: 'folder', b: 'file' }, 3]);
      rmSync(join(folder, 'rome'), { recursive: true });
      mkdirSync(join(folder, 'other'));
      symlinkSync('other', join(folder, 'rome'));
      expect(diskView(folder, true, memory.entriesOf).accessTo('rome')).toEqual({
        kind: 'blocked',
        at: 'rome',
        by: 'link',
      });
    }));

  it('removes what comes back, and refuses a link that takes the place of a folder', () =>
    withFolder(async (root) => {
      const memory = treeMemory();
      const stale = sharedFilesIn('rome').at(-1) ?? '';
      const request = { root, files: new Map([['rome/peers/milan.yaml', 'text\n']]), scope: null, lockFile: null };
      const write = () => writeTree(request, { memory });
      await write();
      later();
      for (let run = 0; run < 2; run++) expect(await write()).toMatchObject({ changed: [], unchanged: 1 });
      mkdirSync(dirname(join(root, stale)), { recursive: true });
      writeFileSync(join(root, stale), '');
      expect(await write()).toMatchObject({ removed: [stale] });
      renameSync(join(root, 'rome/peers'), join(root, 'elsewhere'));
      symlinkSync('../elsewhere', join(root, 'rome/peers'));
      expect(await write()).toMatchObject({ kind: 'refused' });
    }));

  it('makes the content of a folder again only for another version', () => {
    const content = { paths: [], hashes: [], rows: new Map(), record: '', recordHash: '', badPaths: [] };
    let made = 0;
    const memory = treeMemory();
    const [first, second] = [{}, {}];
    for (const version of [first, first, second, second, first])
      memory.contentOf(
        'out/rome',
        () => version,
        () => {
          made++;
          return content;
        },
      );
    memory.contentOf(
      'out/oslo',
      () => first,
      () => {
        made++;
        return content;
      },
    );
    expect(made).toBe(4);
  });
});
