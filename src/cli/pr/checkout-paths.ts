import { relative, resolve } from 'node:path';
import { repositoryRoot } from '../../disk/repository-root.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { Host } from '../../front/host.ts';

/** A path on this disk as the repository knows it. */
export type PathInRepository = (path: string) => string;

/** The root of the checkout: the folder that has `.git`, or else where GitHub Actions put it. */
export function pathInRepository({ cwd, env }: Host): PathInRepository {
  const root = repositoryRoot(cwd) ?? (env['GITHUB_WORKSPACE'] || cwd);
  return (path) => {
    const below = relative(root, resolve(cwd, path)).replaceAll('\\', '/');
    if (!below.startsWith('..') && below !== '') return below;
    throw new CommandFailure(
      `${path} is not below ${root}`,
      'only files of the checked out repository can be proposed',
    );
  };
}
