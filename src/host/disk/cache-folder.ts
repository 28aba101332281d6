import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs';
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
    const isNew = !existsSync(own);
    if (isNew && isForRootAlone(own)) return undefined;
    makePrivateFolder(own);
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

/**
 * Makes a folder and those above it, which only the user can enter. Node's own recursion never ends in `/proc`, where nothing can be
 * made and no folder is missing. Errors of the disk are thrown.
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it.
    if (!existsSync(folder)) throw error;
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
