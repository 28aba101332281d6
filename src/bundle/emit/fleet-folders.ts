import { printHeader } from '../../base/core/header.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { argoEntryPoints } from '../gitops/argo-entry-points.ts';
import type { EntryPoint } from '../gitops/entry-point.ts';
import { fluxEntryPoints } from '../gitops/flux-entry-points.ts';
import { type BundleFile, filesByPath } from './bundle.ts';
import { emitAddresses } from './emit-addresses.ts';
import { printYamlDocuments } from './print-yaml.ts';

/** The folders of a bundle that belong to no cluster; the one without a name has the files that are in no folder. */
export type FleetFolder = '_argocd' | '_flux' | '';

/** What prints each of them. */
export const FLEET_FOLDERS: Readonly<Record<FleetFolder, (model: SharedModel) => ReadonlyMap<string, string>>> = {
  _argocd: (model) => filesByPath(filesOf(argoEntryPoints(model), model)),
  _flux: (model) => filesByPath(filesOf(fluxEntryPoints(model), model)),
  '': (model) => filesByPath([{ path: { part: 'addresses' }, text: emitAddresses(model) }]),
};

export const isFleetFolder = (folder: string): folder is FleetFolder => Object.hasOwn(FLEET_FOLDERS, folder);

const filesOf = (entryPoints: readonly EntryPoint[], model: SharedModel): readonly BundleFile[] =>
  entryPoints.map((it) => ({ path: it.path, text: textOf(it, model) }));

function textOf(entryPoint: EntryPoint, model: SharedModel): string {
  if (entryPoint.kind === 'text') return entryPoint.text;
  return printHeader(model.fleet.topologyFile) + printYamlDocuments(entryPoint.manifests);
}
