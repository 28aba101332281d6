import { dirname, join, relative, resolve } from 'node:path';
import { withLf } from '../../base/core/encodings.ts';
import { oncePerText } from '../../base/core/once.ts';
import { cacheFolder } from '../disk/cache-folder.ts';
import { folderTree } from '../disk/folder-tree.ts';
import { hasUncommitted } from '../disk/git-objects.ts';
import { gitRules } from '../disk/git-rules.ts';
import { commitsOf } from '../disk/open-commit.ts';
import { linkBelow, listFolder, readFolder } from '../disk/read-folder.ts';
import {
  fileNamesIn,
  LARGEST_DUMP_BYTES,
  type ReadResult,
  readTextFile,
  readTextFiles,
} from '../disk/read-text-file.ts';
import { folderInRepository, repositoryAround } from '../disk/repository.ts';
import { newKeyPair, randomBytes, secretsFolder, writeSecrets } from '../disk/secrets.ts';
import { compareTree, inspectTree } from '../disk/tree/inspect-tree.ts';
import { contentOfOut, writtenByWeft } from '../disk/tree/known-files.ts';
import { takeProcessLock } from '../disk/tree/process-lock.ts';
import type { ThreadUse } from '../disk/tree/staging-thread.ts';
import { openTreeCache, type TreeCache } from '../disk/tree/tree-cache.ts';
import { sha256 } from '../disk/tree/tree-path.ts';
import type { TreeMemory } from '../disk/tree/tree-request.ts';
import { type TreeProblem, type TreeRequest, writeTree } from '../disk/tree/write-tree.ts';
import {
  appendToFile,
  makeFolder,
  type NewFile,
  type PreparedFile,
  prepareFile,
  prepareNewFile,
  writeFileWhole,
} from '../disk/write-files.ts';
import { listObjects } from '../kubectl/list-objects.ts';
import { execScript } from '../kubectl/run-kubectl.ts';
import type { ProbePorts } from './conform-fleet.ts';
import type { KeyStore } from './deliver-secrets.ts';
import type { FileReader, LivePorts, OutputTree } from './ports.ts';
import type { StartPorts } from './start-fleet.ts';

/** The disk for use cases; paths are relative to `cwd`. `memory` is for a process that writes a bundle repeatedly. */
export const diskPorts = (
  cwd: string,
  memory: TreeMemory | null = null,
  thread: ThreadUse | null = null,
): { readonly files: FileReader; readonly tree: OutputTree } => ({
  files: {
    folder: cwd,
    readText: (path) => readTextFile(resolve(cwd, path), cwd),
    readTexts: (paths) =>
      readTextFiles(
        paths.map((it) => resolve(cwd, it)),
        cwd,
      ),
    namesIn: (folder) => fileNamesIn(resolve(cwd, folder), cwd),
    linkBelow: async (folder, path) => {
      const link = linkBelow(resolve(cwd, folder), resolve(cwd, path));
      return link === undefined ? undefined : relative(cwd, link);
    },
    readFolder: (folder, isWanted) => readFolder(resolve(cwd, folder), isWanted),
    folderInRepository: (path) => folderInRepository(resolve(cwd, path)),
    treeBelow: (folder, format) => folderTree(resolve(cwd, folder), format),
    gitRules: (paths) => gitRules(cwd, paths),
    hasUncommitted: (folder) => hasUncommitted(resolve(cwd, folder)),
    // A command is about the commits that it found first, even if a branch moves meanwhile.
    openCommit: oncePerText(commitsOf(cwd)),
  },
  tree: {
    contentOf: (root) => contentOfOut(resolve(cwd, root)),
    write: async (request, mayApply) =>
      withTypedPaths(
        cwd,
        request,
        await writeTree(onDisk(cwd, request), { memory, thread, ...(mayApply === undefined ? {} : { mayApply }) }),
      ),
    compare: async (request) => withTypedPaths(cwd, request, await compareTree(onDisk(cwd, request), memory)),
    inspect: async (request) => withTypedPaths(cwd, request, await inspectTree(onDisk(cwd, request))),
    writtenByWeft: (root) => {
      const isWritten = writtenByWeft(resolve(cwd, root));
      return (path, text) => isWritten(path, () => sha256(withLf(text)));
    },
  },
});

