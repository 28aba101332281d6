import type { GitOps } from '../../../fleet/topology/declaration.ts';

/** A path below the folder of the bundles, relative to the root of the repository. */
export const folderInRepository = ({ path }: GitOps, ...below: readonly string[]): string =>
  [...path.split('/').filter((it) => it !== '' && it !== '.'), ...below].join('/');
