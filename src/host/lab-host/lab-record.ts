import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, startOfProcess } from '../disk/tree/running-process.ts';

/**
 * Folder with a record of each lab that exists, so that a later run finds the lab of a killed one. Like the namespaces, the
 * folder belongs to root and disappears when the machine restarts. A record is named `RUN.PID.START` while a process works
 * on the lab, with the start of the process because a later one may have the same id, and `RUN.kept` if the lab stays up on
 * purpose. It contains the namespaces of the lab: a namespace that is in no record belongs to somebody else, whatever its
 * name is.
 */
const FOLDER = '/run/weft-lab';

/** A lab without a running process. */
export interface AbandonedLab {
  readonly run: string;
  /** Left up on purpose. */
  readonly kept: boolean;
}

/** Namespaces of a lab by name, with the number of each; `null` until it is created. */
type Recorded = Readonly<Record<string, number | null>>;

const working = (run: string): string => `${run}.${process.pid}.${startOfProcess(process.pid) ?? 0}`;

const kept = (run: string): string => `${run}.kept`;

/** Records that this process builds a lab from these namespaces; called before any of them exists. */
export async function recordLab(run: string, namespaces: readonly string[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true, mode: 0o700 });
  await write(run, Object.fromEntries(namespaces.map((it) => [it, null])));
}

/** Records the numbers of the namespaces, which exist now. */
export async function recordNumbers(run: string, namespaces: readonly string[]): Promise<void> {
  const numbered = namespaces.map(async (it) => [it, await numberOf(it)] as const);
  await write(run, Object.fromEntries(await Promise.all(numbered)));
}

/** Replaced in one step, so that it is never read half written. */
async function write(run: string, namespaces: Recorded): Promise<void> {
  const beside = join(FOLDER, `${run}.new`);
  await writeFile(beside, JSON.stringify(namespaces), { mode: 0o600 });
  await rename(beside, join(FOLDER, working(run)));
}

/** Records that a lab of this process stays up. */
export const recordKept = (run: string): Promise<void> => rename(join(FOLDER, working(run)), join(FOLDER, kept(run)));

export async function forgetLab(run: string): Promise<void> {
  for (const it of await recordsOf(run)) await rm(join(FOLDER, it), { force: true });
  // Removes only an empty folder, since others contain records of other labs.
  await rmdir(FOLDER).catch(() => {});
}

/** Kept labs, and labs whose process has ended. */
export async function abandonedLabs(): Promise<readonly AbandonedLab[]> {
  const records = (await entriesOf(FOLDER)).map((it) => it.split('.'));
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

/** The recorded namespaces of a lab that still exist, and still are the ones that the lab created. */
export async function namespacesOf(run: string): Promise<readonly string[]> {
  const own: string[] = [];
  for (const record of await recordsOf(run)) {
    for (const [name, number] of Object.entries(await read(record))) {
      const now = await numberOf(name);
      if (now !== null && (number === null || number === now)) own.push(name);
    }
  }
  return [...new Set(own)];
}

/** Namespaces that are called like those of a lab and are in no record: weft did not make them, or lost their record. */
export async function unrecordedNamespaces(): Promise<readonly string[]> {
  // In this order, because a record is created before its namespaces.
  const names = (await entriesOf(NAMESPACES)).filter((it) => /^weft-[0-9a-f]{6}-/.test(it));
  const records = (await entriesOf(FOLDER)).map(read);
  const recorded = new Set((await Promise.all(records)).flatMap((it) => Object.keys(it)));
  return names.filter((it) => !recorded.has(it));
}

/** The number of a namespace, which no other one has at the same time; `null` if there is none. */
const numberOf = (name: string): Promise<number | null> =>
  stat(join(NAMESPACES, name)).then(
    (it) => it.ino,
    () => null,
  );

async function read(record: string): Promise<Recorded> {
  try {
    return JSON.parse(await readFile(join(FOLDER, record), 'utf8')) as Recorded;
  } catch {
    // It was removed meanwhile, or it is not a record of ours.
    return {};
  }
}

const recordsOf = async (run: string): Promise<readonly string[]> =>
  (await entriesOf(FOLDER)).filter((it) => it.startsWith(`${run}.`));

const isSameProcess = (pid: number, start: string): boolean =>
  Number.isInteger(pid) && isRunning(pid) && (startOfProcess(pid) ?? '0') === start;

const entriesOf = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** Where `ip netns` keeps the names of namespaces. Source: ip-netns(8). */
export const NAMESPACES = '/var/run/netns';
