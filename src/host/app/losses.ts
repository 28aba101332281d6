import { join, relative } from 'node:path';
import { clusterFolderOf, parseBundlePath, printBundlePath } from '../../base/core/bundle-path.ts';
import { movedValues } from '../../base/core/collections.ts';
import { printLinkId } from '../../base/core/lock-key.ts';
import type { Compiled } from '../../compile.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import {
  type GatewayName,
  type KeylessConsumer,
  missingAuthentication,
  missingKeys,
  unknownKeys,
} from '../../fleet/keys/missing-keys.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { readManifestLines } from '../../plan/read-manifest-lines.ts';
import { isRenamed, ofAnotherFleet, type ReadyTopology } from './compile-topology.ts';
import type { FileReader, OutputTree } from './ports.ts';
import type { Refusal } from './refusal.ts';

/** Gateways and consumers with a key that is in use. */
export interface KeysInUse {
  readonly gateways: readonly GatewayName[];
  readonly consumers: readonly string[];
}

interface KeysInUsePorts {
  readonly files: FileReader;
  readonly tree: Pick<OutputTree, 'contentOf'>;
}

interface Missing {
  readonly gateways: readonly GatewayName[];
  readonly consumers: readonly KeylessConsumer[];
}

/** Gateways and consumers whose keys are in bundles but not recorded, and the folder of these bundles. */
export async function keysInUse(
  ports: KeysInUsePorts,
  topology: ReadyTopology,
  { missing, out }: { readonly missing: Missing; readonly out: string },
): Promise<KeysInUse & { readonly out: string }> {
  const { model } = topology.compiled;
  const keyless = new Set(missing.gateways.map(idOf));
  const borrowers = new Set(missing.consumers.map((it) => it.cluster));
  for (const folder of fleetFolders(ports, topology, out)) {
    const used = await keysInBundles(ports.files, model, { out: folder, only: null });
    const gateways = used.filter((it) => keyless.has(idOf(it))).map(({ cluster, peer }) => ({ cluster, peer }));
    const known = await authenticationInBundles(ports.files, model, { out: folder });
    const consumers = known.filter((it) => borrowers.has(it));
    if (gateways.length + consumers.length > 0) return { gateways, consumers, out: folder };
  }
  return { gateways: [], consumers: [], out };
}

const idOf = ({ cluster, peer }: GatewayName): string => printLinkId({ first: cluster, second: peer });

interface Replacement {
  readonly replaced: KeysInUse;
  readonly keys: string;
  readonly out: string;
}

export function refusedReplacement({ replaced, ...places }: Replacement): Refusal | undefined {
  const { gateways, consumers } = replaced;
  if (gateways.length > 0) return { kind: 'keys-in-use', gateways, ...places };
  return consumers.length > 0 ? { kind: 'authentication-in-use', consumers, ...places } : undefined;
}

interface ChangedFiles {
  /** The compiled bundle, and the paths in it whose text on disk differs: only these can lose a key. */
  readonly changed?: { readonly bundle: ReadonlyMap<string, string>; readonly paths: ReadonlySet<string> } | null;
}

/**
 * The gateways without a recorded key that have one in the bundles on disk: the fleet uses the key, and only the keys
 * file has lost it. Only files of such gateways are read, in the folders that are written.
 */
async function keysInBundles(
  files: FileReader,
  model: Pick<AddressedModel, 'clusters' | 'links'>,
  { out, only, changed = null }: Destination & ChangedFiles,
): Promise<readonly GatewayName[]> {
  const found: GatewayName[] = [];
  const namesOf = (cluster: string): readonly string[] => {
    const former = model.clusters.get(cluster)?.renamedFrom?.value;
    return former === undefined ? [cluster] : [cluster, former];
  };
  const isThere = async (cluster: string, peer: string): Promise<boolean> => {
    const path = printBundlePath({ part: 'peer', cluster, peer, file: 'manifests' });
    if (changed?.bundle.has(path) && !changed.paths.has(path)) return false;
    const read = await files.readText(join(out, path));
    return read.kind === 'ok' && readManifestLines(read.text).some((it) => it.get('kind') === 'PublicKey');
  };
  for (const gateway of [...missingKeys(model, null), ...unknownKeys(model, null)]) {
    if (only !== null && !only.includes(gateway.peer)) continue;
    // The peer has the public key. Bundles from before a rename have it under former names.
    const places = namesOf(gateway.peer).flatMap((it) => namesOf(gateway.cluster).map((peer) => [it, peer] as const));
    for (const [cluster, peer] of places) {
      if (!(await isThere(cluster, peer))) continue;
      found.push(gateway);
      break;
    }
  }
  return found;
}

