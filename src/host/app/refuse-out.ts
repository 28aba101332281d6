import { dirname, join } from 'node:path';
import { printBundlePath } from '../../base/core/bundle-path.ts';
import { parseHeader } from '../../base/core/generated-files.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { OutContent } from '../disk/tree/known-files.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { FileReader, OutputTree } from './ports.ts';
import type { Refusal } from './refusal.ts';

/** Refuses a folder that has the bundles of another fleet, which would be removed, or other files. */
export function refuseOut(
  tree: Pick<OutputTree, 'contentOf'>,
  topology: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): Refusal | undefined {
  const content = tree.contentOf(out);
  switch (content.kind) {
    case 'empty':
      return undefined;
    case 'bundles':
      return ofAnotherFleet(topology, out, content.fleets);
    case 'several':
      return { kind: 'out-has-several-fleets', out, fleets: content.fleets };
    case 'others':
      return ofAnotherKind(out, content);
  }
}

const ofAnotherKind = (out: string, { names, isRepository }: Extract<OutContent, { kind: 'others' }>): Refusal =>
  isRepository ? { kind: 'out-is-repository', out } : { kind: 'out-has-other-files', out, names };

/**
 * Refuses a folder or a commit with the bundles of another fleet.
 *
 * @param there the names of the fleets whose bundles are there; empty if they are unknown
 */
export function ofAnotherFleet(
  { files, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
  there: readonly string[],
): Refusal | undefined {
  const { name, renamedFrom } = compiled.inputs.declaration;
  const [other] = there;
  if (other === undefined || there.includes(name.value)) return undefined;
  if (renamedFrom !== undefined && there.includes(renamedFrom)) return undefined;
  return { kind: 'out-of-another-fleet', out, fleet: name.value, other, topology: files.topology };
}

/**
 * Refuses bundles of a fleet with the same name that were compiled from another topology: a copy that still exists
 * beside this one. A renamed topology file is not another topology.
 */
export async function refuseDuplicateFleet(
  files: FileReader,
  { files: { topology }, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): Promise<Refusal | undefined> {
  const { topologyFile, name } = compiled.model.fleet;
  for (const cluster of compiled.model.clusters.keys()) {
    const read = await files.readText(join(out, printBundlePath({ part: 'kustomization', cluster })));
    const owner = read.kind === 'ok' ? parseHeader(read.text) : undefined;
    if (owner === undefined) continue;
    const duplicate = join(dirname(topology), owner);
    if (owner === topologyFile || (await files.readText(duplicate)).kind !== 'ok') return undefined;
    return { kind: 'same-fleet-name', fleet: name, topologies: [duplicate, topology] };
  }
  return undefined;
}

type SharedObject = Pick<Extract<Refusal, { kind: 'same-entry-point' }>, 'object' | 'key'>;

/** Refuses two fleets whose entry points contain the same object: the one that is applied later would overwrite it. */
export function sameEntryPoint(ready: readonly ReadyTopology[]): Refusal | undefined {
  const first = new Map<string, string>();
  for (const { compiled, files } of ready) {
    for (const it of objectsOf(compiled.model.fleet)) {
      const other = first.get(it.object);
      if (other !== undefined) return { kind: 'same-entry-point', ...it, topologies: [other, files.topology] };
      first.set(it.object, files.topology);
    }
  }
  return undefined;
}

/** The objects of entry points whose names a topology can choose. weft does not write those of `flux bootstrap`. */
function objectsOf({ gitops }: AddressedModel['fleet']): readonly SharedObject[] {
  const [argo, flux] = [gitops?.argo, gitops?.flux];
  return [
    ...(argo && argo.project !== 'default'
      ? [{ object: `the AppProject "${argo.project}" in ${argo.namespace}`, key: 'gitops.argo.project' as const }]
      : []),
    ...(flux && flux.source !== 'flux-system'
      ? [{ object: `the GitRepository "${flux.source}" in ${flux.namespace}`, key: 'gitops.flux.source' as const }]
      : []),
  ];
}

/**
 * Refuses entry points that name another folder than that of the bundles. Argo CD and Flux read the bundles at
 * `gitops.path` of the repository, so they would apply nothing, or the bundles of another fleet. A folder outside a
 * repository is not compared.
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
