// API groups and versions of Liqo's objects, the same in every release that weft supports.
// Source: liqotech/liqo@v1.0.3 to @v1.2.0 apis/networking/v1beta1, apis/ipam/v1alpha1.

export const NETWORKING_API = 'networking.liqo.io/v1beta1';
export const IPAM_API = 'ipam.liqo.io/v1alpha1';
