import * as argo from '@kubernetes-models/argo-cd/argoproj.io/v1alpha1';
import { Kustomization } from '@kubernetes-models/flux-cd/kustomize.toolkit.fluxcd.io/v1';
import { GitRepository } from '@kubernetes-models/flux-cd/source.toolkit.fluxcd.io/v1';
import { type ModelClass, schemaErrors } from '../gitops/unknown-fields.ts';
import type { KubernetesObject } from './bundle-files.ts';

const MODELS: Readonly<Record<string, ModelClass>> = {
  'argoproj.io/v1alpha1 AppProject': argo.AppProject,
  'argoproj.io/v1alpha1 Application': argo.Application,
  'argoproj.io/v1alpha1 ApplicationSet': argo.ApplicationSet,
  'kustomize.toolkit.fluxcd.io/v1 Kustomization': Kustomization,
  'source.toolkit.fluxcd.io/v1 GitRepository': GitRepository,
};

/** List elements are whatever the template makes of them. */
const FREE_FORM = ['/spec/generators/\\d+/list/elements/\\d+'];

/** What is wrong with an object of Argo CD or Flux by the schema of its kind, unknown fields included. */
export function checkEntryPoint(object: KubernetesObject): readonly string[] {
  const id = `${object.apiVersion} ${object.kind}`;
  const Model = MODELS[id];
  if (Model === undefined) return [`there is no schema of ${id}`];
  return schemaErrors(Model, object, FREE_FORM).map((it) => `${object.kind} ${object.metadata.name}: ${it}`);
}
