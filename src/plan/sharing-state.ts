/** Shared resources in the files of `out/`, as texts. */
export interface SharingState {
  /** Loans by `shareOf`, in order of that key. */
  readonly shares: ReadonlyMap<string, ShareState>;
  /** Namespaces by `shareOf` of cluster and namespace, in order of that key. */
  readonly offloadings: ReadonlyMap<string, OffloadingState>;
}

/** A loan, from the folders of both clusters. */
export interface ShareState extends SharePair {
  /** The consumer's data in the provider; `null` while the consumer has no key. */
  readonly tenant: TenantState | null;
  /** The provider's answer; `null` while it is not recorded, and for a consumer with credentials. */
  readonly identity: IdentityState | null;
  /** The source from which a secret manager reads the kubeconfig, as text; `null` without one. */
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
  /** The authentication policy: `KeysExchange`, or `TolerateNoHandshake` with credentials. */
  readonly policy: string;
  /** Base64, as are the other two; `null` with credentials. */
  readonly publicKey: string | null;
  readonly request: string | null;
  readonly signature: string | null;
  readonly nonce: string | null;
}

/** The API server of a provider as the consumer uses it, with the trusted CA. */
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
  /** Its certificate request in base64; `null` when Liqo creates it. */
  readonly request: string | null;
  /** The consumer's settings for its virtual node, by path; `null` without settings. */
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
  /** True when the namespace itself is among the objects. */
  readonly isCreated: boolean;
}

/** Two names as one key. No name of a cluster or namespace contains a slash. */
export const shareOf = (first: string, second: string): string => `${first}/${second}`;
