/** Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace/const.go (NamePrefix). */
export const TENANT_NAMESPACE_PREFIX = 'liqo-tenant-';

/**
 * The namespace that a cluster keeps for one remote cluster. Liqo would take any name; the fork and the operator of
 * ForeignClusterConnections need this one, which is also the one that liqoctl makes.
 */
export const tenantNamespace = (remote: string): string => `${TENANT_NAMESPACE_PREFIX}${remote}`;
