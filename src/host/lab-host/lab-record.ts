import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, startOfProcess } from '../disk/tree/process-lock.ts';

/**
 * The folder with a record of each existing lab, so that a later run finds the lab of a killed one. Like the
 * namespaces, the folder belongs to root and disappears when the machine restarts. While a process works on a lab, its
 * record is named `RUN.PID.START`, with the start of the process because a later process may have the same id. A lab
 * that stays up on purpose has the record `RUN.kept`. A record contains the namespaces of the lab: a namespace in no
 * record does not belong to weft, whatever its name.
 */
const FOLDER = '/run/weft-lab';

/** A lab without a running process. */
export interface AbandonedLab {
  readonly run: string;
  /** True when the lab was left up on purpose. */
  readonly kept: boolean;
}

/** The namespaces of a lab: name -> number; `null` until the namespace is created. */
type Recorded = Readonly<Record<string, number | null>>;

const working = (run: string): string => `${run}.${process.pid}.${startOfProcess(process.pid) ?? 0}`;

const kept = (run: string): string => `${run}.kept`;

/** Records that this process builds a lab from these namespaces; called before any of them exists. */
export async function recordLab(run: string, namespaces: readonly string[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true, mode: 0o700 });
  await writeRecord(run, Object.fromEntries(namespaces.map((it) => [it, null])));
}

/** Records the numbers of the namespaces; called after they are created. */
export async function recordNumbers(run: string, namespaces: readonly string[]): Promise<void> {
  const numbered = namespaces.map(async (it) => [it, await numberOf(it)] as const);
  await writeRecord(run, Object.fromEntries(await Promise.all(numbered)));
}

/** Replaces the record in one step, so that it is never read half written. */
async function writeRecord(run: string, namespaces: Recorded): Promise<void> {
  const beside = join(FOLDER, `${run}.new`);
  await writeFile(beside, JSON.stringify(namespaces), { mode: 0o600 });
  await rename(beside, join(FOLDER, working(run)));
}

/** Records that a lab of this process stays up. */
export const recordKept = (run: string): Promise<void> => rename(join(FOLDER, working(run)), join(FOLDER, kept(run)));

export async function forgetLab(run: string): Promise<void> {
  for (const it of await recordNames(run)) await rm(join(FOLDER, it), { force: true });
  // Removes only an empty folder; another folder contains records of other labs.
  await rmdir(FOLDER).catch(() => {});
}

/** Lists kept labs, and labs whose process has ended. */
export async function abandonedLabs(): Promise<readonly AbandonedLab[]> {
  const records = (await entriesOfFolder(FOLDER)).map((it) => it.split('.'));
  const found = records.flatMap(([run = '', pid = '', start = '']) => {
    if (!RUN.test(run)) return [];
    if (pid === 'kept') return [{ run, kept: true }];
    return isSameProcess(Number(pid), start) ? [] : [{ run, kept: false }];
  });
  const working = new Set(
    records.flatMap(([run = '', pid = '', start = '']) => (isSameProcess(Number(pid), start) ? [run] : [])),
  );
  return found.filter((it) => !working.has(it.run));
}

const RUN = /^[0-9a-f]{6}$/;

/** The recorded namespaces of a lab that still exist and are still the ones that the lab created. */
export async function namespacesOf(run: string): Promise<readonly string[]> {
  const own: string[] = [];
  for (const record of await recordNames(run)) {
    for (const [name, number] of Object.entries(await readRecord(record))) {
      const now = await numberOf(name);
      if (now !== null && (number === null || number === now)) own.push(name);
    }
  }
  return [...new Set(own)];
}

/** Lists namespaces named like those of a lab that are in no record: weft did not create them, or lost their record. */
export async function unrecordedNamespaces(): Promise<readonly string[]> {
  // Names are read first, because a record is created before its namespaces.
  const names = (await entriesOfFolder(NAMESPACES)).filter((it) => /^weft-[0-9a-f]{6}-/.test(it));
  const records = (await entriesOfFolder(FOLDER)).map(readRecord);
  const recorded = new Set((await Promise.all(records)).flatMap((it) => Object.keys(it)));
  return names.filter((it) => !recorded.has(it));
}

/** The inode number of a namespace, unique among existing ones; `null` when the namespace does not exist. */
const numberOf = (name: string): Promise<number | null> =>
  stat(join(NAMESPACES, name)).then(
    (it) => it.ino,
    () => null,
  );

async function readRecord(record: string): Promise<Recorded> {
  try {
    return JSON.parse(await readFile(join(FOLDER, record), 'utf8')) as Recorded;
  } catch {
    // The record was removed meanwhile, or the file is not a record of weft.
    return {};
  }
}

const recordNames = async (run: string): Promise<readonly string[]> =>
  (await entriesOfFolder(FOLDER)).filter((it) => it.startsWith(`${run}.`));

const isSameProcess = (pid: number, start: string): boolean =>
  Number.isInteger(pid) && isRunning(pid) && (startOfProcess(pid) ?? '0') === start;

const entriesOfFolder = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** The folder in which `ip netns` keeps the names of namespaces. Source: ip-netns(8). */
export const NAMESPACES = '/var/run/netns';
