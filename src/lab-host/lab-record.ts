import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, startOfProcess } from '../disk/tree/running-process.ts';
import { NAMESPACES } from './namespace-folder.ts';

/**
 * Where labs are written down while they stand, so that a later run finds what a killed one left behind. Like the
 * namespaces themselves the folder is root's, and gone when the machine starts anew. A record is a name without content,
 * so there is no moment at which somebody could read half of it: `RUN.PID.START` while a process works on the lab, with
 * the start of the process because a later one may have the same number, `RUN.kept` when it stays up on purpose.
 */
const FOLDER = '/run/weft-lab';

/** A lab that nobody works on any more. */
export interface AbandonedLab {
  readonly run: string;
  /** Left up on purpose. */
  readonly kept: boolean;
}

const working = (run: string): string => `${run}.${process.pid}.${startOfProcess(process.pid) ?? 0}`;

const kept = (run: string): string => `${run}.kept`;

/** Says that this process builds a lab; before anything of it is there. */
export async function recordLab(run: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true, mode: 0o700 });
  await writeFile(join(FOLDER, working(run)), '', { mode: 0o600 });
}

/** Says that a lab of this process stays up. */
export const recordKept = (run: string): Promise<void> => rename(join(FOLDER, working(run)), join(FOLDER, kept(run)));

export async function forgetLab(run: string): Promise<void> {
  const names = (await entriesOf(FOLDER)).filter((it) => it.startsWith(`${run}.`));
  for (const it of names) await rm(join(FOLDER, it), { force: true });
  // Only an empty folder goes: in another one other labs are written down.
  await rmdir(FOLDER).catch(() => {});
}

/** Those that were kept, those whose process is gone, and namespaces that were still being made when all else was removed. */
export async function abandonedLabs(): Promise<readonly AbandonedLab[]> {
  // In this order: whoever makes a namespace has made a record before.
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
