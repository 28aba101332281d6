/** What the files of `out/` say about shared resources, as texts. */
export interface SharingState {
  /** By `shareOf`, in order of that key. */
  readonly shares: ReadonlyMap<string, ShareState>;
  /** By `shareOf` of cluster and namespace, in order of that key. */
  readonly offloadings: ReadonlyMap<string, OffloadingState>;
}

/** A loan, from the folders of both clusters. */
export interface ShareState extends SharePair {
  /** What the provider knows of the consumer; `null` while the consumer has no key. */
  readonly tenant: TenantState | null;
  /** What the provider answered; `null` while that is not recorded, and for a consumer that comes with credentials. */
  readonly identity: IdentityState | null;
  /** Where a secret manager gets the kubeconfig from, in words; `null` without one. */
  readonly credentials: string | null;
  /** By name. */
  readonly slices: readonly SliceState[];
}

export interface SharePair {
  readonly consumer: string;
  readonly provider: string;
}

interface TenantState {
  readonly condition: string;
  /** How the consumer proves who it is: `KeysExchange`, or `TolerateNoHandshake` with credentials. */
  readonly policy: string;
  /** Base64, and so are the other two; `null` with credentials. */
  readonly publicKey: string | null;
  readonly request: string | null;
  readonly signature: string | null;
  readonly nonce: string | null;
}

/** Where the consumer finds the API server of a provider, and whom it trusts there. */
export interface Endpoint {
  readonly apiServer: string;
  /** Base64; `null` for the authorities that the system of the consumer trusts. */
  readonly ca: string | null;
  readonly proxyURL: string | null;
}

interface IdentityState {
  readonly endpoint: Endpoint;
  /** Base64. */
  readonly certificate: string;
}

export interface SliceState {
  readonly name: string;
  readonly class: string;
  /** Quantities by resource, in order of name. */
  readonly resources: Readonly<Record<string, string>>;
  /** Its certificate request, base64; `null` where Liqo makes it. */
  readonly request: string | null;
  /** What the consumer adds to its virtual node, by path; `null` for nothing. */
  readonly node: Readonly<Record<string, string>> | null;
}

/** A namespace of a consumer. */
export interface OffloadingState {
  readonly cluster: string;
  readonly namespace: string;
  /** By name. */
  readonly providers: readonly string[];
  readonly pods: string;
  readonly mapping: string;
  /** Its name in every provider. */
  readonly remoteName: string;
  /** Whether the namespace itself is among the objects. */
  readonly isCreated: boolean;
}

/** Two names as one key. No name of a cluster or namespace contains a slash. */
export const shareOf = (first: string, second: string): string => `${first}/${second}`;
