import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { repositoryRoot } from './repository-root.ts';

/** Why a path is no place for an input of weft, to follow "cannot read PATH:", and what to do. */
export interface PlaceFault {
  readonly reason: string;
  readonly hint: string;
}

interface InputPlace {
  /** As an absolute path, and after all symbolic links. */
  readonly path: string;
  readonly real: string;
  /** The working folder. */
  readonly cwd: string;
}

/**
 * A pull request may contain a symbolic link to any file of the machine that checks it, and a diagnostic would print lines of
 * that file. So a link may only lead to another place of the same repository or, outside of any, of the same folder. What
 * git keeps for itself may contain a token. Source: actions/checkout, `persist-credentials`.
 */
export function linkFault({ path, real, cwd }: InputPlace): PlaceFault | undefined {
  const repository = repositoryOf(path, cwd);
  const below = pathBelow(realpathSync(repository ?? dirname(path)), real);
  const hint = 'put the file itself at this path';
  if (below === undefined)
    return {
      reason: `a symbolic link leads out of ${repository === undefined ? 'its folder' : 'the repository'}`,
      hint,
    };
  return below.split(sep).includes('.git') ? { reason: 'it belongs to git itself', hint } : undefined;
}

/** Files that the system makes up while they are read: of processes and devices, and descriptors such as stdin. */
export function systemFault(path: string): PlaceFault | undefined {
  if (!/^\/(?:proc|sys|dev\/(?:std(?:in|out|err)|fd))(?:\/|$)/.test(path)) return undefined;
  return { reason: 'it is not a file on a disk', hint: 'write the text to a file first, and name that file' };
}

/** The repository around the working folder if the path is in it; otherwise the one around the path. */
function repositoryOf(path: string, cwd: string): string | undefined {
  const here = repositoryRoot(cwd);
  return here !== undefined && pathBelow(here, path) !== undefined ? here : repositoryRoot(dirname(path));
}

function pathBelow(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? undefined : below;
}
