import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BenchFolder, setAside, waitForDisk } from './bench-folder.ts';
import { measureProgram, type ProcessCost } from './process-cost.ts';

const FLOORS = resolve('test/bench/floors');

/** References for weft: programs that do the unavoidable part of a command and nothing else. */
export interface Floors {
  /** `node -e 0`. */
  readonly bare: () => ProcessCost;
  /** Node that writes the files of `out/` from memory. Loading them into its memory is left out: bare Node and the writing. */
  readonly write: () => ProcessCost;
  /** Node that reads and hashes the files of `out/`. */
  readonly read: () => ProcessCost;
  /** Node that reads the topology with the package `yaml`. */
  readonly topology: () => ProcessCost;
  /** Node that reads and parses the dumps of the clusters. */
  readonly dumps: () => ProcessCost;
}

/** The floors of a fleet. Its folder needs `out/` when files are written or read. */
export function floorsOf(of: BenchFolder): Floors {
  const { path: folder, scratch } = of;
  const [pack, copy] = [join(scratch, 'out.jsonl'), join(scratch, 'out')];
  const node = (script: string, ...args: readonly string[]) =>
    measureProgram({
      argv: [process.execPath, join(FLOORS, script), ...args],
      cwd: folder,
      keepsOutput: true,
    });
  const bare = () => measureProgram({ argv: [process.execPath, '-e', '0'], cwd: folder });
  return {
    bare,
    read: () => node('read.mjs', 'out'),
    topology: () => node('topology.mjs', 'topologies/topology.yaml'),
    dumps: () => node('json-files.mjs', 'dumps'),
    write: () => {
      if (!existsSync(pack)) node('pack.mjs', 'out', pack);
      const start = bare();
      setAside(of, copy);
      waitForDisk(of);
      const { stdout, peakMB } = node('write.mjs', pack, copy);
      const writing = JSON.parse(stdout) as { wallMs: number; cpuMs: number };
      return {
        wallMs: start.wallMs + writing.wallMs,
        cpuMs: (start.cpuMs ?? 0) + writing.cpuMs,
        peakMB,
        stdout,
      };
    },
  };
}
