/**
 * What a provider gives of a resource that a slice does not ask for, unless its Helm values differ.
 * Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (offloading.defaultNodeResources).
 */
export const SLICE_DEFAULTS: Readonly<Record<string, string>> = {
  cpu: '4',
  'ephemeral-storage': '20Gi',
  memory: '8Gi',
  pods: '110',
};
