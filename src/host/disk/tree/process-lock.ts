import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OWN_PATHS } from '../../../base/core/bundle-path.ts';
import { DiskError, errorCode } from '../disk-error.ts';
import { cleanUpUnlessDone } from '../write-files.ts';
import { isRunning, startOfProcess } from './running-process.ts';

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Random for every lock, so that no two are equal. */
  readonly token: string;
  /** When the process started, in the system's own unit; `null` if the system does not provide it. */
  readonly started: string | null;
}

interface LockRequest {
  readonly root: string;
  readonly waitMilliseconds: number;
  /** Whether to try hard links first, which nearly all file systems have. */
  readonly hardLinks?: boolean;
}

type LockResult =
  | { readonly kind: 'held'; readonly release: () => void }
  | { readonly kind: 'busy'; readonly holder: string };

const POLL_MILLISECONDS = 25;
/** After so long, an empty lock file is the remains of a killed process, not one that a running process is about to fill. */
const EMPTY_LOCK_MILLISECONDS = 1000;
/** Error codes of file systems without hard links. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Tokens of the locks that this process holds. */
const heldHere = new Set<string>();

/** A process that requests a lock, and how it can create one. */
interface Requester {
  readonly me: Holder;
  readonly hardLinks: boolean;
}

/**
 * Takes `.weft/lock` below root, which one process holds at a time. The lock of a process that has ended is removed at
 * once; a lock of another host never is, since this host cannot check whether its process still runs.
 */
export async function takeProcessLock(request: LockRequest): Promise<LockResult> {
  const lock = resolve(request.root, OWN_PATHS.processLock);
  const folder = dirname(lock);
  const requester: Requester = { me: thisProcess(), hardLinks: request.hardLinks ?? true };
  let topmost = folder;
  const began = performance.now();
  for (;;) {
    const created = makeFolder(folder);
    if (created !== undefined && created.length < topmost.length) topmost = created;
    if (create(lock, requester)) break;
    if (removeIfStale(lock, requester)) continue;
    if (performance.now() - began >= request.waitMilliseconds) {
      const holder = describe(readHolder(lock));
      removeEmpty(foldersUpTo(folder, topmost));
      return { kind: 'busy', holder };
    }
    await sleep(POLL_MILLISECONDS);
  }
  const release = releaseAlways({ lock, token: requester.me.token, folders: foldersUpTo(folder, topmost) });
  try {
    sweep(folder);
  } catch (error) {
    release();
    throw error;
  }
  return { kind: 'held', release };
}

/** Another run may remove an empty folder between two steps; after so many attempts there is another reason. */
const FOLDER_ATTEMPTS = 5;

/**
 * Creates a folder and its missing parents, and returns the topmost created one. Node's recursive mkdir never returns if
 * the file system answers every attempt with ENOENT, as /proc does.
 */
function makeFolder(folder: string): string | undefined {
  for (let attempt = 1; ; attempt++) {
    const missing: string[] = [];
    for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
    try {
      for (const it of missing) tryTo(['EEXIST'], () => mkdirSync(it));
      return missing[0];
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      if (attempt === FOLDER_ATTEMPTS) throw new DiskError('ENOENT', missing[0] ?? folder, error);
    }
  }
}

function thisProcess(): Holder {
  const token = randomBytes(8).toString('hex');
  return { pid: process.pid, host: hostname(), token, started: startOfProcess(process.pid) };
}

/**
 * Creates a lock file with its content in one step: a hard link to a finished file, so that a kill leaves no empty lock.
 * `false` if there is one already. Without hard links the content is written after the file is created.
 */
function create(path: string, requester: Requester): boolean {
  const content = `${JSON.stringify(requester.me)}\n`;
  if (!requester.hardLinks) return tryTo(['EEXIST'], () => writeFileSync(path, content, { flag: 'wx' }));
  const finished = `${path}.${requester.me.token}.new`;
  try {
    writeFileSync(finished, content);
    linkSync(finished, path);
    return true;
  } catch (error) {
    if (NO_HARD_LINKS.includes(errorCode(error))) return create(path, { ...requester, hardLinks: false });
    // ENOENT: the holder of the lock has removed the finished file or its folder; the caller tries again.
    if (['EEXIST', 'ENOENT'].includes(errorCode(error))) return false;
    throw error;
  } finally {
    remove(finished);
  }
}

