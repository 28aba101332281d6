import { printLinkId } from '../../base/core/link-id.ts';
import type { GatewayName } from '../../fleet/keys/gateway.ts';
import type { KeylessConsumer } from '../../fleet/keys/missing-authentication.ts';
import { authenticationInBundles } from './authentication-in-bundles.ts';
import type { ReadyTopology } from './compile-topology.ts';
import { fleetFolders } from './fleet-folders.ts';
import { keysInBundles } from './keys-in-bundles.ts';
import type { FileReader, OutputTree } from './ports.ts';
import type { Refusal } from './refusal.ts';

/** What has a key that is in use. */
export interface KeysInUse {
  readonly gateways: readonly GatewayName[];
  readonly consumers: readonly string[];
}

interface Ports {
  readonly files: FileReader;
  readonly tree: OutputTree;
}

interface Missing {
  readonly gateways: readonly GatewayName[];
  readonly consumers: readonly KeylessConsumer[];
}

/** What has no recorded key although the bundles show one, and the folder of those bundles. */
export async function keysInUse(
  ports: Ports,
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
