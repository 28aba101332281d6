import type { KeysDocument } from '../../../fleet/topology/keys-document.ts';

/**
 * The public key of a cluster's own gateway towards a peer; `null` while the keys file has none, and `unknown` for one that the
 * gateway has and the file does not.
 */
export function publicKeysIn(document: KeysDocument | undefined): (cluster: string, peer: string) => string | null {
  if (!document) return () => null;
  return (cluster, peer) => document.reading.at('keys').at(cluster).at(peer).scalar()?.value ?? null;
}
