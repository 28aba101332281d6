import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulateFleet } from '../live/simulated/simulate-fleet.ts';
import type { BenchFolder } from './bench-folder.ts';

/** Dumps of the clusters of a compiled fleet, after its bundles were applied, in `dumps/`. */
export function writeDumps({ path }: BenchFolder): void {
  const out = join(path, 'out');
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  const paths = files.map((it) => join(it.parentPath, it.name));
  const bundle = new Map(paths.map((it) => [it.slice(out.length + 1), readFileSync(it, 'utf8')] as const));
  mkdirSync(join(path, 'dumps'), { recursive: true });
  for (const [cluster, list] of simulateFleet(bundle))
    writeFileSync(join(path, 'dumps', `${cluster}.json`), JSON.stringify(list, null, 4));
}
