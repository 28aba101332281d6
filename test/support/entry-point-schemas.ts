import { existsSync } from 'node:fs';
import { type ModelClass, schemaErrors } from '../bundle/gitops/unknown-fields.ts';

/**
 * The official schemas of the objects that are not Liqo's. Their packages ask for a newer Node than weft does, so they have
 * a folder of their own: `npm ci --prefix test/entry-point-schemas`.
 */
const PACKAGES = new URL('../entry-point-schemas/node_modules/', import.meta.url);

const MODULES = {
  'apps/v1': 'kubernetes-models/apps/v1/index.js',
  'argoproj.io/v1alpha1': '@kubernetes-models/argo-cd/argoproj.io/v1alpha1/index.js',
  'external-secrets.io/v1': '@kubernetes-models/external-secrets/external-secrets.io/v1/index.js',
  'kustomize.toolkit.fluxcd.io/v1': '@kubernetes-models/flux-cd/kustomize.toolkit.fluxcd.io/v1/index.js',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/index.js',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1/index.js',
  'rbac.authorization.k8s.io/v1': 'kubernetes-models/rbac.authorization.k8s.io/v1/index.js',
  'source.toolkit.fluxcd.io/v1': '@kubernetes-models/flux-cd/source.toolkit.fluxcd.io/v1/index.js',
  v1: 'kubernetes-models/v1/index.js',
} as const;

/** In CI they must be there, so a test is left out only elsewhere. */
export const entryPointSchemasMissing = !existsSync(PACKAGES) && !process.env['CI'];

const models = new Map<string, Readonly<Record<string, ModelClass>>>();
if (!entryPointSchemasMissing) {
  for (const [apiVersion, path] of Object.entries(MODULES)) {
    models.set(apiVersion, (await import(new URL(path, PACKAGES).href)) as Readonly<Record<string, ModelClass>>);
  }
}

/** List elements are whatever the template makes of them. */
const FREE_FORM = ['/spec/generators/\\d+/list/elements/\\d+'];

interface EntryPointObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The faults of an object by the schema of its kind, unknown fields included. */
export function checkEntryPoint(object: EntryPointObject): readonly string[] {
  const Model = models.get(object.apiVersion)?.[object.kind];
  if (Model === undefined) return [`there is no schema of ${object.apiVersion} ${object.kind}`];
  return schemaErrors(Model, object, FREE_FORM).map((it) => `${object.kind} ${object.metadata.name}: ${it}`);
}
