import type { SideFacts } from './folder-state.ts';
import type { ManifestLines } from './read-manifest-lines.ts';
import { readNamesState } from './read-names-state.ts';

/** What the manifests for a peer say, without the Service of a server. */
export function readSideFacts(manifests: readonly ManifestLines[], peer: string): Omit<SideFacts, 'service'> {
  const gateway = manifests.find((it) => /^Gateway(Server|Client)$/.test(it.get('kind') ?? ''));
  const ref = gateway?.get('kind') === 'GatewayServer' ? 'spec.serverTemplateRef' : 'spec.clientTemplateRef';
  const name = gateway?.get(`${ref}.name`);
  return {
    template: name === undefined ? null : `${gateway?.get(`${ref}.namespace`) ?? ''}/${name}`,
    names: readNamesState(manifests, peer),
    keyOfPeer: manifests.find((it) => it.get('kind') === 'PublicKey')?.get('spec.publicKey') ?? null,
    hasConnection: manifests.some((it) => it.get('kind') === 'Connection'),
  };
}

/** An end whose manifests are not there. */
export const NO_MANIFESTS: SideFacts = { ...readSideFacts([], ''), service: null };
