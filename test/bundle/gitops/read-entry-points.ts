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

/** A parameter set of a generator. */
interface Parameters {
  readonly path: { readonly path: string; readonly basename: string };
  readonly values: Readonly<Record<string, string>>;
}

/** The Applications that Argo CD creates for these folders, with the subset of Go templates that ours needs. */
export function applicationsOf(set: EntryPointManifest, folders: readonly string[]): readonly EntryPointManifest[] {
  const spec = specOf(set) as unknown as {
    readonly generators: readonly {
      readonly git?: {
        readonly directories: readonly { readonly path: string; readonly exclude?: boolean }[];
        readonly values: Readonly<Record<string, string>>;
      };
      readonly list?: { readonly elements: readonly Parameters[] };
    }[];
    readonly template: object;
    readonly templatePatch: string;
  };
  const matches = (glob: string, folder: string) =>
    new RegExp(`^${glob.replace(/[.]/g, '\\.').replaceAll('*', '[^/]*')}$`).test(folder);
  const fill = (text: string, parameters: object): string =>
    text.replace(/\{\{\.([\w.]+)\}\}/g, (_, name: string) => {
      const value = name.split('.').reduce((at: unknown, key) => (at as Record<string, unknown>)?.[key], parameters);
      if (typeof value !== 'string') throw new Error(`map has no entry for key "${name}"`); // missingkey=error
      return value;
    });
  const parameters = spec.generators.flatMap(({ git, list }) => {
    const found = folders.filter(
      (folder) =>
        git?.directories.some((it) => it.exclude !== true && matches(it.path, folder)) &&
        !git.directories.some((it) => it.exclude === true && matches(it.path, folder)),
    );
    const fromFolders = found.map((folder): Parameters => {
      const path = { path: folder, basename: folder.split('/').at(-1) ?? '' };
      const values = Object.entries(git?.values ?? {}).map(([key, value]) => [key, fill(value, { path })]);
      return { path, values: Object.fromEntries(values) };
    });
    return [...fromFolders, ...(list?.elements ?? [])];
  });
  return parameters.map((it) => {
    const filled = JSON.parse(fill(JSON.stringify(spec.template), it));
    const patch = parse(fill(spec.templatePatch, it));
    filled.spec.syncPolicy.automated = { ...filled.spec.syncPolicy.automated, ...patch.spec.syncPolicy.automated };
    return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...filled };
  });
}
