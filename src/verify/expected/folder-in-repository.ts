import type { GitOps } from '../../topology/declaration.ts';

/** A place below the folder of the bundles, as a path from the root of the repository. */
export const folderInRepository = ({ path }: GitOps, ...below: readonly string[]): string =>
  [...path.split('/').filter((it) => it !== '' && it !== '.'), ...below].join('/');
