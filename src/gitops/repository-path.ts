import type { GitOps } from '../model/network-model.ts';

/** A place below the folder of the bundles, as a path from the root of the repository: `out/rome`. */
export function repositoryPath(gitops: GitOps, ...below: readonly string[]): string {
  return [...bundleFolder(gitops), ...below].join('/');
}

/** The parts of the folder of the bundles; none when the bundles are in the root of the repository. */
export function bundleFolder(gitops: GitOps): readonly string[] {
  return gitops.path.split('/').filter((it) => it !== '' && it !== '.');
}
