import { byCodeUnit, sortedUnique } from '../../base/core/collections.ts';
import { type FolderFiles, inFolders } from '../../base/core/folder-files.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { readPrintedPrefix } from '../../base/net/text.ts';
import { placeAt, type Source } from '../../base/source/source.ts';
import type { LockDocument } from '../../fleet/lock/lock.ts';
import { assumeNetwork } from './assume-network.ts';
import { addressesFileAgrees } from './checks/addresses-file-agrees.ts';
import { alertsWatchEveryTunnel } from './checks/alerts-watch-every-tunnel.ts';
import { argoAppliesEveryCluster } from './checks/argo-applies-every-cluster.ts';
import { assertionsHold } from './checks/assertions-hold.ts';
import { addressesAreUnambiguous, announcementsAgree, blocksAreFree } from './checks/blocks.ts';
import type { BundleCheck, CheckContext } from './checks/bundle-check.ts';
import { fencesMatchBoundaries } from './checks/fences-match-boundaries.ts';
import { filesMatchTopology } from './checks/files-match-topology.ts';
import { fluxAppliesEveryCluster } from './checks/flux-applies-every-cluster.ts';
import {
  connectionsFitGateways,
  gatewaysAgree,
  keysAgree,
  keysComeFromTheStore,
  portsAreUnique,
} from './checks/gateways.ts';
import { installValuesAgree } from './checks/install-values.ts';
import { kustomizationsListEveryFile } from './checks/kustomizations-list-every-file.ts';
import { lockAgrees } from './checks/lock-agrees.ts';
import { objectsAreFoundByLiqo } from './checks/objects-are-found-by-liqo.ts';
import { objectsMatchTopology } from './checks/objects-match-topology.ts';
import { ownAddressesAgree } from './checks/own-addresses-agree.ts';
import { pairsDeliverAndReturn } from './checks/pairs-deliver-and-return.ts';
import { policiesMatchBoundaries } from './checks/policies-match-boundaries.ts';
import { probersHaveNoRights } from './checks/probers-have-no-rights.ts';
import { rulesImplementViews } from './checks/rules-implement-views.ts';
import { sharedKeysAgree } from './checks/shared-keys-agree.ts';
import {
  sharedObjectsMatchTopology,
  sharedWavesFollowTheOrder,
  toolsLeaveSharedObjects,
} from './checks/shared-objects.ts';
import { shortcutsAgree } from './checks/shortcuts-agree.ts';
import { templatesImplementSettings } from './checks/templates-implement-settings.ts';
import { viewsAgree, viewsFollowTheIpam } from './checks/views.ts';
import { wavesFollowTheOrder } from './checks/waves-follow-the-order.ts';
import { compareWithCompiled } from './compare-with-compiled.ts';
import { type Expectation, expectationOf, type VerifySources } from './expectation.ts';
import { expectAddresses, type OwnBlocks } from './expected/expect-addresses.ts';
import type { FoundText } from './kube-object.ts';
import { listBundle, type ReadBundle, readBundle } from './read-bundle.ts';
import { networkReader, type RebuiltCluster, type RebuiltNetwork } from './rebuild-network.ts';

/** Checks in order of priority: of two checks that fail on one line, the first one is reported. */
const CHECKS: readonly BundleCheck[] = [
  filesMatchTopology,
  objectsMatchTopology,
  objectsAreFoundByLiqo,
  gatewaysAgree,
  templatesImplementSettings,
  portsAreUnique,
  keysAgree,
  keysComeFromTheStore,
  ownAddressesAgree,
  installValuesAgree,
  blocksAreFree,
  announcementsAgree,
  addressesAreUnambiguous,
  viewsAgree,
  viewsFollowTheIpam,
  rulesImplementViews,
  pairsDeliverAndReturn,
  assertionsHold,
  addressesFileAgrees,
  connectionsFitGateways,
  shortcutsAgree,
  sharedKeysAgree,
  sharedObjectsMatchTopology,
  kustomizationsListEveryFile,
  wavesFollowTheOrder,
  sharedWavesFollowTheOrder,
  alertsWatchEveryTunnel,
  probersHaveNoRights,
  policiesMatchBoundaries,
  fencesMatchBoundaries,
  toolsLeaveSharedObjects,
  argoAppliesEveryCluster,
  fluxAppliesEveryCluster,
];

