/** What may differ in an object without being drift, because a controller writes it. Paths are keys with dots between them. */
export interface Allowance {
  /** Parts that are not compared. */
  readonly ignored: readonly string[];
  /** Parts of which more may be there than is promised. */
  readonly open: readonly string[];
  /** Lists whose order means nothing. */
  readonly sets: readonly string[];
}

/**
 * In any object: GitOps tools, Helm and Liqo add labels and annotations of their own, and a status says more than can be
 * promised: conditions have times, gateways have addresses.
 */
const EVERYWHERE: Allowance = { ignored: [], open: ['metadata', 'status'], sets: [] };

const BY_KIND: Readonly<Record<string, Partial<Allowance>>> = {
  // `spec.finalizers`. Source: kubernetes, Namespace.
  Namespace: { ignored: ['spec'] },
  // A controller reads several Networks of its own in another order after each start; seen with v1.2.0.
  'Configuration.networking.liqo.io': { sets: ['spec.local.cidr.pod'] },
  // The uid of the gateway. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/wireguard/k8s.go.
  'Connection.networking.liqo.io': { open: ['spec.gatewayRef'] },
};

/** What may differ in objects of a kind. */
export function allowanceFor(kind: string): Allowance {
  const own = BY_KIND[kind] ?? {};
  return {
    ignored: [...EVERYWHERE.ignored, ...(own.ignored ?? [])],
    open: [...EVERYWHERE.open, ...(own.open ?? [])],
    sets: [...EVERYWHERE.sets, ...(own.sets ?? [])],
  };
}
