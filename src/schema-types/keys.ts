// Generated from schemas/keys.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * Public WireGuard keys of a fleet's gateways. `weft keys generate` writes this file beside the topology; it never contains a private key.
 */
export interface KeysFile {
  /**
   * Version of this file's format.
   */
  version: 1;
  /**
   * For each cluster, the public keys of its own gateways, by peer.
   */
  keys: {
    /**
     * The cluster's own public keys, by peer.
     */
    [k: string]: {
      /**
       * Public key: 32 bytes in base64.
       */
      [k: string]: string;
    };
  };
}
