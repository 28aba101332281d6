import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFolder } from '../../../src/host/disk/read-folder.ts';
import { withFolder } from './tree/temp-folder.ts';

describe('reading a folder', () => {
  it('gives the texts of regular files by their path below it, in order of code units', async () => {
    await withFolder(async (folder) => {
      mkdirSync(join(folder, 'b/c'), { recursive: true });
      for (const it of ['b/c/d', 'b.yaml', 'B', '.hidden']) writeFileSync(join(folder, it), `text of ${it}`);
      symlinkSync('b.yaml', join(folder, 'link'));
      const read = await readFolder(folder);
      expect(read.kind === 'read' ? [...read.files] : read).toEqual([
        ['.hidden', 'text of .hidden'],
        ['B', 'text of B'],
        ['b.yaml', 'text of b.yaml'],
        ['b/c/d', 'text of b/c/d'],
      ]);
      const some = await readFolder(folder, (path) => path.startsWith('b/'));
      expect(some.kind === 'read' ? [...some.files.keys()] : some).toEqual(['b/c/d']);
    });
  });

  it('gives the paths in a folder, and the text of one file, without reading the others', async () => {
    await withFolder(async (folder) => {
      mkdirSync(join(folder, 'b/c'), { recursive: true });
      for (const it of ['b/c/d', 'b/a', 'B']) writeFileSync(join(folder, it), `text of ${it}`);
      const read = await readFolder(folder);
      const single = read.kind === 'read' ? read.files.single : undefined;
      writeFileSync(join(folder, 'b/a'), 'edited\r\n');
      rmSync(join(folder, 'b/c/d'));
      expect(['b', '', 'none'].map((it) => single?.pathsIn(it))).toEqual([['b/a', 'b/c/d'], ['B'], []]);
      expect(['b/a', 'b/c/d', 'B'].map((it) => single?.read(it))).toEqual(['edited\n', undefined, 'text of B']);
    });
  });

  it('keeps the texts of files apart, whatever their sizes', () =>
    withFolder(async (folder) => {
      const sizes = [1 << 17, 1, 1 << 16, 0, (1 << 16) + 1, 3];
      const texts = sizes.map((size, i) => [String(i), 'aü€😀'.repeat(size).slice(0, size)] as const);
      for (const [name, text] of texts) writeFileSync(join(folder, name), text);
      expect(await textsIn(folder)).toEqual(texts.map(([name, text]) => [name, Buffer.from(text).toString()]));
    }));

  it.skipIf(process.platform !== 'linux')('passes over names that are not UTF-8', async () => {
    await withFolder(async (folder) => {
      mkdirSync(join(folder, 'rome'));
      const odd = (name: string) => Buffer.concat([Buffer.from(join(folder, name)), Buffer.from([0xff])]);
      mkdirSync(odd('rome/folder'));
      for (const it of [odd('rome/odd'), odd('a'), join(folder, 'rome/even')]) writeFileSync(it, 'text');
      expect(await textsIn(folder)).toEqual([['rome/even', 'text']]);
    });
  });

  it('says what else may be there', async () => {
    await withFolder(async (folder) => {
      writeFileSync(join(folder, 'file'), '');
      expect(await readFolder(join(folder, 'none'))).toEqual({ kind: 'missing' });
      expect(await readFolder(join(folder, 'file'))).toEqual({ kind: 'not-a-folder' });
    });
  });

  it('refuses a file that is too large before its text is read, and reads no pipe', () =>
    withFolder(async (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      expect(await textsIn(folder)).toEqual([]);
      writeFileSync(join(folder, 'addresses.json'), '');
      truncateSync(join(folder, 'addresses.json'), 2 ** 31);
      await expect(textsIn(folder)).rejects.toThrow('is too large to be a file of weft: it has 2048 MiB');
    }));

  it.skipIf(process.platform !== 'linux')('refuses folders of the system, also behind a link', () =>
    withFolder(async (folder) => {
      symlinkSync('/proc/self', join(folder, 'out'));
      for (const path of ['/proc', '/proc/self/task', '/sys', join(folder, 'out')])
        await expect(readFolder(path)).rejects.toThrow('it is not a file on a disk');
    }),
  );
});

async function textsIn(folder: string): Promise<unknown> {
  const read = await readFolder(folder);
  return read.kind === 'read' ? [...read.files] : read;
}
