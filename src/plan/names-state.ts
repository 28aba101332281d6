/** Names of the objects in one cluster for one peer, where they are not those that liqoctl gives; else `null`. */
export interface NamesState {
  readonly namespace: string | null;
  readonly configuration: string | null;
  readonly gateway: string | null;
  /** Also `null` where there is no PublicKey. */
  readonly publicKey: string | null;
  /** Of the Secret with the keys; `null` for the one that the fleet usually has. */
  readonly secret: string | null;
}

export const NAMED = ['namespace', 'configuration', 'gateway', 'publicKey', 'secret'] as const;
