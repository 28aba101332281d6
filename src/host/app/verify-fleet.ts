import { normalize } from 'node:path';
import { isBundleFile } from '../../base/core/bundle-path.ts';
import type { FolderFiles } from '../../base/core/folder-files.ts';
import { countOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';
import type { Compiled } from '../../compile.ts';
import { type GatewayName, missingKeys } from '../../fleet/keys/missing-keys.ts';
import { type LockDocument, parseLock } from '../../fleet/lock/lock.ts';
import { compareWithCompiled } from '../../proof/verify/compare-with-compiled.ts';
import { verifyBundle } from '../../proof/verify/verify-bundle.ts';
import type { FolderResult } from '../disk/read-folder.ts';
import type { OnShare } from '../disk/tree/tree-request.ts';
import {
  type Answered,
  compileTopology,
  entryPointsElsewhere,
  type ReadyTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import { lostKeys } from './losses.ts';
import type { FileReader, OutputTree, Ports } from './ports.ts';

interface VerifyRequest extends TopologyRequest {
  /** The folder of the bundles. */
  readonly out: string;
}

interface VerifiedBundles extends Answered<'verified'> {
  /** Broken promises, without the warnings about the topology itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those that do not follow from bundles of an earlier topology, with one error about all that do. */
  readonly causes: readonly Diagnostic[];
  /** The number of verified items. */
  readonly counts: {
    readonly files: number;
    readonly clusters: number;
    readonly links: number;
    /** Gateways without a public key, whose links carry no traffic. */
    readonly keyless: readonly GatewayName[];
  };
}

type VerifyPorts = Pick<Ports, 'files' | 'progress'> & {
  readonly tree: Pick<OutputTree, 'writtenByWeft' | 'contentOf'>;
};

/** Reads the emitted files back independently and proves their promises. Writes nothing. */
export async function verifyFleet(
  { files, tree, progress }: VerifyPorts,
  request: VerifyRequest,
): Promise<Unanswered | VerifiedBundles> {
  const { out } = request;
  const topology = await compileTopology(files, request, { only: null });
  if (topology.kind !== 'compiled') return topology;
  const refusal = entryPointsElsewhere(files, topology, out);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const lockDiffers = lockDifference(topology);
  // A lock that is not current has an error of its own.
  const lock = lockDiffers.length > 0 ? undefined : lockOf(topology);
  const onFolder: OnShare = (...share) => progress({ kind: 'verifying', out, share });
  const verified = await verifyOut(files, topology.compiled, { out, lock, onFolder });
  switch (verified.kind) {
    case 'missing':
      return { kind: 'refused', refusal: { kind: 'no-bundles', out } };
    case 'not-a-folder':
      return { kind: 'refused', refusal: { kind: 'bundles-not-a-folder', out } };
    case 'verified': {
      const { model } = topology.compiled;
      const diagnostics = [...lockDiffers, ...verified.diagnostics];
      return {
        kind: 'verified',
        diagnostics,
        causes: await causesOf({ files, tree, progress }, diagnostics, { ...verified, topology, out }),
        counts: {
          files: verified.files.size,
          clusters: model.clusters.size,
          links: model.links.length,
          keyless: missingKeys(model, null).map(({ cluster, peer }) => ({ cluster, peer })),
        },
      };
    }
  }
}

interface StaleRequest {
  readonly files: FolderFiles;
  readonly topology: ReadyTopology;
  readonly out: string;
}

/**
 * Bundles of an earlier topology break nearly every promise of the present one: one error names them. A file that was
 * edited by hand keeps its own errors.
 */
async function causesOf(
  ports: VerifyPorts,
  found: readonly Diagnostic[],
  { files, topology, out }: StaleRequest,
): Promise<readonly Diagnostic[]> {
  if (found.length === 0) return found;
  const { bundle } = topology.compiled;
  const isAsWritten = ports.tree.writtenByWeft(out);
  let stale = 0;
  // The files of a fleet are too large to be in memory together.
  for (const [path, text] of files) if (bundle.get(path) !== text && isAsWritten(path, text)) stale++;
  if (stale === 0) return found;
  const root = rootOf(out);
  const isEffect = ({ span: { source } }: Diagnostic): boolean =>
    // The lock is that of the same compile: the next one writes both.
    source.path === topology.files.lock ||
    (source.path.startsWith(`${root}/`) &&
      (source.text === '' || isAsWritten(source.path.slice(root.length + 1), source.text)));
  const { path } = topology.sources.topology;
  const message = `${root}/ is not what ${path} compiles to: ${countOf(stale, 'file')} ${stale === 1 ? 'is' : 'are'} of an earlier compile`;
  return [
    diagnostic('verify/differs', startOf(topology.sources.topology), message, {
      hint: `${await cureOf(ports, topology, out)}; --verbose lists the promises that these files break`,
    }),
    ...found.filter((it) => !isEffect(it)),
  ];
}

/** The cure for bundles that are not current: the keys file is restored if it has lost keys that are in them. */
async function cureOf(ports: VerifyPorts, topology: ReadyTopology, out: string): Promise<string> {
  return (await lostKeys(ports, topology, out)) === undefined
    ? 'run "weft compile", and verify what it writes'
    : `restore ${topology.files.keys} from git: it has lost keys that are in these files`;
}

/**
 * Reports a lock that is not current, because the bundle is compared with the decisions of the topology and its lock.
 */
function lockDifference({ files, sources, compiled }: ReadyTopology): readonly Diagnostic[] {
  const path = files.lock;
  const source = sources.lock ?? { path, text: '' };
  const [sourcesByPath, texts] = [new Map([[path, source]]), new Map([[path, compiled.lock]])];
  return [...compareWithCompiled({ sources: sourcesByPath, compiled: texts, reported: new Set(), keyed: true })];
}

function lockOf({ sources }: ReadyTopology): LockDocument | undefined {
  const read = sources.lock && parseLock(sources.lock);
  return read?.ok ? read.value : undefined;
}

type VerifiedOut =
  | { readonly kind: 'missing' | 'not-a-folder' }
  | { readonly kind: 'verified'; readonly diagnostics: readonly Diagnostic[]; readonly files: FolderFiles };

/**
 * Reads the bundles in a folder and proves their promises.
 *
 * @param compiled the full result, not limited to some clusters.
 */
async function verifyOut(
  files: FileReader,
  { inputs, bundle }: Compiled,
  { out, ...more }: { readonly out: string; readonly lock?: LockDocument | undefined; readonly onFolder?: OnShare },
): Promise<VerifiedOut> {
  const read: FolderResult = await files.readFolder(out, isBundleFile);
  if (read.kind !== 'read') return { kind: read.kind };
  const given = { files: read.files, root: rootOf(out), sources: inputs, compiled: bundle, ...more };
  return { kind: 'verified', diagnostics: verifyBundle(given), files: read.files };
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
  const verified = await verifyOut(files, compiled, { out });
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
