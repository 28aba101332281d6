/** What may differ in an object without being drift, because a controller writes it. Paths are keys with dots between them. */
export interface Allowance {
  /** Parts that are not compared. */
  readonly ignored: readonly string[];
  /** Parts of which more may be there than is promised. */
  readonly open: readonly string[];
  /** Lists whose order means nothing. */
  readonly sets: readonly string[];
  /** Bytes as base64 that may have zero bytes at their end. */
  readonly padded: readonly string[];
}

/** What differs from pair to pair of clusters. */
export interface AllowedChanges {
  /** Whether Liqo replaces certificates, in the Identity that came from git as well: both ends must. */
  readonly isRenewed: boolean;
}

/**
 * In any object: GitOps tools, Helm and Liqo add labels and annotations of their own, and a status has more than can be
 * promised: conditions have times, gateways have addresses.
 */
const EVERYWHERE: Allowance = { ignored: [], open: ['metadata', 'status'], sets: [], padded: [] };

/** Objects that Liqo makes: a bundle promises only what can be known beforehand, without certificates, keys and images. */
const MADE_BY_LIQO: Partial<Allowance> = { open: ['spec'] };

const BY_KIND: Readonly<Record<string, Partial<Allowance>>> = {
  // `spec.finalizers`. Source: kubernetes, Namespace.
  Namespace: { ignored: ['spec'] },
  // A Secret is promised by its name; of a nonce the text is compared as well.
  Secret: { open: ['data', 'type'], ignored: ['stringData', 'immutable'] },
  // Kubernetes before 1.24 adds a Secret with a token.
  ServiceAccount: { ignored: ['secrets', 'imagePullSecrets', 'automountServiceAccountToken'] },
  'Deployment.apps': MADE_BY_LIQO,
  // A controller reads several Networks of its own in another order after each start; seen with v1.2.0.
  'Configuration.networking.liqo.io': { sets: ['spec.local.cidr.pod'] },
  // Chains as lines. With several Networks of its own a cluster writes its rules in another order after each start; no two of one
  // chain match the same packet.
  'FirewallConfiguration.networking.liqo.io': { sets: ['spec.outgoing', 'spec.incoming', 'spec.pre-postrouting'] },
  // The uid of the gateway. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/k8s.go.
  'Connection.networking.liqo.io': { open: ['spec.gatewayRef'] },
  // Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localresourceslice-controller.
  'ResourceSlice.authentication.liqo.io': { open: ['spec.consumerClusterID', 'spec.csr', 'spec.providerClusterID'] },
  // The one of a slice is made by Liqo; of the other one every field is in git. A CA that the provider was given has zero bytes
  // behind it, which a renewal copies. Source: liqotech/liqo@v1.2.0 cmd/liqo-controller-manager/modules/authentication.go.
  'Identity.authentication.liqo.io': {
    open: ['spec.authParams', 'spec.namespace'],
    padded: ['spec.authParams.ca'],
  },
  'Renew.authentication.liqo.io': MADE_BY_LIQO,
  'Quota.offloading.liqo.io': MADE_BY_LIQO,
  'VirtualNode.offloading.liqo.io': MADE_BY_LIQO,
  'ForeignCluster.core.liqo.io': MADE_BY_LIQO,
  // What the API server fills in. Source: external-secrets/external-secrets, apis/externalsecrets/v1.
  'ExternalSecret.external-secrets.io': MADE_BY_LIQO,
};

const IDENTITY = 'Identity.authentication.liqo.io';

/** What may differ in objects of a kind. */
export function allowanceFor(kind: string, { isRenewed }: AllowedChanges): Allowance {
  const own = BY_KIND[kind] ?? {};
  // Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller.
  const renewed = kind === IDENTITY && isRenewed ? ['spec.authParams.signedCRT'] : [];
  return {
    ignored: [...EVERYWHERE.ignored, ...(own.ignored ?? []), ...renewed],
    open: [...EVERYWHERE.open, ...(own.open ?? [])],
    sets: [...EVERYWHERE.sets, ...(own.sets ?? [])],
    padded: [...EVERYWHERE.padded, ...(own.padded ?? [])],
  };
}
