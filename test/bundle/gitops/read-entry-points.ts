import { parse } from 'yaml';
import type { EntryPoint, EntryPointManifest } from '../../../src/bundle/gitops/entry-point.ts';

/** The resources of a kustomization.yaml. */
export function resourcesOf(text: string): readonly string[] {
  return (parse(text) as { readonly resources: readonly string[] }).resources;
}

export const specOf = (manifest: EntryPointManifest): Readonly<Record<string, unknown>> => manifest.spec;

/** The bytes of an entry point; JSON is YAML, so the printer of `emit/` is not needed here. */
export function textOf(file: EntryPoint): string {
  return file.kind === 'text' ? file.text : file.manifests.map((it) => JSON.stringify(it, null, 1)).join('\n---\n');
}

export function manifestsOf(files: readonly EntryPoint[]): readonly EntryPointManifest[] {
  return files.flatMap((it) => (it.kind === 'manifests' ? it.manifests : []));
}
