import type { ReadyTopology } from './compile-topology.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

/**
 * Argo CD and Flux read the bundles at `gitops.path` of the repository, so entry points that name another folder than the
 * one of the bundles apply nothing, or the bundles of another fleet. A folder outside of any repository is not compared.
 */
export function entryPointsElsewhere(
  files: FileReader,
  { files: { topology }, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): Refusal | undefined {
  const { gitops } = compiled.model.fleet;
  const folder = files.folderInRepository(out);
  if (gitops === null || folder === undefined || folder === gitops.path) return undefined;
  return { kind: 'entry-points-elsewhere', topology, folder, named: gitops.path };
}
