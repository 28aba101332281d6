import { join } from 'node:path';
import { parseBundlePath } from '../../base/core/bundle-path.ts';
import { movedValues } from '../../base/core/collections.ts';
import type { GatewayName } from '../../fleet/keys/missing-keys.ts';
import type { ReadyTopology } from './compile-topology.ts';
import { authenticationInBundles, keysInBundles } from './keys-in-use.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';
import type { Destination } from './removed-clusters.ts';

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
