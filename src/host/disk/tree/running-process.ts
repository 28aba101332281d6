import { readFileSync } from 'node:fs';
import { errorCode } from '../disk-error.ts';

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