/**
 * Removes a lock if its process has ended; returns whether to try again at once.
 *
 * Two processes that see the same stale lock must not both remove it: the slower one would remove the lock that the faster
 * one has taken meanwhile. Therefore a stale lock is removed only by the holder of a second lock, named after the token of
 * the first, and only while the first still has that token. If that holder ends too, its lock is removed by the same rule.
 */
function removeIfStale(path: string, requester: Requester): boolean {
  const holder = readHolder(path);
  if (holder === 'missing') return true;
  if (holder === 'unreadable') return ageOf(path) > EMPTY_LOCK_MILLISECONDS && remove(path);
  if (!hasEnded(holder)) return false;
  const claim = join(dirname(path), `lock.${holder.token}`);
  if (!create(claim, requester)) return removeIfStale(claim, requester);
  const now = readHolder(path);
  if (typeof now === 'object' && now.token === holder.token) remove(path);
  return remove(claim);
}

/**
 * Removes files of processes that were killed while they took or removed a lock. Only the holder calls this, so every such
 * file is stale or unused: no other process can need to remove a lock other than the one that is held now.
 */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith('lock.')) remove(join(folder, name));
}

function hasEnded(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  // The same process id can belong to an earlier process: a container assigns the same few ids every time.
  if (holder.pid === process.pid) return !heldHere.has(holder.token);
  if (!isRunning(holder.pid)) return true;
  const started = startOfProcess(holder.pid);
  return holder.started !== null && started !== null && started !== holder.started;
}

function readHolder(path: string): Holder | 'missing' | 'unreadable' {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isHolder(value) ? value : 'unreadable';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'missing';
    if (error instanceof SyntaxError) return 'unreadable';
    throw error;
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, host, token, started } = value as Partial<Record<keyof Holder, unknown>>;
  const isSound = typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && typeof host === 'string';
  return isSound && /^[0-9a-f]{16}$/.test(String(token)) && (started === null || typeof started === 'string');
}

function describe(holder: ReturnType<typeof readHolder>): string {
  return typeof holder === 'object' ? `process ${holder.pid} on host "${holder.host}"` : 'another process';
}

interface HeldLock {
  readonly lock: string;
  readonly token: string;
  /** The folder of the lock and those above it that were created for it, the deepest first. */
  readonly folders: readonly string[];
}

/** In milliseconds; 0 for a missing file. */
function ageOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs;
}

/** Releases the lock once, whatever ends the process, except SIGKILL. */
function releaseAlways(held: HeldLock): () => void {
  heldHere.add(held.token);
  const release = () => {
    done();
    if (!heldHere.delete(held.token)) return;
    const holder = readHolder(held.lock);
    if (typeof holder === 'object' && holder.token === held.token) remove(held.lock);
    removeEmpty(held.folders);
  };
  const done = cleanUpUnlessDone(release);
  return release;
}

/** What rmdir answers for a folder that is in use, gone, or a link, a mount or in a folder that allows no change. */
const NOT_REMOVED = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'];

/**
 * Removes empty folders, the deepest first. Whoever leaves tries this, also for the folder of the lock that another process
 * created: that one could not remove it while a file of this process was in it.
 */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders) if (!tryTo(NOT_REMOVED, () => rmdirSync(folder))) return;
}

/** `folder` and its parents up to `first`, the topmost folder that was created. */
function foldersUpTo(folder: string, first: string): readonly string[] {
  return folder.length <= first.length ? [folder] : [folder, ...foldersUpTo(dirname(folder), first)];
}

/** Removes a file unless it is already removed. */
function remove(path: string): true {
  tryTo(['ENOENT'], () => unlinkSync(path));
  return true;
}

/** Whether it succeeded; `false` for expected failures. */
function tryTo(expected: readonly string[], act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (expected.includes(errorCode(error))) return false;
    throw error;
  }
}
