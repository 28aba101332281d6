import { join } from 'node:path';
import { type Compiled, compile } from '../compile.ts';
import { isBundleFile, printBundlePath } from '../core/bundle-path.ts';
import { GitError } from '../disk/git-error.ts';
import { ownFileOf } from '../disk/tree/own-file-of.ts';
import type { PlanState } from '../plan/plan-state.ts';
import { readPlanState, type StateInput } from '../plan/read-plan-state.ts';
import { topologyFacts } from '../plan/topology-facts.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { TopologyFiles } from './find-topology.ts';
import { type Base, type BaseReader, openBase } from './open-base.ts';
import { OperationRefused } from './operation-refused.ts';
import type { FileReader } from './ports.ts';
import { readSourcesIfThere } from './read-sources.ts';

interface BaseRequest {
  readonly base: Base;
  readonly out: string;
  /** The topology as it is now. */
  readonly topology: Pick<ReadyTopology, 'files' | 'sources' | 'compiled'>;
}

/**
 * The state before. Clusters apply files, so the files count; the topology of the base adds facts that no file contains, if it
 * compiles to exactly these files. A base without files is the result of its topology.
 */
export async function readBase(files: FileReader, request: BaseRequest): Promise<PlanState> {
  const { sources, compiled, files: paths } = request.topology;
  const reader = await openBase(files, request.base);
  const found = ownFiles(await reader.filesBelow(request.out), compiled);
  const lock = request.base.kind === 'out' ? sources.lock?.text : await lockText(reader, paths.lock);
  const then = await compileThen(files, request, { reader, found });
  const input: StateInput = {
    files: found,
    lock: lock ?? null,
    known: then && sameFiles(then.bundle, found) ? topologyFacts(then.model) : null,
  };
  const useless = found.size === 0 || readPlanState(input) === undefined;
  const state = readPlanState(useless && then !== undefined && request.base.kind !== 'out' ? inputOf(then) : input);
  if (state !== undefined) return state;
  const path = join(request.out, printBundlePath({ part: 'addresses' }));
  throw new OperationRefused({ kind: 'no-base', path });
}

const inputOf = ({ bundle, lock, model }: Compiled): StateInput => ({
  files: bundle,
  lock,
  known: topologyFacts(model),
});

/** The state that a topology compiles to. */
export const headState = (compiled: Compiled): PlanState | undefined => readPlanState(inputOf(compiled));

/** Files that weft wrote, according to its records, or will write. */
function ownFiles(files: ReadonlyMap<string, string>, { bundle }: Compiled): ReadonlyMap<string, string> {
  const isOurs = ownFileOf(files);
  return new Map([...files].filter(([path]) => isBundleFile(path) && (bundle.has(path) || isOurs(path))));
}

/** The compiled topology of the base. For `out/` it is the present one, or the last committed one. */
async function compileThen(
  files: FileReader,
  { base, topology }: BaseRequest,
  { reader, found }: { readonly reader: BaseReader; readonly found: ReadonlyMap<string, string> },
): Promise<Compiled | undefined> {
  if (base.kind !== 'out') return compileFrom(reader, topology.files);
  if (sameFiles(topology.compiled.bundle, found)) return topology.compiled;
  try {
    return await compileFrom(await files.openCommit('HEAD'), topology.files);
  } catch (error) {
    // Without a repository or a commit, only the files are used.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

async function lockText(reader: BaseReader, path: string): Promise<string | undefined> {
  const read = await reader.readText(path);
  return read.kind === 'ok' ? read.text : undefined;
}

/** `undefined` without a topology, and for one that has errors: then the files alone are the base. */
async function compileFrom(reader: BaseReader, files: TopologyFiles): Promise<Compiled | undefined> {
  const sources = await readSourcesIfThere(reader.readText, files);
  if (!sources?.ok) return undefined;
  const compiled = compile(sources.value, { relock: [], only: null });
  return compiled.ok ? compiled.value : undefined;
}

const sameFiles = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
