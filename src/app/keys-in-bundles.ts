import { join } from 'node:path';
import { printBundlePath } from '../core/bundle-path.ts';
import type { AddressedModel } from '../ipam/addressed-model.ts';
import type { GatewayName } from '../keys/gateway.ts';
import { missingKeys } from '../keys/missing-keys.ts';
import type { FileReader } from './ports.ts';

/**
 * The gateways without a recorded key that have one in the bundles on disk: the fleet uses it, and only the keys file has
 * lost it. Only files of such gateways are read.
 */
export async function keysInBundles(
  files: FileReader,
  model: Pick<AddressedModel, 'links'>,
  out: string,
): Promise<readonly GatewayName[]> {
  const found: GatewayName[] = [];
  for (const gateway of missingKeys(model, null)) {
    // The peer has the public key.
    const path = printBundlePath({ part: 'peer', cluster: gateway.peer, peer: gateway.cluster, file: 'manifests' });
    const read = await files.readText(join(out, path));
    if (read.kind === 'ok' && /^kind: PublicKey$/m.test(read.text)) found.push(gateway);
  }
  return found;
}
