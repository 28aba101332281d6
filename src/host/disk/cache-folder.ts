import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname, join, win32 } from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The user's folder for what weft can make again, or `undefined` where the system names none. Source: XDG Base Directory
 * Specification 0.8, a relative `XDG_CACHE_HOME` is ignored; Apple, File System Programming Guide; Windows, `FOLDERID_LocalAppData`.
 */
export function cacheFolder(env: Variables, platform: string = process.platform): string | undefined {
  const { HOME: home = '', LOCALAPPDATA: local = '', XDG_CACHE_HOME: cache = '' } = env;
  if (platform === 'win32') return win32.isAbsolute(local) ? join(local, 'weft', 'cache') : undefined;
  if (cache.startsWith('/')) return join(cache, 'weft');
  if (!home.startsWith('/')) return undefined;
  return platform === 'darwin' ? join(home, 'Library', 'Caches', 'weft') : join(home, '.cache', 'weft');
}

const DAYS_KEPT = 30;

/**
 * The folder for code that Node compiled for a build; only the user can enter it. The first run of a build removes those of
 * builds that came 30 days ago. `undefined` where it cannot be made, which costs only time.
 */
export function codeFolder(build: string, env: Variables): string | undefined {
  const cache = cacheFolder(env);
  if (cache === undefined) return undefined;
  const all = join(cache, 'code');
  const own = join(all, build.replaceAll(/[^\w.]+/g, '-'));
  try {
    if (isForRootAlone(own)) return undefined;
    const isNew = mkdirSync(own, { recursive: true, mode: 0o700 }) !== undefined;
    if (!isPrivate(lstatSync(own), 'isDirectory')) return undefined;
    if (!isNew) return own;
    const oldest = Date.now() - DAYS_KEPT * 24 * 60 * 60 * 1000;
    for (const it of readdirSync(all).map((name) => join(all, name)))
      if (statSync(it).mtimeMs < oldest) rmSync(it, { recursive: true, force: true });
    return own;
  } catch {
    return undefined;
  }
}

/** True if root would make a folder in that of a user, who could not use it later: `sudo` may keep HOME. */
function isForRootAlone(folder: string): boolean {
  if (process.geteuid?.() !== 0) return false;
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat === undefined ? isForRootAlone(dirname(folder)) : stat.uid !== 0;
}

/** True for an entry of this user that no other user can change. Windows has no such modes. */
export function isPrivate(stat: Stats | undefined, kind: 'isFile' | 'isDirectory'): boolean {
  if (stat === undefined || !stat[kind]()) return false;
  const user = process.geteuid?.();
  return user === undefined || (stat.uid === user && (stat.mode & 0o022) === 0);
}
