import type { Peer } from '../../fleet/ipam/addressed-model.ts';

type Annotations = Readonly<Record<string, string>>;

/*
 * Argo CD applies the waves of one Application in ascending order and waits after each one until its objects are
 * healthy, the last wave excepted. It prunes in descending order: gateways first, then Configurations, then namespaces.
 * Source: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go, docs/user-guide/sync-waves.md.
 */
const NAMESPACE_WAVE = -30;

/** Wave of templates, and of a SealedSecret with the keys: after namespaces, before gateways. */
const TEMPLATE_WAVE = -20;

/** Wave of every object that a gateway reads and that needs no order. */
const FREE_WAVE = -10;

/**
 * The last wave, for which Argo CD does not wait: after every join number, and the same whatever links come and leave.
 * Gateways may take long (until an address or the Secret with the keys exists), so they are in it and block no other
 * object, not even one that is pruned. Objects that wait for another cluster are in it, too.
 */
const LAST_WAVE = 1_000_000;

/**
 * The annotations of an object of a cluster's bundle for one peer: its sync wave, and options that prevent GitOps tools
 * from deleting shared objects.
 */
export function annotationsFor(peer: Peer, kind: string): Annotations {
  switch (kind) {
    case 'Namespace':
      return namespaceAnnotations;
    case 'FirewallConfiguration':
    case 'PublicKey':
      return wave(FREE_WAVE);
    case 'Configuration':
      return wave(peer.remapped ? peer.link.join : FREE_WAVE);
    // Argo CD waits for a wave until an ExternalSecret in it is synchronised: a key that the store lacks would block all.
    case 'ExternalSecret':
    case 'GatewayServer':
    case 'GatewayClient':
      return wave(LAST_WAVE);
    case 'Connection':
      return connectionAnnotations;
    default:
      throw new RangeError(`no sync wave is defined for kind "${kind}"`);
  }
}

/**
 * Annotations of a WgGatewayServerTemplate or WgGatewayClientTemplate: applied before the gateways that refer to it.
 */
export const templateAnnotations: Annotations = wave(TEMPLATE_WAVE);

/**
 * Annotations of a ForeignClusterConnection. It is applied after every Configuration, because its status contains the
 * hub's views, but in the wave of the gateways: with a later wave Argo CD would wait for the gateways, and a gateway
 * without an address would block the whole bundle.
 */
export const shortcutAnnotations: Annotations = wave(LAST_WAVE);

/**
 * Annotations of the objects of the prober, and of its namespace, which is the only one that tools delete: nothing else is
 * in it. The network is not delayed by an image that cannot be pulled.
 */
export const proberAnnotations: Annotations = wave(LAST_WAVE);

/**
 * Annotations of a policy. Its namespace may be created by something else, or by Liqo when it is offloaded: nothing waits for
 * that.
 */
export const policyAnnotations: Annotations = wave(LAST_WAVE);

/**
 * An object that stays after it is removed from the bundle does not make its Application OutOfSync, which would start a
 * self-heal every few minutes. Source: argoproj/argo-cd docs/user-guide/compare-options.md.
 */
const ignoredWhenExtraneous: Annotations = { 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' };

/**
 * Annotations of an object that no tool deletes, neither when it is removed from the bundle nor with the Application or
 * Kustomization. Source: argoproj/argo-cd docs/user-guide/sync-options.md; fluxcd/kustomize-controller
 * docs/spec/v1/kustomizations.md.
 */
const keptAnnotations: Annotations = {
  ...ignoredWhenExtraneous,
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/**
 * Annotations of a namespace. It also contains other objects: a tenant namespace those of authentication, an offloaded
 * one all its pods.
 */
const namespaceAnnotations: Annotations = { ...keptAnnotations, ...wave(NAMESPACE_WAVE) };

/**
 * Annotations of a Connection. The gateway writes it and becomes its owner; a tool may create it but must not change or
 * delete it. Source: liqotech/liqo pkg/gateway/tunnel/wireguard/k8s.go, v1.2.0.
 */
const connectionAnnotations: Annotations = {
  ...ignoredWhenExtraneous,
  'argocd.argoproj.io/sync-options': 'Prune=false',
  ...wave(LAST_WAVE),
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent',
};

function wave(number: number): Annotations {
  return { 'argocd.argoproj.io/sync-wave': String(number) };
}

/** An object of authentication or offloading in the bundle of a cluster. */
interface SharedObject {
  readonly kind: string;
  /** True when Liqo replaces the certificate in it, see `isRenewed`. */
  readonly renewed: boolean;
}

/**
 * Annotations of objects of authentication and offloading. All are in the last wave, for which Argo CD does not wait: a
 * tenant waits for a signer, and a slice and a namespace wait for the other cluster, perhaps for days, and a waiting
 * operation applies no later commit. The only order that Liqo cannot repair is still kept: a virtual kubelet reads its
 * network and the status of its Configuration once, when it starts, and the waves of Configurations come before, with a
 * health check. It checks the state of the tunnel continuously. Source: liqotech/liqo@v1.2.0
 * cmd/virtual-kubelet/root/root.go, pkg/liqo-controller-manager/core/foreigncluster-controller/status.go
 * (EnableModuleNetworking).
 */
export function sharingAnnotations({ kind, renewed }: SharedObject): Annotations {
  const last = wave(LAST_WAVE);
  switch (kind) {
    case 'Namespace':
      return namespaceAnnotations;
    // A provider's objects for a consumer. The provider's tool cannot detect when the consumer is done, and without
    // these rights the consumer cannot remove its objects there.
    case 'Secret':
    case 'ServiceAccount':
    case 'RoleBinding':
    case 'Tenant':
    // Liqo deletes the object with its slice. A tool that deleted it because only its settings were removed would drain
    // it.
    case 'VirtualNode':
      return { ...keptAnnotations, ...last };
    case 'Identity':
      return renewed ? { ...last, 'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent' } : last;
    case 'ExternalSecret':
    case 'ResourceSlice':
    case 'NamespaceOffloading':
      return last;
    default:
      throw new RangeError(`no sync wave is defined for kind "${kind}"`);
  }
}
