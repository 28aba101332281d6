import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFile } from '../../../src/host/disk/cache-file.ts';
import { withFolder, withoutWriting } from './tree/temp-folder.ts';

const PARTS = [Buffer.from('some '), Buffer.from('bytes')];

const fileIn = (folder: string, program = 'weft') => cacheFile({ folder, subject: '/fleet/out', program });

const pathIn = (folder: string): string => join(folder, readdirSync(folder)[0] ?? '');

describe('a file in the cache folder', () => {
  it('is read by the program that wrote it, and by no other user', () =>
    withFolder((home) => {
      const folder = join(home, 'cache');
      expect(fileIn(folder).read()).toBeUndefined();
      fileIn(folder).write(PARTS);
      expect(fileIn(folder).read()?.toString()).toBe('some bytes');
      expect(fileIn(folder, 'another').read()).toBeUndefined();
      expect(cacheFile({ folder, subject: '/other', program: 'weft' }).read()).toBeUndefined();
      expect([statSync(folder).mode & 0o777, statSync(pathIn(folder)).mode & 0o777]).toEqual([0o700, 0o600]);
    }));

  it.each(['a file that others may write', 'a folder that others may write', 'a link'])('is not read from %s', (what) =>
    withFolder((home) => {
      const folder = join(home, 'cache');
      fileIn(folder).write(PARTS);
      if (what.startsWith('a file')) chmodSync(pathIn(folder), 0o666);
      if (what.startsWith('a folder')) chmodSync(folder, 0o777);
      if (what === 'a link') symlinkSync(folder, join(home, 'link'));
      expect(fileIn(what === 'a link' ? join(home, 'link') : folder).read()).toBeUndefined();
    }),
  );

  it.each([
    ['empty', () => ''],
    ['cut', (text: string) => text.slice(0, -1)],
    ['longer', (text: string) => `${text}x`],
    ['other bytes', (text: string) => text.replace('some', 'same')],
    ['no lines', () => 'x'],
  ])('is not read when it is damaged: %s', (_, damage) =>
    withFolder((folder) => {
      chmodSync(folder, 0o700);
      fileIn(folder).write(PARTS);
      writeFileSync(pathIn(folder), damage(readFileSync(pathIn(folder), 'utf8')));
      expect(fileIn(folder).read()).toBeUndefined();
    }),
  );

  it('is not needed: a folder that cannot be made, or not be written, is no failure', () =>
    withFolder(async (home) => {
      writeFileSync(join(home, 'file'), '');
      fileIn(join(home, 'file', 'cache')).write(PARTS);
      expect(fileIn(join(home, 'file', 'cache')).read()).toBeUndefined();
      mkdirSync(join(home, 'cache'), { mode: 0o700 });
      await withoutWriting(join(home, 'cache'), async () => fileIn(join(home, 'cache')).write(PARTS));
      expect(readdirSync(join(home, 'cache'))).toEqual([]);
    }));

  it('removes what is not used any more, and what a killed process left', () =>
    withFolder((folder) => {
      chmodSync(folder, 0o700);
      const old = [join(folder, 'a.weft-cache'), join(folder, 'b.weft-cache.0f.new')];
      const others = [join(folder, 'c.weft-cache'), join(folder, 'd.weft-cache.0f.new'), join(folder, 'notes.txt')];
      for (const it of [...old, ...others]) writeFileSync(it, '');
      const now = Date.now() / 1000;
      utimesSync(old[0] ?? '', now - 31 * 24 * 3600, now - 31 * 24 * 3600);
      utimesSync(old[1] ?? '', now - 3700, now - 3700);
      utimesSync(others[2] ?? '', 1, 1);
      fileIn(folder).write(PARTS);
      expect([...old, ...others].map((it) => existsSync(it))).toEqual([false, false, true, true, true]);
    }));
});
