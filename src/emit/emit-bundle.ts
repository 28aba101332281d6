import { folderFiles } from '../core/folder-files.ts';
import { printHeader } from '../core/header.ts';
import { argoEntryPoints } from '../gitops/argo-entry-points.ts';
import type { EntryPoint } from '../gitops/entry-point.ts';
import { fluxEntryPoints } from '../gitops/flux-entry-points.ts';
import type { SharedModel } from '../sharing/shared-model.ts';
import { type Bundle, type BundleFile, filesByPath } from './bundle.ts';
import { emitAddresses } from './emit-addresses.ts';
import { emitCluster } from './emit-cluster.ts';
import { printYamlDocuments } from './print-yaml.ts';

/**
 * All of `out/`, or the folders of some clusters.
 *
 * @param only clusters whose folders are emitted; `null` for everything, entry points and addresses included.
 * @param versionOf as a bundle has it; without it no version is known.
 */
export function emitBundle(
  model: SharedModel,
  only: readonly string[] | null,
  versionOf?: Bundle['versionOf'],
): Bundle {
  const wanted =
    only === null ? [...model.clusters.values()] : [...model.clusters.values()].filter((it) => only.includes(it.name));
  const clusters = wanted.map((it) => [it.name, () => filesByPath(emitCluster(it, model))] as const);
  return folderFiles(new Map([...clusters, ...(only === null ? fleetFolders(model) : [])]), versionOf);
}

/** What belongs to no cluster. */
const fleetFolders = (model: SharedModel): readonly (readonly [string, () => ReadonlyMap<string, string>])[] => [
  ['_argocd', () => filesByPath(filesOf(argoEntryPoints(model), model))],
  ['_flux', () => filesByPath(filesOf(fluxEntryPoints(model), model))],
  ['', () => filesByPath([{ path: { part: 'addresses' }, text: emitAddresses(model) }])],
];

const filesOf = (entryPoints: readonly EntryPoint[], model: SharedModel): readonly BundleFile[] =>
  entryPoints.map((it) => ({ path: it.path, text: textOf(it, model) }));

function textOf(entryPoint: EntryPoint, model: SharedModel): string {
  if (entryPoint.kind === 'text') return entryPoint.text;
  return printHeader(model.fleet.topologyFile) + printYamlDocuments(entryPoint.manifests);
}
