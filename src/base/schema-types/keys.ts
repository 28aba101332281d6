// Generated from schemas/keys.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * Public key: 32 bytes in base64. `unknown` for a gateway that has a key in its cluster, of which `weft import` has not seen the public half. With its generation or its day, the same under `key`.
 */
export type GatewayKey =
  | string
  | {
      /**
       * Public key that the gateway uses: 32 bytes in base64, or `unknown`.
       */
      key: string;
      /**
       * Number of the key pair: `weft keys rotate` adds one. From the second on, the name of the Secret ends in it: `gw-keys-2`.
       */
      generation?: number;
      /**
       * Day on which the key was made or collected, in UTC.
       */
      since?: string;
      next?: NextKey;
    };
/**
 * The public part of a cluster's authentication key, and what was signed with it. `unknown` for a cluster that has a key, of which `weft import` has not seen this.
 */
export type AuthenticationKey =
  | string
  | {
      /**
       * `Tenant.spec.publicKey`: base64 of the 32 raw bytes of an Ed25519 key, or of a PEM.
       */
      publicKey: string;
      /**
       * The text that was signed: the nonce, as it is in the Secret before Kubernetes encodes it. It is not secret.
       */
      nonce: string;
      /**
       * `Tenant.spec.signature`: the signature of the nonce, base64.
       */
      signature: string;
      /**
       * `Tenant.spec.csr`: the certificate request of the cluster, base64 of its PEM.
       */
      request: string;
      /**
       * Providers with a nonce of their own, as each has that liqoctl peered with: the nonce, and its signature by the same key. Every other provider gets the ones above.
       */
      providers?: {
        [k: string]: SignedNonce;
      };
      /**
       * `ResourceSlice.spec.csr` by name of the slice. A slice that is not listed is written without a request, and Liqo makes it in the cluster.
       */
      slices?: {
        /**
         * The certificate request of the slice, base64 of its PEM.
         */
        [k: string]: string;
      };
    };

/**
 * Public keys of a fleet: WireGuard keys of its gateways, and what consumers of resources authenticate with. `weft keys generate`, `weft keys collect` and `weft keys rotate` write this file beside the topology; it never contains a private key.
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
      [k: string]: GatewayKey;
    };
  };
  /**
   * For each cluster that borrows resources, what its providers need to know of its authentication key.
   */
  authentication?: {
    [k: string]: AuthenticationKey;
  };
}
/**
 * The key of the next generation, which no gateway uses yet.
 */
export interface NextKey {
  /**
   * Its public half: 32 bytes in base64.
   */
  key: string;
  /**
   * Day on which the key was made, in UTC.
   */
  since?: string;
}
/**
 * A nonce of one provider, and its signature.
 */
export interface SignedNonce {
  /**
   * The text that was signed for this provider.
   */
  nonce: string;
  /**
   * `Tenant.spec.signature` in this provider, base64.
   */
  signature: string;
}
