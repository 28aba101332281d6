import { join, relative } from 'node:path';
import type { ReadyTopology } from './compile-topology.ts';
import type { Ports } from './ports.ts';
import { ofAnotherFleet } from './refuse-out.ts';

/**
 * The folders that may have the bundles of a fleet: the one for bundles, the fleet's own below it (`compile --all`), and the
 * one that its entry points read. A folder with the bundles of another fleet is none of them.
 */
export function fleetFolders(
  { files, tree }: Pick<Ports, 'files' | 'tree'>,
  topology: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): readonly string[] {
  const { compiled } = topology;
  const { name, renamedFrom } = compiled.inputs.declaration;
  const { gitops } = compiled.model.fleet;
  const here = files.folderInRepository('.');
  const own = [name.value, ...(renamedFrom === undefined ? [] : [renamedFrom])].map((it) => join(out, it));
  const read = gitops === null || here === undefined ? [] : [relative(here, gitops.path)];
  return [...new Set([out, ...own, ...read])].filter((it) => {
    const content = tree.contentOf(it);
    return content.kind !== 'bundles' || ofAnotherFleet(topology, it, content.fleets) === undefined;
  });
}
