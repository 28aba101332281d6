/** What the name of a cluster may be. Source: liqotech/liqo@v1.2.0 apis/core/v1beta1/foreigncluster_types.go. */
export const CLUSTER_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