interface Bundles {
  /** The folder of the bundles. */
  readonly out: string;
  /** The compiled bundle, and the paths in it whose text on disk differs: only these can lose a key. */
  readonly changed?: { readonly bundle: ReadonlyMap<string, string>; readonly paths: ReadonlySet<string> } | null;
  /** The clusters whose folders are written; `null` for all. */
  readonly only?: readonly string[] | null;
}

/**
 * The consumers without a recorded authentication key for which a provider has one in the bundles on disk: the fleet
 * uses the key, and only the keys file has lost it. The key of a renamed consumer is not returned: its requests have
 * the former name, so it is of no use.
 */
async function authenticationInBundles(
  files: FileReader,
  { shares, clusters }: Pick<SharedModel, 'shares' | 'clusters'>,
  { out, changed = null, only = null }: Bundles,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { consumer, provider, key } of shares) {
    if (key !== null || found.has(consumer.name) || (only !== null && !only.includes(provider.name))) continue;
    const former = clusters.get(provider.name)?.renamedFrom?.value;
    for (const cluster of former === undefined ? [provider.name] : [provider.name, former]) {
      const path = printBundlePath({ part: 'sharing', cluster, name: consumer.name });
      if (changed?.bundle.has(path) && !changed.paths.has(path)) continue;
      const read = await files.readText(join(out, path));
      if (read.kind === 'ok' && hasTenantKey(read.text)) found.add(consumer.name);
    }
  }
  return [...found];
}

const hasTenantKey = (manifests: string): boolean =>
  readManifestLines(manifests).some((it) => it.get('kind') === 'Tenant' && (it.get('spec.publicKey') ?? '') !== '');

/**
 * The folders that may contain the bundles of a fleet: the output folder, the fleet's own folder below it (`compile
 * --all`), and the folder that its entry points name. Folders with the bundles of another fleet are left out.
 */
function fleetFolders(
  { files, tree }: KeysInUsePorts,
  topology: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): readonly string[] {
  const { compiled } = topology;
  const { name, renamedFrom } = compiled.inputs.declaration;
  const { gitops } = compiled.model.fleet;
  const here = files.folderInRepository('.');
  const own = [name.value, ...(renamedFrom === undefined ? [] : [renamedFrom])].map((it) => join(out, it));
  const read = gitops === null || here === undefined ? [] : [relative(here, gitops.path)];
  return [...new Set([out, ...own, ...read])].filter((it) => {
    const content = tree.contentOf(it);
    return content.kind !== 'bundles' || ofAnotherFleet(topology, it, content.fleets) === undefined;
  });
}

/** The changes of a compile that may remove keys. */
interface ChangedFleet extends Destination {
  readonly topology: ReadyTopology;
  /** Paths of bundle files whose text on disk differs. */
  readonly changed: readonly string[];
}

interface Consent {
  readonly allowDestroy: boolean;
}

/**
 * Without --allow-destroy, refuses changes by which a gateway loses the key in its peer's bundle, or a consumer the key
 * in those of its providers.
 */
export async function refuseLostKeys(
  files: FileReader,
  { allowDestroy }: Consent,
  { topology, changed, ...destination }: ChangedFleet,
): Promise<Refusal | undefined> {
  if (allowDestroy) return undefined;
  const { model, bundle } = topology.compiled;
  const written = { bundle, paths: new Set(changed) };
  const gateways = await keysInBundles(files, model, { ...destination, changed: written });
  const { keys } = topology.files;
  if (gateways.length > 0) return { kind: 'keys-lost', gateways, keys };
  const consumers = await authenticationInBundles(files, model, { ...destination, changed: written });
  return consumers.length === 0 ? undefined : { kind: 'authentication-lost', consumers, keys };
}

/**
 * Without --allow-destroy, refuses a topology with broken assertions whose keys file has lost keys: tunnels without keys
 * break assertions, and restoring the file is the cure.
 */
export async function refuseKeysBehind(
  ports: KeysInUsePorts,
  topology: ReadyTopology,
  { allowDestroy, out }: Consent & Pick<Destination, 'out'>,
): Promise<Refusal | undefined> {
  return allowDestroy || isRenamed(topology.verdicts) ? undefined : lostKeys(ports, topology, out);
}

