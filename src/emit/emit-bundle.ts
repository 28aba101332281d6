import { printHeader } from '../core/header.ts';
import { argoEntryPoints } from '../gitops/argo-entry-points.ts';
import type { EntryPoint } from '../gitops/entry-point.ts';
import { fluxEntryPoints } from '../gitops/flux-entry-points.ts';
import type { SharedModel } from '../sharing/shared-model.ts';
import { type Bundle, type BundleFile, bundleOf } from './bundle.ts';
import { emitAddresses } from './emit-addresses.ts';
import { emitCluster } from './emit-cluster.ts';
import { printYamlDocuments } from './print-yaml.ts';

/**
 * All of `out/`, or the folders of some clusters.
 *
 * @param only clusters whose folders are emitted; `null` for everything, entry points and addresses included.
 */
export function emitBundle(model: SharedModel, only: readonly string[] | null): Bundle {
  return bundleOf(filesOf(model, only));
}

function* filesOf(model: SharedModel, only: readonly string[] | null): Iterable<BundleFile> {
  for (const cluster of model.clusters.values()) {
    if (only === null || only.includes(cluster.name)) yield* emitCluster(cluster, model);
  }
  if (only !== null) return;
  for (const it of [...argoEntryPoints(model), ...fluxEntryPoints(model)]) {
    yield { path: it.path, text: textOf(it, model) };
  }
  yield { path: { part: 'addresses' }, text: emitAddresses(model) };
}

function textOf(entryPoint: EntryPoint, model: SharedModel): string {
  if (entryPoint.kind === 'text') return entryPoint.text;
  return printHeader(model.fleet.topologyFile) + printYamlDocuments(entryPoint.manifests);
}
