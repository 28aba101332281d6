import { join, relative, resolve } from 'node:path';
import { type Compiled, compile, type Sources } from '../compile.ts';
import { DiskError } from '../disk/disk-error.ts';
import { GitError } from '../disk/git-error.ts';
import { openCommit } from '../disk/open-commit.ts';
import { readFolder } from '../disk/read-folder.ts';
import { readTextFile } from '../disk/read-text-file.ts';
import { parseRecord } from '../disk/tree/bundle-record.ts';
import { planState, type StateInput } from '../plan/plan-of.ts';
import type { PlanState } from '../plan/plan-state.ts';
import { topologyFacts } from '../plan/topology-facts.ts';
import type { TopologyFiles } from './find-topology.ts';
import { Refusal } from './refusal.ts';

/** What a plan is compared with. */
export type Base =
  | { readonly kind: 'out' }
  | { readonly kind: 'ref'; readonly ref: string }
  | { readonly kind: 'folder'; readonly folder: string };

export interface BaseRequest {
  readonly cwd: string;
  readonly base: Base;
  readonly out: string;
  readonly files: TopologyFiles;
  readonly now: { readonly sources: Sources; readonly compiled: Compiled };
}

/** Reads texts as they were: by path from the folder that weft was called in. */
interface Reader {
  readonly textOf: (path: string) => Promise<string | undefined>;
  readonly filesBelow: (path: string) => Promise<ReadonlyMap<string, string>>;
}

/**
 * What there was. Files are what clusters apply, so they count; the topology of that time adds what no file says, as
 * long as it compiles to just these files. A base that has no files is what its topology compiles to.
 */
export async function readBase(request: BaseRequest): Promise<PlanState> {
  const reader = await readerOf(request);
  const found = ownFiles(await reader.filesBelow(request.out), request.now.compiled);
  const lock = request.base.kind === 'out' ? request.now.sources.lock?.text : await reader.textOf(request.files.lock);
  const then = await compileThen(request, reader, found);
  const input: StateInput = {
    files: found,
    lock: lock ?? null,
    known: then && sameFiles(then.bundle, found) ? topologyFacts(then.model) : null,
  };
  const useless = found.size === 0 || planState(input) === undefined;
  const state = planState(useless && then !== undefined && request.base.kind !== 'out' ? inputOf(then) : input);
  if (state !== undefined) return state;
  throw new Refusal(
    `${join(request.out, 'addresses.json')} is missing or not as weft writes it, so nobody can say what there was`,
    'take it back from git, or compare with a commit: --base HEAD',
  );
}

const inputOf = ({ bundle, lock, model }: Compiled): StateInput => ({
  files: bundle,
  lock,
  known: topologyFacts(model),
});

/** The state that a topology compiles to. */
export const headState = (compiled: Compiled): PlanState | undefined => planState(inputOf(compiled));

async function readerOf({ cwd, base }: BaseRequest): Promise<Reader> {
  switch (base.kind) {
    case 'out':
      return diskReader(cwd, cwd);
    case 'folder':
      return diskReader(cwd, resolve(cwd, base.folder));
    case 'ref':
      return openCommit(cwd, base.ref);
  }
}

/** The same paths below another folder. */
function diskReader(cwd: string, root: string): Reader {
  const there = (path: string): string => {
    if (root === cwd) return resolve(cwd, path);
    const below = relative(cwd, resolve(cwd, path));
    if (below.startsWith('..'))
      throw new Refusal(
        `${path} lies outside ${cwd}`,
        'a base folder has the same paths as the folder that weft is called in',
      );
    return join(root, below);
  };
  return {
    textOf: async (path) => {
      const read = await readTextFile(there(path));
      return read.kind === 'ok' ? read.text : undefined;
    },
    filesBelow: (path) => filesOf(there(path)),
  };
}

/** Files of weft's: those of its record, or that it is about to write. Without a record all count. */
function ownFiles(files: ReadonlyMap<string, string>, { bundle }: Compiled): ReadonlyMap<string, string> {
  const text = files.get('.weft/bundle.json');
  const record = text === undefined ? undefined : parseRecord(text);
  const isOurs = (path: string): boolean => !record?.ok || record.record.has(path) || bundle.has(path);
  return new Map([...files].filter(([path]) => !path.startsWith('.') && isOurs(path)));
}

/** What the topology of that time compiles to. Beside `out/` that is the present one, or the last one committed. */
async function compileThen(
  { cwd, base, files, now }: BaseRequest,
  reader: Reader,
  found: ReadonlyMap<string, string>,
): Promise<Compiled | undefined> {
  if (base.kind !== 'out') return compileFrom(reader, files);
  if (sameFiles(now.compiled.bundle, found)) return now.compiled;
  try {
    return await compileFrom(await openCommit(cwd, 'HEAD'), files);
  } catch (error) {
    // No repository, no commit yet: then the files alone have to do.
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

async function compileFrom(reader: Reader, { topology, keys, lock }: TopologyFiles): Promise<Compiled | undefined> {
  const text = await reader.textOf(topology);
  if (text === undefined) return undefined;
  const source = async (path: string) => {
    const found = await reader.textOf(path);
    return found === undefined ? undefined : { path, text: found };
  };
  const compiled = compile(
    { topology: { path: topology, text }, keys: await source(keys), lock: await source(lock) },
    { relock: [], only: null },
  );
  return compiled.ok ? compiled.value : undefined;
}

const sameFiles = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);

/** Nothing when there is no such folder. */
async function filesOf(root: string): Promise<ReadonlyMap<string, string>> {
  const read = await readFolder(root);
  if (read.kind === 'not-a-folder') throw new DiskError('ENOTDIR', root);
  return read.kind === 'read' ? read.files : new Map();
}
