/** Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace/const.go (NamePrefix). */
export const TENANT_NAMESPACE_PREFIX = 'liqo-tenant-';

/**
 * The namespace in a cluster for one remote cluster. Liqo accepts any name; the fork and the operator of
 * ForeignClusterConnections need this one, which is also the one that liqoctl creates.
 */
export const tenantNamespace = (remote: string): string => `${TENANT_NAMESPACE_PREFIX}${remote}`;
