import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withLf } from '../../../base/core/encodings.ts';
import { errorCode } from '../disk-error.ts';
import { entryAt } from './disk-view.ts';
import { isFolderPath } from './request-problems.ts';
import { isRunning } from './running-process.ts';
import { syncFolder, writeDurably } from './staging.ts';
import {
  danglingLockFile,
  lockChangedMeanwhile,
  lockFileIsFolder,
  type TreeProblem,
  type TreeRequest,
} from './tree-request.ts';

type LockFile = NonNullable<TreeRequest['lockFile']>;

/** Returns true in `changed` when the topology's lock file must be written, and the problems that prevent it. */
export function inspectLockFile(file: LockFile | null): {
  readonly changed: boolean;
  readonly problems: TreeProblem[];
} {
  if (file === null) return { changed: false, problems: [] };
  if (isFolderPath(file.path)) return { changed: false, problems: [lockFileIsFolder(file.path)] };
  if (entryAt(file.path).kind === 'link' && !existsSync(file.path))
    return { changed: false, problems: [danglingLockFile(file.path)] };
  const now = readLockIfThere(file.path);
  const changed = now !== file.text;
  const since = file.before !== undefined && changed && now !== (file.before === null ? null : withLf(file.before));
  return { changed, problems: since ? [lockChangedMeanwhile(file.path)] : [] };
}

/** The new lock file, written beside the old one; `commit` replaces the old one in one step. */
interface StagedLockFile {
  readonly commit: () => void;
  readonly discard: () => void;
}

/** Writes the new lock file beside the old one. The user chooses the path, so a link is followed and stays a link. */
export function stageLockFile(file: LockFile): StagedLockFile {
  const target = entryAt(file.path).kind === 'link' ? realpathSync(file.path) : file.path;
  mkdirSync(dirname(target), { recursive: true });
  const staged = join(dirname(target), stagedName(basename(target), process.pid));
  writeDurably(staged, file.text);
  return {
    commit: () => {
      renameSync(staged, target);
      syncFolder(dirname(target));
    },
    discard: () => rmSync(staged, { force: true }),
  };
}

/** Removes the staged files of killed processes beside the lock file. */
export function sweepLockFile(file: LockFile): void {
  const target = entryAt(file.path).kind === 'link' ? realpathSync(file.path) : file.path;
  for (const name of namesInFolder(dirname(target))) {
    const pid = Number(/^\..*\.(\d+)\.weft-new$/.exec(name)?.[1]);
    if (name === stagedName(basename(target), pid) && (pid === process.pid || !isRunning(pid)))
      rmSync(join(dirname(target), name), { force: true });
  }
}

const stagedName = (name: string, pid: number): string => `.${name}.${pid}.weft-new`;

function namesInFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The text of a file without a byte order mark and with `\n` line ends; `null` when it is missing. */
function readLockIfThere(path: string): string | null {
  try {
    return withLf(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
