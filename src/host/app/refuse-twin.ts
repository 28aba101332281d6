import { dirname, join } from 'node:path';
import { printBundlePath } from '../../base/core/bundle-path.ts';
import { parseHeader } from '../../base/core/header.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

/**
 * Why the bundles of a fleet of the same name are not its own: they were compiled from another topology, a copy that still is
 * beside this one. A topology file that got another name is no other topology.
 */
export async function refuseTwin(
  files: FileReader,
  { files: { topology }, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): Promise<Refusal | undefined> {
  const { topologyFile, name } = compiled.model.fleet;
  for (const cluster of compiled.model.clusters.keys()) {
    const read = await files.readText(join(out, printBundlePath({ part: 'kustomization', cluster })));
    const owner = read.kind === 'ok' ? parseHeader(read.text) : undefined;
    if (owner === undefined) continue;
    const twin = join(dirname(topology), owner);
    if (owner === topologyFile || (await files.readText(twin)).kind !== 'ok') return undefined;
    return { kind: 'same-fleet-name', fleet: name, topologies: [twin, topology] };
  }
  return undefined;
}
