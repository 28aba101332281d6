import { authenticationInBundles } from './authentication-in-bundles.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { Destination } from './emptied-clusters.ts';
import { keysInBundles } from './keys-in-bundles.ts';
import { movedKeys } from './moved-keys.ts';
import type { FileReader } from './ports.ts';
import type { Refusal } from './refusal.ts';

/** What a compile writes, and whether it may take keys away. */
interface ChangedFleet extends Destination {
  readonly topology: ReadyTopology;
  /** Paths of the bundles whose text on disk is another one. */
  readonly changed: readonly string[];
}

interface Consent {
  readonly allowDestroy: boolean;
}

/** No gateway loses the key that its peer has in the bundles without --allow-destroy, and no consumer that of its providers. */
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

/** No gateway gets the key of another one without --allow-destroy. What a consumer signed has its name, so it cannot. */
export async function refuseMovedKeys(
  files: FileReader,
  { allowDestroy }: Consent,
  { topology, out, changed }: ChangedFleet,
): Promise<Refusal | undefined> {
  if (allowDestroy) return undefined;
  const gateways = await movedKeys(files, { bundle: topology.compiled.bundle, out, changed });
  return gateways.length === 0 ? undefined : { kind: 'keys-moved', gateways, keys: topology.files.keys };
}
