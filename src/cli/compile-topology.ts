import { join, resolve } from 'node:path';
import { type Compiled, compile, type Sources } from '../compile.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import type { TreeRequest } from '../disk/tree/write-tree.ts';
import type { AddressedModel } from '../ipam/addressed-model.ts';
import type { CompileRequest } from './compile-request.ts';
import type { TopologyFiles } from './find-topology.ts';
import { readSources } from './read-sources.ts';
import { Refusal } from './refusal.ts';

/** One topology, read and compiled; nothing is written yet. */
export interface CompiledTopology {
  readonly files: TopologyFiles;
  readonly diagnostics: readonly Diagnostic[];
  /** `null` when the topology has errors. */
  readonly result: { readonly sources: Sources; readonly compiled: Compiled } | null;
}

export async function compileTopology(
  cwd: string,
  files: TopologyFiles,
  { relock, only }: Pick<CompileRequest, 'relock' | 'only'>,
): Promise<CompiledTopology> {
  const sources = await readSources(cwd, files);
  if (!sources.ok) return { files, diagnostics: sources.diagnostics, result: null };
  const compiled = compile(sources.value, { relock, only });
  if (!compiled.ok) return { files, diagnostics: compiled.diagnostics, result: null };
  const { model } = compiled.value;
  refuseUnknown(model, only ?? []);
  refuseUnknown(
    model,
    relock.flatMap((it) => [it.cluster, ...(it.peer === null ? [] : [it.peer])]),
  );
  refuseUnlinked(model, relock);
  return {
    files,
    diagnostics: compiled.diagnostics,
    result: { sources: sources.value, compiled: compiled.value },
  };
}

/** A cluster named on the command line that the topology does not have. */
export function refuseUnknown(model: Pick<AddressedModel, 'clusters'>, names: readonly string[]): void {
  const unknown = names.find((it) => !model.clusters.has(it));
  if (unknown === undefined) return;
  const known = [...model.clusters.keys()];
  const meant = didYouMean(unknown, known);
  const some = `it has ${known.slice(0, 10).join(', ')}${known.length > 10 ? ', ...' : ''}`;
  throw new Refusal(
    `the topology has no cluster "${unknown}"`,
    meant === undefined ? some : `did you mean "${meant}"?`,
  );
}

/** A pair that has no link has decided nothing. */
function refuseUnlinked(model: AddressedModel, relock: CompileRequest['relock']): void {
  for (const { cluster, peer } of relock) {
    if (peer === null || model.clusters.get(cluster)?.peers.some((it) => it.name === peer)) continue;
    throw new Refusal(
      `"${cluster}" and "${peer}" are not linked, so there is nothing to decide anew`,
      'name two ends of a link',
    );
  }
}

export interface Destination {
  readonly cwd: string;
  /** As the user typed it. */
  readonly out: string;
  readonly only: readonly string[] | null;
}

/** What has to be on disk for a compiled topology. With `only`, these clusters' folders and nothing else. */
export function treeRequest(
  files: TopologyFiles,
  { sources, compiled }: NonNullable<CompiledTopology['result']>,
  { cwd, out, only }: Destination,
): TreeRequest {
  return {
    root: resolve(cwd, out),
    files: compiled.bundle,
    scope: only,
    lockFile: { path: resolve(cwd, files.lock), text: compiled.lock, before: sources.lock?.text ?? null },
  };
}

/** A path as the user would type it: the tree's functions know absolute ones only. */
export function asTyped(path: string, { cwd, out }: Pick<Destination, 'cwd' | 'out'>): string {
  const root = resolve(cwd, out);
  if (path === root) return out;
  return path.startsWith(`${root}/`) ? join(out, path.slice(root.length + 1)) : path.replace(`${cwd}/`, '');
}
