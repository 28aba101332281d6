import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchFleet } from './fleet.ts';
import { median } from './median.ts';

export interface WatchFigures {
  /** From saving the topology to the line that says that everything is written. */
  readonly medianMilliseconds: number;
  /** The first compile of the same process, into an empty folder. */
  readonly firstMilliseconds: number;
  readonly rebuilds: number;
  /** The live heap after a collection, from the first rebuild to the last one, in eleven places. */
  readonly heapMegabytes: readonly number[];
  /** The memory of the process, in the same places. */
  readonly residentMegabytes: readonly number[];
}

interface WatchRequest {
  /** The built command line. */
  readonly weft: string;
  readonly links: number;
  readonly rebuilds: number;
}

const DONE = 'Watching for changes';

/** Saves a topology again and again while `weft compile --watch` runs: the address of one gateway changes each time. */
export async function measureWatch({ weft, links, rebuilds }: WatchRequest): Promise<WatchFigures> {
  const fleet = benchFleet(links);
  const folder = mkdtempSync(join(tmpdir(), 'weft-watch-'));
  const topology = join(folder, 'topologies', 'topology.yaml');
  mkdirSync(join(folder, 'topologies'));
  writeFileSync(topology, fleet.topology);
  writeFileSync(join(folder, 'topologies', 'topology.keys.yaml'), fleet.keys);
  const began = performance.now();
  const weftProcess = spawn(process.execPath, ['--expose-gc', '--import', REPORTS_MEMORY, weft, 'compile', '--watch'], {
    cwd: folder,
  });
  const output = outputOf(weftProcess);
  try {
    await output.nextLine(DONE);
    const firstMilliseconds = performance.now() - began;
    const milliseconds: number[] = [];
    const memory: (readonly number[])[] = [];
    const every = Math.max(1, Math.floor(rebuilds / 10));
    for (let i = 0; i < rebuilds; i++) {
      const saved = performance.now();
      const done = output.nextLine(DONE);
      writeFileSync(topology, i % 2 === 0 ? fleet.edits.one : fleet.topology);
      await done;
      milliseconds.push(performance.now() - saved);
      if (i % every !== 0 && i !== rebuilds - 1) continue;
      const reported = output.nextLine(MEMORY);
      weftProcess.kill('SIGUSR2');
      memory.push((await reported).split(' ').slice(1).map(Number));
    }
    return {
      medianMilliseconds: median(milliseconds),
      firstMilliseconds,
      rebuilds,
      heapMegabytes: memory.map(([heap = 0]) => heap),
      residentMegabytes: memory.map(([, resident = 0]) => resident),
    };
  } finally {
    weftProcess.kill('SIGKILL');
    await once(weftProcess, 'close');
    rmSync(folder, { recursive: true, force: true });
  }
}

const MEMORY = 'memory-of-weft';

/** A module that prints on a signal what the process needs. */
const REPORTS_MEMORY = `data:text/javascript,${encodeURIComponent(`
process.on('SIGUSR2', () => {
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  const megabytes = [heapUsed + external, rss].map((it) => Math.round(it / 1e6));
  process.stderr.write('${MEMORY} ' + megabytes.join(' ') + '\\n');
});`)}`;

interface Output {
  /** The next line that begins so. */
  readonly nextLine: (start: string) => Promise<string>;
}

function outputOf(child: ChildProcessWithoutNullStreams): Output {
  let wanted: { readonly start: string; readonly found: (line: string) => void } | undefined;
  let failed: ((error: Error) => void) | undefined;
  let begun = '';
  const everything: string[] = [];
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) {
      everything.push(line);
      if (wanted !== undefined && line.startsWith(wanted.start)) wanted.found(line);
    }
  });
  child.on('close', (code) => failed?.(new Error(`weft ended with ${code}:\n${everything.join('\n')}`)));
  return {
    nextLine: (start) =>
      new Promise((resolve, reject) => {
        wanted = { start, found: resolve };
        failed = reject;
      }),
  };
}
