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
import { asDiskError, DiskError, errorCode } from '../disk-error.ts';

/** The process that holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** A random value for each lock, so that no two are equal. */
  readonly token: string;
  /** The start time of the process in the unit of the system; `null` if the system does not provide it. */
  readonly started: string | null;
}

interface LockRequest {
  readonly root: string;
  readonly waitMilliseconds: number;
  /** False skips hard links, which nearly all file systems support; true when absent. */
  readonly hardLinks?: boolean;
}

type LockResult =
  | { readonly kind: 'held'; readonly release: () => void }
  | { readonly kind: 'busy'; readonly holder: string };

const POLL_MILLISECONDS = 25;
/** The age after which an empty lock file is left over from a killed process, and will not be filled. */
const EMPTY_LOCK_MILLISECONDS = 1000;
/** Error codes of file systems without hard links. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** The tokens of the locks that this process holds. */
const heldHere = new Set<string>();

/** A process that requests a lock, and the method that it can use. */
interface Requester {
  readonly me: Holder;
  readonly hardLinks: boolean;
}

/**
 * Takes `.weft/lock` below root, which one process holds at a time. The lock of a process that has ended is removed
 * immediately. A lock of another host is never removed, because this host cannot check whether its process still runs.
 */
export async function takeProcessLock(request: LockRequest): Promise<LockResult> {
  try {
    return await takeLock(request);
  } catch (error) {
    throw asDiskError(error, request.root);
  }
}

async function takeLock(request: LockRequest): Promise<LockResult> {
  const lock = resolve(request.root, OWN_PATHS.processLock);
  const folder = dirname(lock);
  const requester: Requester = { me: thisProcess(), hardLinks: request.hardLinks ?? true };
  let topmost = folder;
  const began = performance.now();
  for (;;) {
    const created = createFolders(folder);
    if (created !== undefined && created.length < topmost.length) topmost = created;
    if (create(lock, requester)) break;
    if (removeIfStale(lock, requester)) continue;
    if (performance.now() - began >= request.waitMilliseconds) {
      const holder = holderText(readHolder(lock));
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

/** The number of attempts to create a folder, because another run may remove an empty one between two steps. */
const FOLDER_ATTEMPTS = 5;

/**
 * Creates a folder and its missing parents, and returns the topmost created one. Node's recursive mkdir never returns
 * when the file system answers every attempt with ENOENT, as /proc does.
 */
function createFolders(folder: string): string | undefined {
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
 * Creates a lock file with its content in one step: a hard link to a finished file, so that a kill leaves no empty
 * lock. Returns `false` if a lock exists already. Without hard links, the content is written after the file is created.
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
    // ENOENT: the holder of the lock removed the finished file or its folder; the caller tries again.
    if (['EEXIST', 'ENOENT'].includes(errorCode(error))) return false;
    throw error;
  } finally {
    remove(finished);
  }
}

/**
 * Removes a lock if its process has ended; returns true when the caller should try again immediately.
 *
 * Two processes that see the same stale lock must not both remove it: the slower one would remove the lock that the
 * faster one has taken meanwhile. Therefore only the holder of a second lock removes a stale lock. The second lock is
 * named after the token of the first, and the first is removed only while it still has that token. If the holder of the
 * second lock ends too, the same rule applies to it.
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
 * Removes files of processes that were killed while they took or removed a lock. Only the holder of the lock calls
 * this. Every such file is then stale or unused, because no other process needs to remove any lock but the current one.
 */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith('lock.')) remove(join(folder, name));
}

function hasEnded(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  // An earlier process can have had the same process id: a container assigns the same few ids every time.
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

function holderText(holder: ReturnType<typeof readHolder>): string {
  return typeof holder === 'object' ? `process ${holder.pid} on host "${holder.host}"` : 'another process';
}

interface HeldLock {
  readonly lock: string;
  readonly token: string;
  /** The created folders among the folder of the lock and those above it, the deepest first. */
  readonly folders: readonly string[];
}

/** The age of a file in milliseconds; 0 when it is missing. */
function ageOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs;
}

/** Returns a function that releases the lock once; it is also called when the process ends, except by SIGKILL. */
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

/**
 * Error codes of rmdir for a folder that is in use, missing, a link, a mount, or in a folder without write permission.
 */
const NOT_REMOVED = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'];

/**
 * Removes empty folders, the deepest first. Every process that leaves calls this, also for a folder that another
 * process created: that process could not remove it while a file of this process was in it.
 */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders) if (!tryTo(NOT_REMOVED, () => rmdirSync(folder))) return;
}

/** `folder` and the folders above it up to `first`, the topmost folder that was created. */
function foldersUpTo(folder: string, first: string): readonly string[] {
  return folder.length <= first.length ? [folder] : [folder, ...foldersUpTo(dirname(folder), first)];
}

/** Removes a file; a file that is already removed is no error. */
function remove(path: string): true {
  tryTo(['ENOENT'], () => unlinkSync(path));
  return true;
}

/** Runs `act`; returns true when it succeeded, false when it failed with an expected code. */
function tryTo(expected: readonly string[], act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (expected.includes(errorCode(error))) return false;
    throw error;
  }
}

/** True when a process with this id exists on this host and still runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process exists and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
  return procStat(pid)?.state !== 'Z';
}

/**
 * The start of a process in clock ticks since boot, which distinguishes it from a later process with the same id.
 * `null` if the system does not provide it. Source: proc_pid_stat(5), fields 3 and 22.
 */
export const startOfProcess = (pid: number): string | null => procStat(pid)?.start ?? null;

function procStat(pid: number): { readonly state: string; readonly start: string } | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may contain any character, also spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    return state === undefined || start === undefined ? undefined : { state, start };
  } catch {
    // /proc is not mounted, or the process has just ended.
    return undefined;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The functions to call when this process ends early, in the order in which they were added. */
const pending: (() => void)[] = [];

/** Calls the synchronous `undo` when the process ends before the returned function is called, except by SIGKILL. */
export function cleanUpUnlessDone(undo: () => void): () => void {
  if (pending.length === 0) {
    process.on('exit', undoAll);
    for (const signal of SIGNALS) process.on(signal, onSignal);
  }
  pending.push(undo);
  return () => {
    const at = pending.indexOf(undo);
    if (at !== -1) pending.splice(at, 1);
    if (pending.length > 0) return;
    process.removeListener('exit', undoAll);
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  };
}

/**
 * Finishes short work before Ctrl-C ends the process. If it is pressed again, the process ends at once.
 */
export async function endAfter(work: () => Promise<void>): Promise<void> {
  let isAsked = false;
  const onInterrupt = () => {
    if (isAsked) end();
    isAsked = true;
  };
  const end = () => {
    process.removeListener('SIGINT', onInterrupt);
    onSignal('SIGINT');
  };
  process.on('SIGINT', onInterrupt);
  try {
    await work();
  } finally {
    if (isAsked) end();
    process.removeListener('SIGINT', onInterrupt);
  }
}

function undoAll(): void {
  for (const undo of pending.splice(0).reverse()) undo();
}

function onSignal(signal: NodeJS.Signals): void {
  // With another listener the process may continue; `exit` is emitted in any case.
  if (process.listenerCount(signal) > 1) return;
  undoAll();
  for (const it of SIGNALS) process.removeListener(it, onSignal);
  process.kill(process.pid, signal);
}
