/** What stands for the cluster at the other end of a link in `keys.secretName`. */
export const PEER_PLACEHOLDER = '{peer}';

/** The name of the Secret with the key pair of the gateway towards a peer. */
export const secretNameFor = (pattern: string, peer: string): string => pattern.replaceAll(PEER_PLACEHOLDER, peer);
