import { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { vi } from 'vitest';

/** The number of runs of each function, and of each block inside it: by file of `src/`, name and place. */
export type Work = ReadonlyMap<string, number>;

/** Runs something, and counts what it does. */
export type Count = (run: () => unknown) => Promise<Work>;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/**
 * Counts work with the counters that V8 has for coverage: how often functions and loops of `src/` ran. The numbers are the same
 * on every machine, and the code that is counted needs nothing for it. A loop inside V8 (`includes`, a spread) counts as nothing.
 *
 * `measure` must import what it counts with `import()`: V8 counts loops only in code that it compiled while the counters were on.
 */
export async function countWork<T>(measure: (count: Count) => Promise<T>): Promise<T> {
  const session = new Session();
  session.connect();
  const post = (method: string, params: object = {}): unknown => {
    let answer: unknown;
    // Within one thread the inspector answers before `post` returns.
    session.post(method, params, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  const take = (): Work => workOf(post('Profiler.takePreciseCoverage') as Coverage);
  setFlagsFromString('--no-compilation-cache');
  vi.resetModules();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  try {
    return await measure(async (run) => {
      post('Profiler.takePreciseCoverage'); // Sets all counters to zero.
      await run();
      return take();
    });
  } finally {
    post('Profiler.stopPreciseCoverage');
    session.disconnect();
    setFlagsFromString('--compilation-cache');
    vi.resetModules();
  }
}

function workOf({ result }: Coverage): Work {
  const work = new Map<string, number>();
  for (const { url, functions } of result) {
    const file = /^(?!.*\/node_modules\/).*\/src\/(.*)/.exec(url)?.[1];
    if (file === undefined) continue;
    for (const { functionName, ranges } of functions)
      for (const { startOffset, count } of ranges)
        if (count > 0) work.set(`${file} ${functionName || '(nameless)'} at ${startOffset}`, count);
  }
  // Modules that V8 loaded before it counted, or from elsewhere, would count as no work, which grows with nothing.
  if (work.size === 0) throw new Error('nothing of src/ was counted');
  return work;
}

/** All counts together. */
export const totalOf = (work: Work): number => [...work.values()].reduce((sum, it) => sum + it, 0);
