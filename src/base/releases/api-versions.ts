// API groups and versions of Liqo's objects, the same in every release that weft supports.
// Source: liqotech/liqo@v1.0.3 to @v1.2.0 apis/networking/v1beta1, apis/ipam/v1alpha1.

export const NETWORKING_API = 'networking.liqo.io/v1beta1';
export const IPAM_API = 'ipam.liqo.io/v1alpha1';

// Source: liqotech/liqo@v1.0.0 to @v1.2.0 apis/authentication/v1beta1, apis/offloading/v1beta1.
export const AUTHENTICATION_API = 'authentication.liqo.io/v1beta1';
export const OFFLOADING_API = 'offloading.liqo.io/v1beta1';

/** Of the External Secrets Operator. Source: external-secrets/external-secrets@v0.17.0 apis/externalsecrets/v1. */
export const EXTERNAL_SECRETS_API = 'external-secrets.io/v1';
