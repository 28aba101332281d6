import { chmodSync, chownSync, existsSync, mkdtempSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cacheFolder, codeFolder } from '../../../src/host/disk/cache-folder.ts';

it.each([
  [{ HOME: '/home/ada' }, 'linux', '/home/ada/.cache/weft'],
  [{ HOME: '/home/ada', XDG_CACHE_HOME: '/var/cache/ada' }, 'linux', '/var/cache/ada/weft'],
  [{ HOME: '/home/ada', XDG_CACHE_HOME: 'relative' }, 'linux', '/home/ada/.cache/weft'],
  [{ HOME: '/Users/ada' }, 'darwin', '/Users/ada/Library/Caches/weft'],
  [{ HOME: '' }, 'linux', undefined],
  [{}, 'linux', undefined],
  [{ HOME: '/home/ada' }, 'win32', undefined],
])('%j on %s has %s', (env, platform, folder) => {
  expect(cacheFolder(env, platform)).toBe(folder);
});

it('has a folder for each build, which only its user can enter, and removes old ones with the next build', () => {
  const env = { XDG_CACHE_HOME: mkdtempSync(join(tmpdir(), 'weft-cache-')) };
  const first = codeFolder('0.1.0 (711d3be7)', env) ?? '';
  expect(first).toBe(join(env.XDG_CACHE_HOME, 'weft', 'code', '0.1.0-711d3be7-'));
  expect(statSync(first).mode & 0o777).toBe(0o700);
  const monthAgo = Date.now() / 1000 - 31 * 24 * 60 * 60;
  utimesSync(first, monthAgo, monthAgo);
  expect(codeFolder('0.1.0 (711d3be7)', env)).toBe(first);
  const second = codeFolder('0.2.0', env) ?? '';
  expect([existsSync(first), existsSync(second)]).toEqual([false, true]);
  chmodSync(second, 0o770);
  expect(codeFolder('0.2.0', env)).toBeUndefined();
});

it('has none where it cannot be made', () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-home-'));
  expect(codeFolder('0.1.0', { HOME: join(home, 'missing\0') })).toBeUndefined();
  expect(codeFolder('0.1.0', { HOME: '/dev/null' })).toBeUndefined();
  // Nothing can be made there, also by root, and Node's own recursion does not end.
  expect(codeFolder('0.1.0', { HOME: '/proc' })).toBeUndefined();
});

it.runIf(process.geteuid?.() === 0)(
  'is not made by root in the folder of a user, who could not use it (skipped unless root)',
  () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-home-'));
    expect(codeFolder('0.1.0', { HOME: home })).toBe(join(home, '.cache', 'weft', 'code', '0.1.0'));
    const ofUser = mkdtempSync(join(tmpdir(), 'weft-home-'));
    chownSync(ofUser, 1000, 1000);
    expect(codeFolder('0.1.0', { HOME: ofUser })).toBeUndefined();
    expect(existsSync(join(ofUser, '.cache'))).toBe(false);
  },
);
