import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sharedFilesIn } from '../../../../src/base/core/generated-files.ts';
import { openTreeCache } from '../../../../src/host/disk/tree/tree-cache.ts';
import { type TreeRequest, writeTree } from '../../../../src/host/disk/tree/write-tree.ts';
import { withFolder } from './temp-folder.ts';

const FILES = new Map([
  ['rome/peers/milan/milan.yaml', 'text\n'],
  ['milan/peers/rome/rome.yaml', 'other text\n'],
  ['addresses.json', '{}\n'],
]);

afterEach(() => void vi.useRealTimers());

/** The clock of the disk goes on by a few steps, that of this process until files are no longer young. */
async function later(): Promise<void> {
  await sleep(30);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3000 });
}

async function withTree(
  act: (tree: {
    readonly root: string;
    readonly path: string;
    readonly open: () => ReturnType<typeof openTreeCache>;
    readonly compile: () => Promise<number>;
    readonly recall: () => Promise<unknown>;
  }) => Promise<void>,
) {
  await withFolder(async (folder) => {
    const root = join(folder, 'out');
    const lockFile = join(folder, 'topology.lock.yaml');
    writeFileSync(lockFile, 'lock\n');
    const request: TreeRequest = { root, files: FILES, scope: null, lockFile: { path: lockFile, text: 'lock\n' } };
    const open = () => openTreeCache({ folder: join(folder, 'cache'), root, program: 'weft' });
    const recall = () => open().recall('key', lockFile);
    const compile = async () => {
      const cache = open();
      let reads = 0;
      const { isEqual } = cache.memory;
      const counted: typeof isEqual = (path, hash, compare) =>
        isEqual(path, hash, () => {
          reads++;
          return compare();
        });
      await writeTree(request, { memory: { ...cache.memory, isEqual: counted } });
      cache.keep({ key: 'key', value: 'kept' });
      return reads;
    };
    await compile();
    await act({ root, path: join(root, 'rome/peers/milan/milan.yaml'), open, compile, recall });
  });
}

describe('the cache of a tree', () => {
  it('reads files again only while they are young, or when they have another stamp', () =>
    withTree(async ({ path, compile }) => {
      await later();
      // Two records.
      const all = FILES.size + 2;
      expect([await compile(), await compile()]).toEqual([all, 0]);
      writeFileSync(path, 'TEXT\n');
      expect(await compile()).toBe(1);
      expect(readFileSync(path, 'utf8')).toBe('text\n');
      await later();
      // The file was renamed, so that it is new.
      expect([await compile(), await compile()]).toEqual([1, 0]);
    }));

  it('recalls a run while the tree is as that run left it, also when the bytes were written again', () =>
    withTree(async ({ root, path, open, recall }) => {
      expect(await recall()).toBe('kept');
      await later();
      expect(await recall()).toBe('kept');
      writeFileSync(path, 'text\n');
      expect(await recall()).toBe('kept');
      expect(await open().recall('other key', join(dirname(root), 'topology.lock.yaml'))).toBeUndefined();
      writeFileSync(join(dirname(path), 'beside.yaml'), '');
      expect(await recall()).toBeUndefined();
    }));

  it('never trusts the stamp of a file that may be written again in the same step of the clock', () =>
    withTree(async ({ path, compile, recall }) => {
      await later();
      await compile();
      writeFileSync(path, 'text\n');
      const written = Number(statSync(path).ctimeMs);
      vi.setSystemTime(written + 50);
      expect([await compile(), await compile(), await recall()]).toEqual([1, 1, 'kept']);
      vi.setSystemTime(written + 1900);
      expect([await compile(), await compile()]).toEqual([1, 1]);
      vi.setSystemTime(written + 2100);
      expect([await compile(), await compile()]).toEqual([1, 0]);
    }));

  it('recalls no run that found a file of the user where weft may take one for its own later', () =>
    withTree(async ({ root, compile, recall }) => {
      writeFileSync(join(root, sharedFilesIn('rome')[0] ?? ''), 'by hand\n');
      await later();
      await compile();
      expect(await recall()).toBeUndefined();
    }));

  it('recalls a run after a change of a mode, for which the file is read', () =>
    withTree(async ({ path, recall }) => {
      await later();
      await recall();
      chmodSync(path, 0o600);
      expect(await recall()).toBe('kept');
    }));
});