/** The cache of a folder of bundles; `null` without a cache folder. */
export function diskCache(
  { cwd, env }: Pick<Process, 'cwd' | 'env'>,
  { out, program }: { readonly out: string; readonly program: string },
): TreeCache | null {
  const cache = cacheFolder(env);
  if (cache === undefined) return null;
  return openTreeCache({ folder: join(cache, 'trees'), root: resolve(cwd, out), program: sha256(program) });
}

/** The time to wait for another run. Generating keys takes far less. */
const KEYS_LOCK_MILLISECONDS = 10_000;

export const diskKeys = (cwd: string): KeyStore => ({
  lock: (keysFile) =>
    takeProcessLock({ root: dirname(resolve(cwd, keysFile)), waitMilliseconds: KEYS_LOCK_MILLISECONDS }),
  secretsFolder: (folder) => secretsFolder(cwd, folder),
  repositoryAround: (path) => repositoryAround(resolve(cwd, path)),
  writeSecrets,
  prepareKeysFile: (path, text) => prepareFile(resolve(cwd, path), text),
  newKeyPair,
  randomBytes,
});

export const diskStart = (cwd: string): StartPorts => ({
  files: diskPorts(cwd).files,
  absolute: (folder) => resolve(cwd, folder),
  read: (path) => readTextFile(resolve(cwd, path)),
  append: (path, text) => appendToFile(resolve(cwd, path), text),
  writeFile: async (path, text) => {
    const target = resolve(cwd, path);
    await makeFolder(dirname(target));
    await writeFileWhole(target, text);
  },
});

/** Prepares new files that are written together; creates their folders. */
export const diskPrepare =
  (cwd: string) =>
  async (path: string, text: string): Promise<NewFile> => {
    const target = resolve(cwd, path);
    await makeFolder(dirname(target));
    return prepareNewFile(target, text);
  };

/** Prepares files that replace those that are there; creates their folders. */
export const diskReplace =
  (cwd: string) =>
  async (path: string, text: string): Promise<PreparedFile> => {
    const target = resolve(cwd, path);
    await makeFolder(dirname(target));
    return prepareFile(target, text);
  };

/** The request with absolute paths, which the functions of the tree require. */
const onDisk = (cwd: string, { root, lockFile, ...rest }: TreeRequest): TreeRequest => ({
  ...rest,
  root: resolve(cwd, root),
  lockFile: lockFile === null ? null : { ...lockFile, path: resolve(cwd, lockFile.path) },
});

type Refused = { readonly kind: 'refused'; readonly problems: readonly TreeProblem[] };

function withTypedPaths<Result extends { readonly kind: string }>(
  cwd: string,
  { root }: TreeRequest,
  result: Result | Refused,
): Result | Refused {
  if (!isRefused(result)) return result;
  return { ...result, problems: result.problems.map((it) => ({ ...it, path: asTyped(it.path, cwd, root) })) };
}

const isRefused = (result: { readonly kind: string }): result is Refused => result.kind === 'refused';

function asTyped(path: string, cwd: string, typed: string): string {
  const root = resolve(cwd, typed);
  if (path === root) return typed;
  return path.startsWith(`${root}/`) ? join(typed, path.slice(root.length + 1)) : path.replace(`${cwd}/`, '');
}

interface Process {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: { readonly read: (limitBytes?: number) => Promise<ReadResult> };
}

/** Files and stdin as dumps, and the user's kubectl. */
export function livePorts({ cwd, env, stdin }: Process): LivePorts {
  let piped: Promise<ReadResult> | undefined;
  return {
    files: diskPorts(cwd).files,
    readDump: (path) => readTextFile(resolve(cwd, path), cwd, LARGEST_DUMP_BYTES),
    listFolder: (path, isWanted) => listFolder(resolve(cwd, path), isWanted),
    readPipedDump: () => {
      piped ??= stdin.read(LARGEST_DUMP_BYTES);
      return piped;
    },
    list: (request) => listObjects({ cwd, env }, request),
  };
}

/** The user's kubectl, which starts scripts in probers. */
export const execPort = ({ cwd, env }: Pick<Process, 'cwd' | 'env'>): Pick<ProbePorts, 'exec'> => ({
  exec: (request) => execScript({ cwd, env }, request),
});
