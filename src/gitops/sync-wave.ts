import type { AddressedCluster, Peer } from '../ipam/addressed-model.ts';

type Annotations = Readonly<Record<string, string>>;

/*
 * Argo CD applies the waves of one Application in ascending order and waits after each one until its objects are
 * healthy, the last wave excepted. It prunes in descending order: gateways first, then Configurations, then namespaces.
 * Source: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go, docs/user-guide/sync-waves.md.
 */
const NAMESPACE_WAVE = -30;

/** For templates, and free for a SealedSecret or an ExternalSecret with the keys: after namespaces, before gateways. */
const TEMPLATE_WAVE = -20;

/** Everything a gateway reads, as long as its order means nothing. */
const FREE_WAVE = -10;

/** Gateways of a cluster whose links need no order. */
const GATEWAY_WAVE = 0;

/** Gateways of a cluster with ordered links: after every join number, and the same whatever links come later. */
const LAST_WAVE = 1_000_000;

/** Looked up once a cluster: to look at all its peers for each of its objects would be quadratic in a hub. */
const ordered = new WeakMap<AddressedCluster, boolean>();

/** True when the cluster has a link whose Configuration must arrive at its turn. */
export function hasOrderedLinks(cluster: AddressedCluster): boolean {
  const known = ordered.get(cluster) ?? [...cluster.peers.values()].some((it) => it.orderDependent);
  ordered.set(cluster, known);
  return known;
}

/**
 * The annotations of an object that stands in a cluster's bundle for one peer: its sync wave, and what keeps GitOps tools
 * from deleting what they should not.
 */
export function annotationsFor(cluster: AddressedCluster, peer: Peer, kind: string): Annotations {
  switch (kind) {
    case 'Namespace':
      return namespaceAnnotations;
    case 'PublicKey':
      return wave(FREE_WAVE);
    case 'Configuration':
      return wave(peer.orderDependent ? peer.link.join : FREE_WAVE);
    case 'GatewayServer':
    case 'GatewayClient':
      return wave(lastWave(cluster));
    case 'Connection':
      return connectionAnnotations(cluster);
    default:
      throw new RangeError(`nobody has decided when a ${kind} is applied`);
  }
}

/** Annotations of a WgGatewayServerTemplate or WgGatewayClientTemplate: there before the gateways that name it. */
export const templateAnnotations: Annotations = wave(TEMPLATE_WAVE);

/**
 * Annotations of a ForeignClusterConnection. It comes after every Configuration, since its status quotes the hub's views,
 * but shares the wave of the gateways: after them it would turn their wave into one that is waited for, and a gateway
 * without an address would hold up the whole bundle.
 */
export function shortcutAnnotations(cluster: AddressedCluster): Annotations {
  return wave(lastWave(cluster));
}

/**
 * The last wave is not waited for. Gateways may take long (an address, a key Secret that somebody has yet to provide), so
 * they stand there and can block nothing.
 */
const lastWave = (cluster: AddressedCluster): number => (hasOrderedLinks(cluster) ? LAST_WAVE : GATEWAY_WAVE);

/**
 * A tenant namespace also holds what authentication and offloading put there, so no tool deletes it: neither when it
 * leaves the bundle nor with the Application or Kustomization.
 * Source: argoproj/argo-cd docs/user-guide/sync-options.md; fluxcd/kustomize-controller docs/spec/v1/kustomizations.md.
 */
const namespaceAnnotations: Annotations = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  ...wave(NAMESPACE_WAVE),
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/**
 * The gateway writes its Connection and comes to own it; a tool may make one but must not correct or delete it.
 * Source: liqotech/liqo pkg/gateway/tunnel/wireguard/k8s.go, v1.2.0.
 */
function connectionAnnotations(cluster: AddressedCluster): Annotations {
  return {
    'argocd.argoproj.io/sync-options': 'Prune=false',
    ...wave(lastWave(cluster)),
    'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent',
  };
}

function wave(number: number): Annotations {
  return { 'argocd.argoproj.io/sync-wave': String(number) };
}
