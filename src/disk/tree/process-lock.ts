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
import { DiskError, errorCode } from '../disk-error.ts';
import { isRunning, startOfProcess } from './running-process.ts';
import { OWN_FOLDER } from './tree-path.ts';

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Chosen anew for every lock, so that no two are ever alike. */
  readonly token: string;
  /** When the process started, in the system's own terms; `null` where the system does not say. */
  readonly started: string | null;
}

export interface LockRequest {
  readonly root: string;
  readonly waitMilliseconds: number;
  /** Whether the file system has hard links, as nearly all have; found out by trying. */
  readonly hardLinks?: boolean;
}

export type LockResult =
  | { readonly kind: 'held'; readonly release: () => void }
  | { readonly kind: 'busy'; readonly holder: string };

const POLL_MILLISECONDS = 25;
/** After so long a lock file without content is what a killed process left, not what a running one is about to fill. */
const EMPTY_LOCK_MILLISECONDS = 1000;
/** Answers of file systems without hard links. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Tokens of the locks that this very process holds. */
const heldHere = new Set<string>();

/** A process that wants a lock, and how it can make one. */
interface Taker {
  readonly me: Holder;
  readonly hardLinks: boolean;
}

/**
 * Takes `.weft/lock` below root, which one process holds at a time. A lock whose process is gone is cleared away at once;
 * one of another host never is, since nobody here can tell whether its process still runs.
 */
export async function takeProcessLock(request: LockRequest): Promise<LockResult> {
  const folder = join(request.root, OWN_FOLDER);
  const lock = join(folder, 'lock');
  const taker: Taker = { me: thisProcess(), hardLinks: request.hardLinks ?? true };
  const made: string[] = [];
  const began = performance.now();
  for (;;) {
    const first = makeFolder(resolve(folder));
    if (first !== undefined) made.splice(0, made.length, ...foldersUpTo(resolve(folder), resolve(first)));
    if (create(lock, taker)) break;
    if (clear(lock, taker)) continue;
    if (performance.now() - began >= request.waitMilliseconds)
      return { kind: 'busy', holder: describe(readHolder(lock)) };
    await sleep(POLL_MILLISECONDS);
  }
  const release = releaseAlways({ lock, token: taker.me.token, made });
  try {
    sweep(folder);
  } catch (error) {
    release();
    throw error;
  }
  return { kind: 'held', release };
}

/** Another weft may remove an empty folder between two of our steps; more often than this it is no coincidence. */
const FOLDER_ATTEMPTS = 5;

/**
 * Makes a folder and what is missing above it; the topmost one made. Node's own recursive mkdir never ends where a file
 * system answers ENOENT to every attempt, as /proc does.
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
 * Makes a lock file with its content in one step: a hard link to a finished file, so that a kill leaves no empty lock.
 * `false` when there is one already. Where there are no hard links the content follows the file.
 */
function create(path: string, taker: Taker): boolean {
  const content = `${JSON.stringify(taker.me)}\n`;
  if (!taker.hardLinks) return tryTo(['EEXIST'], () => writeFileSync(path, content, { flag: 'wx' }));
  const finished = `${path}.${taker.me.token}.new`;
  try {
    writeFileSync(finished, content);
    linkSync(finished, path);
    return true;
  } catch (error) {
    if (NO_HARD_LINKS.includes(errorCode(error))) return create(path, { ...taker, hardLinks: false });
    // ENOENT: whoever held the lock has swept the finished file away, or the folder with it; the caller tries again.
    if (['EEXIST', 'ENOENT'].includes(errorCode(error))) return false;
    throw error;
  } finally {
    remove(finished);
  }
}

/**
 * Clears a lock out of the way when its process is gone; whether it is worth trying again at once.
 *
 * Two that see the same dead lock must not both remove it: the slower one would remove the lock that the faster one has
 * taken meanwhile. So a dead holder's lock may only be removed by whoever holds a second lock, named after the dead one's
 * token, and only while the first still bears that token. If its holder dies too, that lock is cleared by the same rule.
 */
function clear(path: string, taker: Taker): boolean {
  const holder = readHolder(path);
  if (holder === 'missing') return true;
  if (holder === 'unreadable') return ageOf(path) > EMPTY_LOCK_MILLISECONDS && remove(path);
  if (!isGone(holder)) return false;
  const claim = join(dirname(path), `lock.${holder.token}`);
  if (!create(claim, taker)) return clear(claim, taker);
  const now = readHolder(path);
  if (typeof now === 'object' && now.token === holder.token) remove(path);
  return remove(claim);
}

/**
 * What processes that were killed while they took or broke a lock have left. Only the holder does this, and then every
 * such file is either a dead one's or of no consequence: nobody can need to break any lock but the one that is held now.
 */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith('lock.')) remove(join(folder, name));
}

function isGone(holder: Holder): boolean {
  if (holder.host !== hostname()) return false;
  // The same id as ours, yet not ours: a container gives its processes the same few ids every time.
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

interface Held {
  readonly lock: string;
  readonly token: string;
  /** Folders that were made for the lock, the deepest first; they go with it when nothing else came to lie in them. */
  readonly made: readonly string[];
}

/** In milliseconds; nothing for a file that is gone. */
function ageOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs;
}

/** Gives back once, whatever ends the process but SIGKILL. */
function releaseAlways(held: Held): () => void {
  heldHere.add(held.token);
  const release = () => {
    process.removeListener('exit', release);
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    if (!heldHere.delete(held.token)) return;
    const holder = readHolder(held.lock);
    if (typeof holder === 'object' && holder.token === held.token) remove(held.lock);
    for (const folder of held.made) if (!tryTo(['ENOTEMPTY', 'EEXIST', 'ENOENT'], () => rmdirSync(folder))) break;
  };
  const onSignal = (signal: NodeJS.Signals) => {
    // With another listener the process may live on, and with it the writing under this lock; `exit` comes in any case.
    if (process.listenerCount(signal) > 1) return;
    release();
    process.kill(process.pid, signal);
  };
  process.on('exit', release);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return release;
}

/** `folder` and those above it down to `first`, which was the first that had to be made. */
function foldersUpTo(folder: string, first: string): readonly string[] {
  return folder.length <= first.length ? [folder] : [folder, ...foldersUpTo(dirname(folder), first)];
}

/** Removes a file, or finds that somebody else has. */
function remove(path: string): true {
  tryTo(['ENOENT'], () => unlinkSync(path));
  return true;
}

/** Whether it worked; `false` for the failures that are expected. */
function tryTo(expected: readonly string[], act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (expected.includes(errorCode(error))) return false;
    throw error;
  }
}
