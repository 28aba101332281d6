// Generated from schemas/keys.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * Public WireGuard keys of a fleet's gateways. `weft keys generate` writes this file beside the topology; no private key is ever in it.
 */
export interface KeysFile {
  /**
   * Version of this file's format.
   */
  version: 1;
  /**
   * Per cluster, the public key of its own gateway towards each peer.
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
