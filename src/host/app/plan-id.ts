import type { Compiled } from '../../compile.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { digestOf } from '../forge/blob-id.ts';

/** Hexadecimal characters: 128 bits, so that nobody finds two plans with one id. */
const LENGTH = 32;

/**
 * Identifies what a plan writes: each file that it adds, changes or removes, with its new text, and the lock before and after.
 * It names no branch, no commit and no run, so the plan that lands has the id of the one that was reviewed, unless the topology,
 * the lock or the bundles are others by then.
 */
export async function planId({ fleet, files, lock }: Plan, { bundle }: Pick<Compiled, 'bundle'>): Promise<string> {
  const lines = [JSON.stringify([fleet, lock.before, lock.after])];
  for (const { path, change } of files) {
    const text = bundle.get(path);
    lines.push(JSON.stringify([path, change, text === undefined ? null : await digestOf(text)]));
  }
  return (await digestOf(lines.join('\n'))).slice(0, LENGTH);
}
