import { existsSync } from 'node:fs';
import { type ModelClass, schemaErrors } from '../gitops/unknown-fields.ts';

/**
 * The official schemas of Argo CD's and Flux's objects. Their packages ask for a newer Node than weft does, so they have
 * a folder of their own: `npm ci --prefix test/entry-point-schemas`.
 */
const PACKAGES = new URL('../entry-point-schemas/node_modules/@kubernetes-models/', import.meta.url);

const MODULES = {
  'argoproj.io/v1alpha1': 'argo-cd/argoproj.io/v1alpha1/index.js',
  'kustomize.toolkit.fluxcd.io/v1': 'flux-cd/kustomize.toolkit.fluxcd.io/v1/index.js',
  'source.toolkit.fluxcd.io/v1': 'flux-cd/source.toolkit.fluxcd.io/v1/index.js',
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

/** What is wrong with an object of Argo CD or Flux by the schema of its kind, unknown fields included. */
export function checkEntryPoint(object: EntryPointObject): readonly string[] {
  const Model = models.get(object.apiVersion)?.[object.kind];
  if (Model === undefined) return [`there is no schema of ${object.apiVersion} ${object.kind}`];
  return schemaErrors(Model, object, FREE_FORM).map((it) => `${object.kind} ${object.metadata.name}: ${it}`);
}
