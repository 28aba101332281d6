import { normalize } from 'node:path';
import { isBundleFile } from '../../base/core/bundle-path.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Compiled } from '../../compile.ts';
import { type GatewayName, missingKeys } from '../../fleet/keys/missing-keys.ts';
import { compareWithCompiled } from '../../proof/verify/compare-with-compiled.ts';
import { verifyBundle } from '../../proof/verify/verify-bundle.ts';
import type { FolderResult } from '../disk/read-folder.ts';
import {
  type Answered,
  compileTopology,
  entryPointsElsewhere,
  type ReadyTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import type { FileReader, Ports } from './ports.ts';

interface VerifyRequest extends TopologyRequest {
  /** The folder of the bundles. */
  readonly out: string;
}

interface VerifiedBundles extends Answered<'verified'> {
  /** Broken promises, without the warnings about the topology itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** The number of verified items. */
  readonly counts: {
    readonly files: number;
    readonly clusters: number;
    readonly links: number;
    /** Gateways without a public key, whose links carry no traffic. */
    readonly keyless: readonly GatewayName[];
  };
}

/** Reads the emitted files back independently and proves their promises. Writes nothing. */
export async function verifyFleet(files: FileReader, request: VerifyRequest): Promise<Unanswered | VerifiedBundles> {
  const { out } = request;
  const topology = await compileTopology(files, request, { only: null });
  if (topology.kind !== 'compiled') return topology;
  const refusal = entryPointsElsewhere(files, topology, out);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const verified = await verifyOut(files, topology.compiled, out);
  switch (verified.kind) {
    case 'missing':
      return { kind: 'refused', refusal: { kind: 'no-bundles', out } };
    case 'not-a-folder':
      return { kind: 'refused', refusal: { kind: 'bundles-not-a-folder', out } };
    case 'verified': {
      const { model } = topology.compiled;
      return {
        kind: 'verified',
        diagnostics: [...lockDifference(topology), ...verified.diagnostics],
        counts: {
          files: verified.files,
          clusters: model.clusters.size,
          links: model.links.length,
          keyless: missingKeys(model, null).map(({ cluster, peer }) => ({ cluster, peer })),
        },
      };
    }
  }
}

/**
 * Reports a lock that is not current, because the bundle is compared with the decisions of the topology and its lock.
 */
function lockDifference({ files, sources, compiled }: ReadyTopology): readonly Diagnostic[] {
  const path = files.lock;
  const source = sources.lock ?? { path, text: '' };
  const [sourcesByPath, texts] = [new Map([[path, source]]), new Map([[path, compiled.lock]])];
  return [...compareWithCompiled({ sources: sourcesByPath, compiled: texts, reported: new Set() })];
}

type VerifiedOut =
  | { readonly kind: 'missing' | 'not-a-folder' }
  /** `files` is the number of files that were read. */
  | { readonly kind: 'verified'; readonly diagnostics: readonly Diagnostic[]; readonly files: number };

/**
 * Reads the bundles in a folder and proves their promises.
 *
 * @param compiled the full result, not limited to some clusters.
 */
async function verifyOut(files: FileReader, { inputs, bundle }: Compiled, out: string): Promise<VerifiedOut> {
  const read: FolderResult = await files.readFolder(out, isBundleFile);
  if (read.kind !== 'read') return { kind: read.kind };
  const given = { files: read.files, root: rootOf(out), sources: inputs, compiled: bundle };
  return { kind: 'verified', diagnostics: verifyBundle(given), files: read.files.size };
}

/**
 * The broken promises that no comparison explains. A file that would change but was not edited by hand belongs to an
 * edit of the topology that is not compiled yet; its broken promises are not reported.
 *
 * @param differing the files that would change
 */
export async function verifyEdited(
  { files, tree }: Pick<Ports, 'files' | 'tree'>,
  compiled: Compiled,
  { out, differing }: { readonly out: string; readonly differing: readonly string[] },
): Promise<readonly Diagnostic[]> {
  const verified = await verifyOut(files, compiled, out);
  if (verified.kind !== 'verified') return [];
  const isAsWritten = tree.writtenByWeft(out);
  const stale = new Set(differing);
  return verified.diagnostics.filter(({ span: { source } }) => {
    const path = source.path.slice(rootOf(out).length + 1);
    return !(stale.has(path) && (source.text === '' || isAsWritten(path, source.text)));
  });
}

/** The folder in the form that messages use. */
export const rootOf = (out: string): string =>
  normalize(out)
    .replaceAll('\\', '/')
    .replace(/(?<=.)\/$/, '');
