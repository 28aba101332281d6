import { argoEntryPoints } from '../gitops/argo-entry-points.ts';
import type { EntryPoint } from '../gitops/entry-point.ts';
import { fluxEntryPoints } from '../gitops/flux-entry-points.ts';
import type { AddressedModel } from '../ipam/addressed-model.ts';
import type { Bundle } from './bundle.ts';
import { emitAddresses } from './emit-addresses.ts';
import { emitCluster } from './emit-cluster.ts';
import { generatedHeader } from './generated-header.ts';
import { printYamlDocuments } from './print-yaml.ts';

/**
 * All of `out/`, or the folders of some clusters.
 *
 * @param only clusters whose folders are wanted; `null` for everything, entry points and addresses included.
 */
export function emitBundle(model: AddressedModel, only: readonly string[] | null): Bundle {
  const bundle = new Map<string, string>();
  for (const cluster of model.clusters.values()) {
    if (only && !only.includes(cluster.name)) continue;
    for (const [path, text] of emitCluster(cluster, model)) bundle.set(path, text);
  }
  if (only) return bundle;
  for (const it of [...argoEntryPoints(model), ...fluxEntryPoints(model)]) bundle.set(it.path, textOf(it, model));
  bundle.set('addresses.json', emitAddresses(model));
  return bundle;
}

function textOf(entryPoint: EntryPoint, model: AddressedModel): string {
  if (entryPoint.kind === 'text') return entryPoint.text;
  return generatedHeader(model.fleet) + printYamlDocuments(entryPoint.manifests);
}
