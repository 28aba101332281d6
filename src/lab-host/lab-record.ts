import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, startOfProcess } from '../disk/tree/running-process.ts';
import { NAMESPACES } from './namespace-folder.ts';

/**
 * Folder with a record of each lab that exists, so that a later run finds the lab of a killed one. Like the namespaces, the
 * folder belongs to root and disappears when the machine restarts. A record is an empty file, so it can never be read half
 * written. Its name is `RUN.PID.START` while a process works on the lab, with the start of the process because a later one
 * may have the same id, and `RUN.kept` if the lab stays up on purpose.
 */
const FOLDER = '/run/weft-lab';

/** A lab without a running process. */
export interface AbandonedLab {
  readonly run: string;
  /** Left up on purpose. */
  readonly kept: boolean;
}

const working = (run: string): string => `${run}.${process.pid}.${startOfProcess(process.pid) ?? 0}`;

const kept = (run: string): string => `${run}.kept`;

/** Records that this process builds a lab; called before any part of it exists. */
export async function recordLab(run: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true, mode: 0o700 });
  await writeFile(join(FOLDER, working(run)), '', { mode: 0o600 });
}

/** Records that a lab of this process stays up. */
export const recordKept = (run: string): Promise<void> => rename(join(FOLDER, working(run)), join(FOLDER, kept(run)));

export async function forgetLab(run: string): Promise<void> {
  const names = (await entriesOf(FOLDER)).filter((it) => it.startsWith(`${run}.`));
  for (const it of names) await rm(join(FOLDER, it), { force: true });
  // Removes only an empty folder, since others contain records of other labs.
  await rmdir(FOLDER).catch(() => {});
}

/** Kept labs, labs whose process has ended, and labs of which only namespaces are left. */
export async function abandonedLabs(): Promise<readonly AbandonedLab[]> {
  // In this order, because a record is created before its namespaces.
  const namespaces = await entriesOf(NAMESPACES);
  const records = (await entriesOf(FOLDER)).map((it) => it.split('.'));
  const recorded = new Set(records.map(([run = '']) => run));
  const found = records.flatMap(([run = '', pid = '', start = '']) => {
    if (pid === 'kept') return [{ run, kept: true }];
    return isSameProcess(Number(pid), start) ? [] : [{ run, kept: false }];
  });
  const runs = new Set(namespaces.flatMap((it) => /^weft-([0-9a-f]{6})-/.exec(it)?.[1] ?? []));
  return [...found, ...[...runs].filter((it) => !recorded.has(it)).map((run) => ({ run, kept: false }))];
}

const isSameProcess = (pid: number, start: string): boolean => isRunning(pid) && (startOfProcess(pid) ?? '0') === start;

const entriesOf = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