/** The refusal for keys that are in the bundles of a fleet and not in its keys file; `undefined` without such keys. */
export async function lostKeys(
  ports: KeysInUsePorts,
  topology: ReadyTopology,
  out: string,
): Promise<Refusal | undefined> {
  const { model } = topology.compiled;
  const missing = { gateways: missingKeys(model, null), consumers: missingAuthentication(model, null) };
  const { gateways, consumers } = await keysInUse(ports, topology, { missing, out });
  const { keys } = topology.files;
  if (gateways.length > 0) return { kind: 'keys-lost', gateways, keys };
  return consumers.length === 0 ? undefined : { kind: 'authentication-lost', consumers, keys };
}

/**
 * Without --allow-destroy, refuses to give a gateway the key of another one. A consumer's signed request contains its
 * name, so this cannot happen to consumers.
 */
export async function refuseMovedKeys(
  files: FileReader,
  { allowDestroy }: Consent,
  { topology, out, changed }: ChangedFleet,
): Promise<Refusal | undefined> {
  if (allowDestroy) return undefined;
  const gateways = await movedKeys(files, { bundle: topology.compiled.bundle, out, changed });
  return gateways.length === 0 ? undefined : { kind: 'keys-moved', gateways, keys: topology.files.keys };
}

interface ChangedBundle {
  readonly bundle: ReadonlyMap<string, string>;
  /** The folder of the bundles. */
  readonly out: string;
  /** Paths in it whose text on disk differs. */
  readonly changed: readonly string[];
}

/** The gateways that would get the key of another gateway in the bundles on disk. Only changed files are read. */
async function movedKeys(files: FileReader, { bundle, out, changed }: ChangedBundle): Promise<readonly GatewayName[]> {
  const [before, after] = [new Map<string, string>(), new Map<string, string>()];
  for (const path of changed) {
    const place = parseBundlePath(path);
    if (place?.part !== 'peer' || place.file !== 'manifests') continue;
    // The peer has the public key.
    const gateway = `${place.peer} ${place.cluster}`;
    const read = await files.readText(join(out, path));
    const [was, is] = [read.kind === 'ok' ? publicKeyIn(read.text) : undefined, publicKeyIn(bundle.get(path) ?? '')];
    if (was !== undefined) before.set(gateway, was);
    if (is !== undefined) after.set(gateway, is);
  }
  return movedValues(before, after).map((it) => {
    const [cluster = '', peer = ''] = it.split(' ');
    return { cluster, peer };
  });
}

/** By its line alone: a change of the whole fleet changes 20,000 of these files, and reading them whole takes 60 times as long. */
const publicKeyIn = (manifests: string): string | undefined => /^ {2}publicKey: "?([^"\s]+)"?$/m.exec(manifests)?.[1];

/** The destination of bundles. */
export interface Destination {
  /** The folder of the bundles. */
  readonly out: string;
  /** Clusters whose folders are written; `null` for everything. */
  readonly only: readonly string[] | null;
  /** Other names at the top of the folder that belong to what is written. */
  readonly alsoCovers?: readonly string[];
}

/**
 * Clusters whose full bundle would be replaced by an empty one although they are not retired. Argo CD and Flux would
 * then delete every tunnel of the cluster, so the user must allow it.
 */
export async function emptiedClusters(
  files: FileReader,
  { model, bundle }: Compiled,
  to: Destination,
): Promise<readonly string[]> {
  const emptied: string[] = [];
  for (const cluster of model.clusters.values()) {
    if (cluster.retired || (to.only !== null && !to.only.includes(cluster.name))) continue;
    // A cluster with a peer is never empty, so its text need not be printed.
    if (cluster.peers.size > 0) continue;
    const path = printBundlePath({ part: 'kustomization', cluster: cluster.name });
    if (!isEmpty(bundle.get(path) ?? '')) continue;
    const before = await files.readText(join(to.out, path));
    if (before.kind === 'ok' && !isEmpty(before.text)) emptied.push(cluster.name);
  }
  return emptied;
}

const isEmpty = (kustomization: string): boolean =>
  readManifestLines(kustomization).some((it) => it.get('resources') === '[]');

/**
 * The clusters whose files were removed and that are no longer in the topology, not even under another name.
 *
 * @param removed paths below `out/`
 */
export function removedClusters({ clusters }: AddressedModel, removed: readonly string[]): readonly string[] {
  const folders = new Set(removed.flatMap((path) => clusterFolderOf(path) ?? []));
  const formerNames = new Set([...clusters.values()].flatMap((it) => it.renamedFrom?.value ?? []));
  return [...folders].filter((name) => !clusters.has(name) && !formerNames.has(name));
}
