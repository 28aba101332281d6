import {
  type BenchFolder,
  commitAll,
  compileUnmeasured,
  emptyOut,
  type TopologyText,
  useTopology,
} from './bench-folder.ts';
import type { Floors } from './floors.ts';

/** The reference of a row: a floor, or an unchanged compile by the same build, without the cache, which a plan does not use either. */
export type Reference = keyof Floors | 'unchanged';

/** A command of weft that is measured. */
export interface MeasuredCommand {
  readonly name: string;
  readonly args: (folder: BenchFolder) => readonly string[];
  readonly reference: Reference;
  /** The requirements of issue 11, at 10,000 links on two cores. */
  readonly goal?: { readonly ratio?: number; readonly peakMB?: number };
  /** Before each run, not measured. */
  readonly prepare?: (folder: BenchFolder, run: number) => void;
  /** After all runs, not measured. */
  readonly restore?: (folder: BenchFolder) => void;
  readonly exits?: readonly number[];
  /** The initial content: nothing, bundles, bundles in git, or bundles and dumps of their clusters. */
  readonly needs: 'nothing' | 'bundles' | 'repository' | 'dumps';
  /** Only with up to so many links. */
  readonly maxLinks?: number;
}

const withTopology = (which: TopologyText) => ({
  prepare: (folder: BenchFolder) => useTopology(folder, which),
  restore: (folder: BenchFolder) => useTopology(folder, 'base'),
});

/** A simulated fleet of 10,000 clusters does not fit into memory. */
const MAX_SIMULATED_LINKS = 1_000;

export const COMMANDS: readonly MeasuredCommand[] = [
  { name: '--help', args: () => ['--help'], reference: 'bare', goal: { ratio: 1.4 }, needs: 'nothing' },
  {
    name: 'compile, into an empty folder',
    args: () => ['compile'],
    reference: 'write',
    goal: { ratio: 1.5, peakMB: 400 },
    prepare: emptyOut,
    needs: 'bundles',
  },
  {
    name: 'compile, nothing changed',
    args: () => ['compile'],
    reference: 'read',
    // The first run after one that wrote is the first that remembers what it finds.
    prepare: (folder, run) => {
      if (run === 0) compileUnmeasured(folder);
    },
    needs: 'bundles',
  },
  {
    name: 'compile --check --no-cache',
    args: () => ['compile', '--check', '--no-cache'],
    reference: 'read',
    goal: { ratio: 3 },
    needs: 'bundles',
  },
  { name: 'compile --check', args: () => ['compile', '--check'], reference: 'read', needs: 'bundles' },
  {
    name: 'compile, one edit',
    args: () => ['compile'],
    reference: 'read',
    goal: { ratio: 3 },
    // Back and forth: each run finds the bundles of the other text.
    prepare: (folder, run) => useTopology(folder, run % 2 === 0 ? 'one' : 'base'),
    restore: (folder) => {
      useTopology(folder, 'base');
      compileUnmeasured(folder);
    },
    needs: 'bundles',
  },
  {
    name: 'compile --cluster LEAF',
    args: ({ fleet }) => ['compile', '--cluster', fleet.leaf],
    reference: 'topology',
    goal: { ratio: 2 },
    needs: 'bundles',
  },
  { name: 'validate', args: () => ['validate'], reference: 'topology', needs: 'bundles' },
  {
    name: 'view LEAF',
    args: ({ fleet }) => ['view', fleet.leaf],
    reference: 'topology',
    goal: { ratio: 2 },
    needs: 'bundles',
  },
  {
    name: 'trace LEAF LEAF',
    args: ({ fleet }) => ['trace', fleet.leaf, fleet.other],
    reference: 'topology',
    goal: { ratio: 2 },
    needs: 'bundles',
  },
  // Leaves of different hubs do not reach each other, so the answer is no.
  { name: 'trace --all', args: () => ['trace', '--all'], reference: 'topology', exits: [0, 1], needs: 'bundles' },
  { name: 'graph', args: () => ['graph'], reference: 'topology', needs: 'bundles' },
  { name: 'graph -o svg', args: () => ['graph', '-o', 'svg'], reference: 'topology', needs: 'bundles' },
  {
    name: 'plan, nothing changed',
    args: () => ['plan'],
    reference: 'unchanged',
    goal: { ratio: 1.5, peakMB: 600 },
    needs: 'bundles',
  },
  {
    name: 'plan, one edit',
    args: () => ['plan'],
    reference: 'unchanged',
    goal: { ratio: 1.5, peakMB: 600 },
    ...withTopology('one'),
    needs: 'bundles',
  },
  {
    name: 'plan, hub moved',
    args: () => ['plan'],
    reference: 'unchanged',
    ...withTopology('hubMoved'),
    needs: 'bundles',
  },
  { name: 'verify', args: () => ['verify'], reference: 'read', goal: { ratio: 8, peakMB: 600 }, needs: 'bundles' },
  {
    name: 'import, from dumps',
    args: () => ['import', 'dumps/', '--topology', 'imported.yaml', '--check'],
    reference: 'dumps',
    needs: 'dumps',
    maxLinks: MAX_SIMULATED_LINKS,
  },
  {
    name: 'drift, from dumps',
    args: () => ['drift', '--live', 'dumps/'],
    reference: 'dumps',
    exits: [0, 1],
    needs: 'dumps',
    maxLinks: MAX_SIMULATED_LINKS,
  },
  {
    name: 'pr check, nothing changed',
    args: () => ['pr', 'check', '--base', 'HEAD'],
    reference: 'read',
    needs: 'repository',
  },
  {
    name: 'pr check, one edit, compiled',
    args: () => ['pr', 'check', '--base', 'HEAD~1'],
    reference: 'read',
    prepare: (folder, run) => {
      if (run > 0) return;
      useTopology(folder, 'one');
      compileUnmeasured(folder);
      commitAll(folder, 'one edit');
    },
    needs: 'repository',
  },
];