interface VerifyRequest {
  /** The files below `out/`, by path. */
  readonly files: FolderFiles | ReadonlyMap<string, string>;
  /** `out`, as in the command line. */
  readonly root: string;
  /** The inputs that the bundle is compiled from. */
  readonly sources: VerifySources;
  /** The lock that was written with the files; without it, only the files are verified. */
  readonly lock?: LockDocument | undefined;
  /** The files that the topology compiles to, by path. */
  readonly compiled: FolderFiles | ReadonlyMap<string, string>;
  /** Called before each folder that is read, and before each that is checked: half of the work each. */
  readonly onFolder?: (done: number, total: number) => void;
}

/** Every error in the files of a bundle, by file and line; none when all checks pass. */
export function verifyBundle({ files, root, sources, lock, compiled, onFolder }: VerifyRequest): readonly Diagnostic[] {
  const expected = expectationOf(sources);
  const request = { expected, files: byFolder(files), root, lock, compiled: byFolder(compiled), onFolder };
  return hasNoErrors(request) ? [] : errorsIn(request);
}

interface BundleRequest extends Pick<VerifyRequest, 'root' | 'lock'> {
  readonly expected: Expectation;
  readonly onFolder: VerifyRequest['onFolder'] | undefined;
  readonly files: FolderFiles;
  readonly compiled: FolderFiles;
}

/**
 * True when no check fails, found in one walk over the files. False when that is not known: then the files are walked twice, because the
 * error that a check reports depends on the files of all neighbours.
 */
function hasNoErrors({ expected, files, root, lock, compiled, onFolder }: BundleRequest): boolean {
  if (files.single === undefined) return false;
  const bundle = listBundle(files, files.single, root);
  const assumed = assumeNetwork(expected, bundle);
  if (assumed === undefined) return false;
  const { network, isAsAssumed } = assumed;
  const context = { expected, bundle, network, addresses: addressesOf(expected, network) };
  const folders = foldersOf(context);
  for (const [done, folder] of folders.entries()) {
    onFolder?.(done, folders.length);
    bundle.enter(folder);
    const cluster = expected.clusters.get(folder);
    if (cluster !== undefined && !isAsAssumed(cluster)) return false;
    if (hasAny(errorsInFolder(context, folder, compiled))) return false;
  }
  return !hasAny(errorsOfFleet(context)) && !(lock && hasAny(lockAgrees(context, lock)));
}

function hasAny(items: Iterable<unknown>): boolean {
  for (const _ of items) return true;
  return false;
}

function errorsIn({ expected, files, root, lock, compiled, onFolder }: BundleRequest): readonly Diagnostic[] {
  let done = 0;
  const next = () => onFolder?.(done++ / 2, files.folders.length);
  const read = readNetwork(expected, files, root, next);
  const context = { expected, ...read, addresses: addressesOf(expected, read.network) };
  const errors = [...errorsOf(context, compiled, next)].sort((a, b) => a.check - b.check);
  const found = firstPerLine(errors.filter((it) => it.check !== DIFFERS));
  const reported = new Set(found.map((it) => it.span.source.path));
  const differences = errors.filter((it) => it.check === DIFFERS && !reported.has(it.diagnostic.span.source.path));
  const recorded = lock ? [...lockAgrees(context, lock)] : [];
  return [...found, ...differences.map((it) => it.diagnostic), ...recorded].sort(byPlace);
}

/**
 * Reads the bundle and rebuilds the network. A separate function, so that data for the rebuilding is freed when it
 * returns.
 */
