import type { GitOps } from '../../fleet/model/network-model.ts';

/** A path below the folder of the bundles, relative to the root of the repository: `out/rome`. */
export function repositoryPath(gitops: GitOps, ...below: readonly string[]): string {
  return [...bundleFolder(gitops), ...below].join('/');
}

/** The parts of the folder of the bundles; none when the bundles are in the root of the repository. */
export function bundleFolder(gitops: GitOps): readonly string[] {
  return gitops.path.split('/').filter((it) => it !== '' && it !== '.');
}
