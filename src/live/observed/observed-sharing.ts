import type { Json, JsonMap } from '../dumps/json.ts';

/** What the objects of a live cluster say about resources that it lends and borrows, as they have it. */
export interface ObservedSharing {
  readonly tenants: readonly ObservedTenant[];
  readonly nonces: readonly ObservedNonce[];
  /** Who may act as a consumer without a certificate: RoleBindings for consumers by `namespace/name`. */
  readonly accounts: ReadonlyMap<string, ObservedAccount>;
  /** Of control planes. Liqo makes those of slices. */
  readonly identities: readonly ObservedIdentity[];
  /** Secrets with the kubeconfigs of control planes, which have no values here. */
  readonly kubeconfigs: readonly ObservedKubeconfig[];
  /** ExternalSecrets by namespace and name, `namespace/name`. */
  readonly externalSecrets: ReadonlyMap<string, Json | undefined>;
  /** Those of the cluster itself, and copies that its consumers sent. */
  readonly slices: readonly ObservedSlice[];
  readonly virtualNodes: readonly ObservedVirtualNode[];
  readonly offloadings: readonly ObservedOffloading[];
  readonly chart: ObservedChart;
  /** Annotations of namespaces. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** What the values of the chart became; `null` for an object that was not dumped. */
export interface ObservedChart {
  /** Arguments of the controller manager. */
  readonly manager: readonly string[] | null;
  /** Arguments of the webhooks. */
  readonly webhook: readonly string[] | null;
  /** Spec of the options of virtual kubelets. */
  readonly kubelet: JsonMap | null;
}

export interface ObservedTenant extends Place {
  readonly consumer: string;
  /** `KeysExchange`, `TolerateNoHandshake`; empty where the default counts. */
  readonly policy: string;
  /** `Active`, `Cordoned`, `Drained`. */
  readonly condition: string;
  /** Base64 as written, as the other two. */
  readonly publicKey: string | null;
  readonly request: string | null;
  readonly signature: string | null;
  /** Through which the consumer is to reach the API server. */
  readonly proxyURL: string | null;
  /** `null` until it is signed. */
  readonly answer: ObservedAnswer | null;
}

/** The public fields of `authParams`. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/common_types.go (AuthParams). */
export interface ObservedAnswer {
  readonly apiServer: string;
  /** Base64 of PEM; empty where the system's authorities are to be trusted. */
  readonly ca: string;
  /** Base64 of PEM. */
  readonly certificate: string;
  /** Empty without a proxy. */
  readonly proxyURL: string;
  /** Whether access to AWS is in it, whose values are not here. */
  readonly hasAccess: boolean;
}

export interface ObservedNonce extends Place {
  readonly consumer: string;
  /** The text that is signed; `null` where the dump has none. */
  readonly nonce: string | null;
}

export interface ObservedAccount extends Place {
  /** `ServiceAccount namespace/name`, `User name`, `Group name`. */
  readonly subjects: readonly string[];
}

export interface ObservedIdentity extends Place {
  readonly provider: string;
  /** The namespace of the consumer in the provider. */
  readonly remoteNamespace: string | null;
  readonly answer: ObservedAnswer | null;
}

export interface ObservedKubeconfig extends Place {
  readonly provider: string;
}

export interface ObservedSlice extends Place {
  readonly isCopy: boolean;
  readonly consumer: string | null;
  readonly provider: string | null;
  readonly class: string;
  readonly resources: Readonly<Record<string, string>>;
  /** Base64 of the PEM. */
  readonly request: string | null;
  /** Whether Liqo makes a virtual node of it. */
  readonly makesNode: boolean;
  /** Whether its provider gives it nothing more. */
  readonly isCordoned: boolean;
  /** `Accepted` or `Denied` by type, `Authentication` and `Resources`. */
  readonly conditions: ReadonlyMap<string, string>;
  /** Labels that the provider gives to the virtual node. */
  readonly nodeLabels: Readonly<Record<string, string>>;
}

export interface ObservedVirtualNode extends Place {
  readonly provider: string;
  /** The slice that it was made of; `null` for one that somebody made. */
  readonly slice: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Json[];
  /** `null` where the chart decides. */
  readonly createNode: boolean | null;
  readonly disableNetworkCheck: boolean | null;
  readonly runtimeClass: string | null;
  /** Further fields of `spec.offloadingPatch` that are set. */
  readonly patched: readonly string[];
}

/** A NamespaceOffloading. Its namespace is the offloaded one. */
export interface ObservedOffloading extends Place {
  /** `spec.clusterSelector.nodeSelectorTerms`; `null` for no list. */
  readonly terms: readonly Json[] | null;
  /** `DefaultName`, `EnforceSameName`, `SelectedName`. */
  readonly mapping: string;
  /** `Local`, `Remote`, `LocalAndRemote`. */
  readonly pods: string;
  readonly remoteName: string | null;
  /** Whether the selector selects a provider, by provider, as its controller found; empty before it has. */
  readonly selected: ReadonlyMap<string, boolean>;
}

/** Namespace and name of an object. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}
