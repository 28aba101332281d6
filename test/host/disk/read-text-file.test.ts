import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileNamesIn, LARGEST_FILE_BYTES, readTextFile } from '../../../src/host/disk/read-text-file.ts';
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

const OUT_OF_REPOSITORY = { kind: 'unreadable', reason: 'a symbolic link leads out of the repository' };
const OK = { kind: 'ok', text: 'version: 1\n' };

/** A repository with a topology in a folder, and a file beside the repository. */
const withRepository = (run: (repository: string, outside: string) => Promise<void>) =>
  withFolder(async (folder) => {
    const repository = join(folder, 'fleet');
    mkdirSync(join(repository, '.git'), { recursive: true });
    mkdirSync(join(repository, 'topologies'));
    writeFileSync(join(repository, '.git/config'), 'AUTHORIZATION: basic secret\n');
    writeFileSync(join(repository, 'topologies/real.yaml'), 'version: 1\n');
    writeFileSync(join(folder, 'secret'), 'secret\n');
    await run(repository, folder);
  });

describe.skipIf(process.platform === 'win32')('an input', () => {
  it('may be a link to a file of the same repository', () =>
    withRepository(async (repository) => {
      symlinkSync('topologies/real.yaml', join(repository, 'link.yaml'));
      symlinkSync('topologies', join(repository, 'folder'));
      for (const name of ['link.yaml', 'folder/real.yaml'])
        expect(await readTextFile(join(repository, name), repository)).toEqual(OK);
      expect(await fileNamesIn(join(repository, 'folder'), repository)).toEqual(['real.yaml']);
    }));

  it('is not read through a link out of the repository, nor through one into what git keeps', () =>
    withRepository(async (repository, outside) => {
      for (const [name, target] of [
        ['absolute.yaml', join(outside, 'secret')],
        ['relative.yaml', '../../secret'],
        ['environment.yaml', '/proc/self/environ'],
        ['twice.yaml', 'relative.yaml'],
      ] as const) {
        symlinkSync(target, join(repository, 'topologies', name));
        expect(await readTextFile(join(repository, 'topologies', name), repository)).toMatchObject(OUT_OF_REPOSITORY);
      }
      symlinkSync('../.git/config', join(repository, 'topologies/git.yaml'));
      expect(await readTextFile(join(repository, 'topologies/git.yaml'), repository)).toMatchObject({
        reason: 'it belongs to git itself',
      });
    }));

  it('is not read through a folder that is elsewhere, even if that is another repository', () =>
    withRepository(async (repository, outside) => {
      mkdirSync(join(outside, 'other/.git'), { recursive: true });
      writeFileSync(join(outside, 'other/secret.yaml'), 'secret\n');
      symlinkSync('../other', join(repository, 'folder'));
      expect(await readTextFile(join(repository, 'folder/secret.yaml'), repository)).toMatchObject(OUT_OF_REPOSITORY);
      await expect(fileNamesIn(join(repository, 'folder'), repository)).rejects.toMatchObject({
        message: 'cannot read folder: a symbolic link leads out of the repository',
      });
    }));

  it('outside of any repository may be a link within its folder', () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, 'a'));
      writeFileSync(join(folder, 'a/real.yaml'), 'version: 1\n');
      symlinkSync('real.yaml', join(folder, 'a/link.yaml'));
      symlinkSync('a', join(folder, 'b'));
      symlinkSync('../secret', join(folder, 'a/out.yaml'));
      writeFileSync(join(folder, 'secret'), 'secret\n');
      expect(await readTextFile(join(folder, 'b/link.yaml'), folder)).toEqual(OK);
      expect(await readTextFile(join(folder, 'a/out.yaml'), folder)).toMatchObject({
        reason: 'a symbolic link leads out of its folder',
      });
    }));

  it('is a file: no pipe is waited for, and no device is opened', () =>
    withFolder(async (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
      expect(await readTextFile(join(folder, 'pipe.yaml'))).toMatchObject({ reason: 'it is a pipe, not a file' });
      const server = createServer();
      await new Promise<void>((listening) => server.listen(join(folder, 'socket'), listening));
      expect(await readTextFile(join(folder, 'socket'))).toMatchObject({ reason: 'it is a socket, not a file' });
      server.close();
      for (const path of ['/dev/zero', '/dev/null'])
        expect(await readTextFile(path)).toMatchObject({ reason: 'it is a device, not a file' });
      for (const path of ['/dev/stdin', '/dev/fd/0', '/proc/self/environ', '/proc/self', '/sys/kernel/notes'])
        expect(await readTextFile(path)).toMatchObject({ reason: 'it is not a file on a disk' });
    }));
});
