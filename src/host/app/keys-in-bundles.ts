import { join } from 'node:path';
import { printBundlePath } from '../../base/core/bundle-path.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { GatewayName } from '../../fleet/keys/gateway.ts';
import { missingKeys, unknownKeys } from '../../fleet/keys/missing-keys.ts';
import type { Destination } from './emptied-clusters.ts';
import type { FileReader } from './ports.ts';

interface ChangedFiles {
  /** What a compile writes, and the paths of it whose text on disk is another one: only those can lose a key. */
  readonly changed?: { readonly bundle: ReadonlyMap<string, string>; readonly paths: ReadonlySet<string> } | null;
}

/**
 * The gateways without a recorded key that have one in the bundles on disk: the fleet uses it, and only the keys file has
 * lost it. Only files of such gateways are read, in the folders that are written.
 */
export async function keysInBundles(
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
    return read.kind === 'ok' && /^kind: PublicKey$/m.test(read.text);
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
