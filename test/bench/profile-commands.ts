import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchFolder, emptyOut, useTopology } from './bench-folder.ts';
import { measureProgram } from './process-cost.ts';

/** The distribution of a command's CPU time. */
export interface CommandProfile {
  readonly name: string;
  readonly totalMs: number;
  /** Functions by the time spent in them, without what they call. */
  readonly top: readonly { readonly name: string; readonly ms: number }[];
}

const TOP = 10;

/** Profiles of compile, plan and verify. */
export function profileCommands(folder: BenchFolder): readonly CommandProfile[] {
  emptyOut(folder);
  const full = profile(folder, 'compile, into an empty folder', ['compile']);
  const unchanged = profile(folder, 'compile, nothing changed', ['compile']);
  useTopology(folder, 'one');
  const plan = profile(folder, 'plan, one edit', ['plan']);
  useTopology(folder, 'base');
  return [full, unchanged, plan, profile(folder, 'verify', ['verify'])];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** The parts of a .cpuprofile that are needed here. */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

function profile(folder: BenchFolder, name: string, args: readonly string[]): CommandProfile {
  const target = join(folder.scratch, 'profiles');
  rmSync(target, { recursive: true, force: true });
  measureProgram({
    argv: [process.execPath, '--cpu-prof', `--cpu-prof-dir=${target}`, folder.weft, ...args],
    cwd: folder.path,
  });
  const times = new Map<string, number>();
  // Each thread has a file of its own.
  for (const file of readdirSync(target)) addTimes(times, JSON.parse(readFileSync(join(target, file), 'utf8')));
  times.delete('(idle)');
  times.delete('(root)');
  const sorted = [...times].sort(([, a], [, b]) => b - a).map(([it, us]) => ({ name: it, ms: us / 1000 }));
  return { name, totalMs: sorted.reduce((sum, it) => sum + it.ms, 0), top: sorted.slice(0, TOP) };
}

function addTimes(times: Map<string, number>, { nodes, samples, timeDeltas }: CpuProfile): void {
  const callers = new Map(nodes.flatMap((it) => (it.children ?? []).map((child) => [child, it] as const)));
  const names = new Map(nodes.map((it) => [it.id, nameOf(it, callers)]));
  samples.forEach((id, i) => {
    const name = names.get(id) ?? '?';
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[i] ?? 0));
  });
}

/** A function without a name by the nearest caller that has one. The chunks of the build have no names that mean anything. */
function nameOf({ id, callFrame }: ProfileNode, callers: ReadonlyMap<number, ProfileNode>): string {
  const place = callFrame.url.startsWith('node:') ? ` of ${callFrame.url}` : '';
  if (callFrame.functionName !== '') return `${callFrame.functionName}${place}`;
  let caller = callers.get(id);
  while (caller?.callFrame.functionName === '') caller = callers.get(caller.id);
  return `(anonymous) in ${caller?.callFrame.functionName ?? '(root)'}${place}`;
}
