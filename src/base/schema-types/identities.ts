// Generated from schemas/identities.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * What providers answered to the clusters that borrow their resources: certificates, and where their API servers are. `weft identities collect` writes this file beside the topology; all of it is public.
 */
export interface IdentitiesFile {
  /**
   * Version of this file's format.
   */
  version: 1;
  /**
   * For each cluster that borrows resources, the answers of its providers, by provider.
   */
  identities: {
    /**
     * The answers to one cluster, by provider.
     */
    [k: string]: {
      [k: string]: ProviderAnswer;
    };
  };
}
/**
 * `Tenant.status.authParams`, without anything secret.
 */
export interface ProviderAnswer {
  /**
   * URL of the provider's API server.
   */
  apiServer: string;
  /**
   * Certificates of the authority of the API server, base64 of their PEM. Absent when the system's are to be trusted.
   */
  ca?: string;
  /**
   * The certificate of the consumer, signed by the provider, base64 of its PEM.
   */
  certificate: string;
  /**
   * URL of a proxy through which the consumer reaches the API server.
   */
  proxyURL?: string;
}
