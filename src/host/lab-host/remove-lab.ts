import { readdir, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDevicePrefix } from '../../reach/lab/print-scripts.ts';
import { SOCKETS } from './build-lab.ts';
import { forgetLab, NAMESPACES, namespacesOf } from './lab-record.ts';
import { LabError, mapConcurrently, runTool } from './run-tool.ts';

/**
 * Removes everything of a lab: processes, namespaces with all their devices, control sockets, and the record. Only
 * namespaces that exist and that the record of the lab contains are removed. This includes a lab whose process was
 * killed early, and excludes namespaces that only have a similar name.
 */
export async function removeLab(ip: string, run: string): Promise<void> {
  const namespaces = await namespacesOf(run);
  await killProcesses(await processesIn(namespaces));
  const batch = namespaces.map((it) => `netns del ${it}\n`).join('');
  // A failure for one namespace must not stop the others; a namespace that remains is reported below.
  const problem = await runTool(ip, ['-force', '-batch', '-'], batch).catch((error: Error) => error.message);
  const sockets = (await readdir(SOCKETS).catch(() => [])).filter((it) => it.startsWith(temporaryDevicePrefix(run)));
  await mapConcurrently(sockets, 4, (it) => rm(join(SOCKETS, it), { force: true }));
  const [left] = await namespacesOf(run);
  if (left !== undefined) throw new LabError(`lab ${run} could not be removed, ${left} still exists: ${problem}`);
  await forgetLab(run);
}

/** The ids of all processes in one of the namespaces. A namespace is identified by the inode number of its file. */
async function processesIn(namespaces: readonly string[]): Promise<readonly number[]> {
  const files = await Promise.all(namespaces.map((it) => stat(join(NAMESPACES, it)).catch(() => undefined)));
  const wanted = new Set(files.flatMap((it) => (it === undefined ? [] : `net:[${it.ino}]`)));
  if (wanted.size === 0) return [];
  const pids = (await readdir('/proc')).filter((it) => /^\d+$/.test(it));
  const inside = await mapConcurrently(pids, 16, async (pid) =>
    wanted.has(await readlink(`/proc/${pid}/ns/net`).catch(() => '')) ? [Number(pid)] : [],
  );
  return inside.flat();
}

const KILL_TIMEOUT_MILLISECONDS = 3000;
const POLL_MILLISECONDS = 10;

async function killProcesses(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGKILL');
  for (let waited = 0; waited < KILL_TIMEOUT_MILLISECONDS; waited += POLL_MILLISECONDS) {
    if (!pids.some((it) => signal(it, 0))) return;
    await sleep(POLL_MILLISECONDS);
  }
}

/** Sends a signal; returns false if the process has ended. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
