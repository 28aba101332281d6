// Defaults of a Liqo installation, which its values or flags may change; networks as text.

/** Source: liqotech/liqo@v1.1.2 deployments/liqo/values.yaml (ipam.externalCIDR); 1.2 starts from the same. */
export const DEFAULT_EXTERNAL_CIDR = '10.70.0.0/16';

/** Source: liqotech/liqo@v1.1.2 deployments/liqo/values.yaml (ipam.internalCIDR); 1.2 starts from the same. */
export const DEFAULT_INTERNAL_CIDR = '10.80.0.0/16';

// Liqo tries its pools in this order; with another order weft would compute addresses that the cluster does not assign.
// Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (ipam.pools).
export const DEFAULT_POOLS = ['10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12'] as const;

/**
 * The default MTU of liqoctl.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/forge/common.go (DefaultMTU).
 */
export const DEFAULT_MTU_BYTES = 1340;

/** The default registry of images. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (the images). */
export const DEFAULT_IMAGE_REGISTRY = 'ghcr.io/liqotech';

/** The default namespace of Liqo. Source: liqotech/liqo@v1.2.0 docs/installation/install.md. */
export const DEFAULT_LIQO_NAMESPACE = 'liqo';

/**
 * The gateway templates of the chart, in the Liqo namespace.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-wireguard-gateway-{server,client}-template.yaml.
 */
export const CHART_TEMPLATES = { server: 'wireguard-server', client: 'wireguard-client' } as const;

/**
 * Annotations that the chart excludes from reflection to providers.
 * Source: liqotech/liqo@v1.0.0 to @v1.2.0 deployments/liqo/values.yaml (offloading.reflection.skip.annotations).
 */
export const UNREFLECTED_ANNOTATIONS: readonly string[] = [
  'cloud.google.com/neg',
  'cloud.google.com/neg-status',
  'kubernetes.digitalocean.com/load-balancer-id',
  'ingress.kubernetes.io/backends',
  'ingress.kubernetes.io/forwarding-rule',
  'ingress.kubernetes.io/target-proxy',
  'ingress.kubernetes.io/url-map',
  'metallb.universe.tf/address-pool',
  'metallb.universe.tf/ip-allocated-from-pool',
  'metallb.universe.tf/loadBalancerIPs',
  'loadbalancer.openstack.org/load-balancer-id',
];

/**
 * The class of a slice that Liqo handles itself.
 * Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go.
 */
export const DEFAULT_SLICE_CLASS = 'default';

/**
 * The amounts that a provider grants for resources that a slice does not request, unless its Helm values differ.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (offloading.defaultNodeResources).
 */
export const SLICE_DEFAULTS: Readonly<Record<string, string>> = {
  cpu: '4',
  'ephemeral-storage': '20Gi',
  memory: '8Gi',
  pods: '110',
};
