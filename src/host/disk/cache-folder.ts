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
 * made and no folder is missing. Errors of the disk are thrown, and one where root would make a folder in that of a user, who
 * could not use it later: `sudo` may keep HOME.
 */
export function makePrivateFolder(folder: string): void {
  const above = dirname(folder);
  if (existsSync(folder) || above === folder) return;
  makePrivateFolder(above);
  if (process.geteuid?.() === 0 && statSync(above).uid !== 0)
    throw Object.assign(new Error(`${above} is not of root`), { code: 'EACCES' });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it.
    if (!existsSync(folder)) throw error;
  }
}

/** True for an entry of this user that no other user can change. Windows has no such modes. */
export function isPrivate(stat: Stats | undefined, kind: 'isFile' | 'isDirectory'): boolean {
  if (stat === undefined || !stat[kind]()) return false;
  const user = process.geteuid?.();
  return user === undefined || (stat.uid === user && (stat.mode & 0o022) === 0);
}