function readNetwork(
  expected: Expectation,
  files: FolderFiles,
  root: string,
  next: () => void,
): Pick<CheckContext, 'bundle' | 'network'> {
  const reader = networkReader(expected);
  const bundle = readBundle(files, root, (...folder) => {
    next();
    reader.read(...folder);
  });
  return { bundle, network: reader.rebuild(bundle) };
}

const byFolder = (files: FolderFiles | ReadonlyMap<string, string>): FolderFiles =>
  'inFolder' in files ? files : inFolders(files);

/** The number of the last check, which ignores files with other errors. */
const DIFFERS = Number.POSITIVE_INFINITY;

interface CheckError {
  /** Index of the check in the list; -1 for a file that cannot be read. */
  readonly check: number;
  readonly diagnostic: Diagnostic;
  /** File and line, found while the text is in memory. */
  readonly line: string;
}

/** Errors of each folder, then errors of the whole fleet. */
function* errorsOf(context: CheckContext, compiled: FolderFiles, next: () => void): Iterable<CheckError> {
  for (const folder of foldersOf(context)) {
    next();
    context.bundle.enter(folder);
    yield* errorsInFolder(context, folder, compiled);
  }
  yield* errorsOfFleet(context);
}

const foldersOf = ({ bundle, network }: CheckContext): readonly string[] =>
  sortedUnique([...bundle.tops, ...network.keys()]);

/** The errors of a folder whose files are in memory. */
function* errorsInFolder(context: CheckContext, folder: string, compiled: FolderFiles): Iterable<CheckError> {
  const { bundle } = context;
  for (const it of differencesIn(folder, bundle, compiled)) yield errorOf(DIFFERS, it);
  for (const path of bundle.below(folder)) {
    const problem = bundle.problemOf(path);
    if (problem) yield errorOf(-1, problem);
  }
  for (const [check, it] of CHECKS.entries())
    if ('inFolder' in it) for (const error of it.inFolder(context, folder)) yield errorOf(check, error);
}

function* errorsOfFleet(context: CheckContext): Iterable<CheckError> {
  for (const [check, it] of CHECKS.entries())
    if (!('inFolder' in it)) for (const error of it(context)) yield errorOf(check, error);
}

/**
 * Compares one folder with the compiled one. A separate function, so that the data of the comparison is freed before
 * the checks of the folder.
 */
function differencesIn(folder: string, bundle: ReadBundle, compiled: FolderFiles): readonly Diagnostic[] {
  const sources = new Map(bundle.below(folder).map((it) => [it, bundle.sources.get(it) as Source]));
  return [...compareWithCompiled({ sources, compiled: compiled.inFolder(folder), reported: new Set() })];
}

function errorOf(check: number, diagnostic: Diagnostic): CheckError {
  const { source, start } = diagnostic.span;
  return { check, diagnostic, line: `${source.path}:${placeAt(source, start).line}` };
}

/** The expected addresses. Only the carved blocks are read from the files, because weft chooses them. */
function addressesOf({ links, before, clusters }: Expectation, network: RebuiltNetwork) {
  const blocks = new Map([...network].map(([name, it]) => [name, ownBlocks(it.blocks)]));
  return expectAddresses({ clusters: [...clusters.values()].map((it) => it.declared), links, blocks, before });
}

const ownBlocks = ({ external, internal }: RebuiltCluster['blocks']): OwnBlocks => ({
  external: networkIn(external),
  internal: networkIn(internal),
});

const networkIn = (found: FoundText | undefined): Prefix | null => readPrintedPrefix(found?.text ?? '') ?? null;

/** The first error of each line: further ones on the same line follow from it. */
function firstPerLine(errors: readonly CheckError[]): readonly Diagnostic[] {
  const reported = new Set<string>();
  return errors.flatMap(({ line, diagnostic }) => {
    if (reported.has(line)) return [];
    reported.add(line);
    return [diagnostic];
  });
}

const byPlace = (a: Diagnostic, b: Diagnostic): number => {
  const [one, other] = [a.span.source.path, b.span.source.path];
  return byCodeUnit(one, other) || a.span.start - b.span.start;
};
