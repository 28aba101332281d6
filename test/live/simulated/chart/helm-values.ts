/** The values of a cluster that the simulated chart reads. */
export interface HelmValues {
  readonly discovery: { readonly config: { readonly clusterID: string } };
  readonly ipam: {
    readonly pools?: readonly string[];
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
    readonly serviceCIDR: string;
    readonly externalCIDR?: string;
    readonly internalCIDR?: string;
    readonly reservedSubnets?: readonly string[];
  };
  readonly networking?: {
    readonly fabric?: { readonly config?: { readonly fullMasquerade?: boolean } };
  };
}

/** In the order in which the chart lists them. */
export const DEFAULT_POOLS = ['10.0.0.0/8', '192.168.0.0/16', '172.16.0.0/12'];
