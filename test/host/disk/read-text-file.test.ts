import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LARGEST_FILE_BYTES, readTextFile } from '../../../src/host/disk/read-text-file.ts';
import { withFolder } from './tree/temp-folder.ts';

const read = (content: string | Buffer) =>
  withFolder((folder) => {
    writeFileSync(join(folder, 'file'), content);
    return readTextFile(join(folder, 'file'));
  });

describe('reading a text file', () => {
  it('gives its text, and drops a byte order mark at its start only', async () => {
    expect(await read('')).toEqual({ kind: 'ok', text: '' });
    expect(await read('Málaga → \u{1f310}\r\n')).toEqual({ kind: 'ok', text: 'Málaga → \u{1f310}\n' });
    expect(await read('\ufeffa\ufeff')).toEqual({ kind: 'ok', text: 'a\ufeff' });
    expect(await read('a\0b')).toEqual({ kind: 'ok', text: 'a\0b' });
  });

  it('takes UTF-8 alone, strictly', async () => {
    const wrong = [
      [0xff, 0xfe, 0x61, 0],
      [0x61, 0xe9],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf0, 0x9f, 0x8c],
    ];
    for (const bytes of wrong) expect(await read(Buffer.from(bytes))).toEqual({ kind: 'not-utf8' });
  });

  it('keeps a character whole that lies across two pieces of reading', async () => {
    const text = `a${'é'.repeat(300_000)}`;
    expect(await read(text)).toEqual({ kind: 'ok', text });
  });

  it('reads what is exactly as large as allowed, and nothing larger', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'big');
      writeFileSync(path, '');
      truncateSync(path, LARGEST_FILE_BYTES);
      expect(await readTextFile(path)).toMatchObject({ kind: 'ok' });
      truncateSync(path, 50 * 1024 * 1024);
      expect(await readTextFile(path)).toEqual({ kind: 'too-large', bytes: 52428800, limitBytes: LARGEST_FILE_BYTES });
    }));

  it('says what else there is', () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, 'file'), '');
      mkdirSync(join(folder, 'folder'));
      symlinkSync('loop', join(folder, 'loop'));
      expect(await readTextFile(join(folder, 'none'))).toEqual({ kind: 'missing' });
      expect(await readTextFile(join(folder, 'file', 'below'))).toEqual({ kind: 'missing' });
      expect(await readTextFile(join(folder, 'folder'))).toEqual({ kind: 'is-directory' });
      expect(await readTextFile(join(folder, 'loop'))).toMatchObject({
        kind: 'unreadable',
        reason: 'too many symbolic links',
      });
      expect(await readTextFile(join(folder, 'x'.repeat(300)))).toMatchObject({
        kind: 'unreadable',
        reason: 'name too long',
      });
    }));

  it.skipIf(process.platform === 'win32')('says when it may not read', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'secret');
      writeFileSync(path, 'x');
      chmodSync(path, 0);
      // Root may read everything, unless it acts as another user.
      const isRoot = process.geteuid?.() === 0;
      chmodSync(folder, 0o755);
      if (isRoot) process.seteuid?.(65534);
      const result = await readTextFile(path).finally(() => isRoot && process.seteuid?.(0));
      expect(result).toEqual({
        kind: 'unreadable',
        reason: 'permission denied',
        hint: 'check the owner and the permissions',
      });
    }),
  );
});
