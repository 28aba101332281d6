// Keys of labels and annotations that Liqo reads or writes. Source: liqotech/liqo@v1.2.0 pkg/consts.

export const REMOTE_CLUSTER_LABEL = 'liqo.io/remote-cluster-id';
export const TENANT_NAMESPACE_LABEL = 'liqo.io/tenant-namespace';
/** The prefix of the labels by which Kubernetes admits privileged pods into a namespace. */
export const POD_SECURITY_LABELS = 'pod-security.kubernetes.io/';
export const MANAGED_LABEL = 'liqo.io/managed';
export const MANAGED_BY_LABEL = 'liqo.io/managed-by';
export const GATEWAY_RESOURCE_LABEL = 'networking.liqo.io/gateway-resource';
export const GATEWAY_NAME_LABEL = 'networking.liqo.io/gateway-name';
export const GATEWAY_NAMESPACE_LABEL = 'networking.liqo.io/gateway-namespace';
export const GATEWAY_ACTIVE_LABEL = 'networking.liqo.io/active';
export const COMPONENT_LABEL = 'networking.liqo.io/component';
/** The labels by which gateways find the rules that they load. Source: liqotech/liqo@v1.2.0 cmd/gateway/main.go. */
export const FIREWALL_LABELS = {
  category: 'networking.liqo.io/firewall-category',
  subcategory: 'networking.liqo.io/firewall-subcategory',
  unique: 'networking.liqo.io/firewall-unique',
} as const;
export const CONFIGURED_LABEL = 'configuration.liqo.io/configured';
export const CIDR_TYPE_LABEL = 'configuration.liqo.io/cidr-type';
export const NETWORK_TYPE_LABEL = 'ipam.liqo.io/network-type';
export const NOT_REMAPPED_LABEL = 'ipam.liqo.io/network-not-remapped';
export const SHARED_LABEL = 'ipam.liqo.io/network-shared';
export const OFFLOADING_ORIGIN_LABEL = 'offloading.liqo.io/origin';
export const OFFLOADING_DESTINATION_LABEL = 'offloading.liqo.io/destination';
/** A label of a cluster that its virtual nodes in other clusters get. Source: pkg/consts/clusterlabels.go. */
export const PROVIDER_LABEL = 'liqo.io/provider';
export const PREINSTALLED_ANNOTATION = 'liqo.io/preinstalled';
export const USE_DIRECT_CONNECTIONS_ANNOTATION = 'liqo.io/use-direct-connections';
export const DIRECT_CONNECTIONS_ANNOTATION = 'liqo.io/direct-connections-data';

export const NONCE_LABEL = 'liqo.io/nonce';
/** Labels of an object for replication: the destination cluster, and the request to copy it. */
export const REMOTE_ID_LABEL = 'liqo.io/remoteID';
export const REPLICATION_LABEL = 'liqo.io/replication';
export const RESOURCE_SLICE_LABEL = 'liqo.io/resourceslice-name';
export const IDENTITY_TYPE_LABEL = 'liqo.io/identity-type';
export const REMOTE_TENANT_ANNOTATION = 'liqo.io/remote-tenant-namespace';
export const CREATE_VIRTUAL_NODE_ANNOTATION = 'liqo.io/create-virtual-node';

/**
 * A label that only the fork uses.
 * Source: Gabbe64/liqo@b83d06f2 pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export const SHORTCUT_ADDRESSES_LABEL = 'liqo.io/shortcut-addresses';

/**
 * Annotations of a Configuration, defined by weft: the views that its status must have, for the health checks of GitOps
 * tools. The prefix is the name of the package, because weft has no domain.
 */
export const VIEW_ANNOTATIONS = { pod: 'liqo-weft/pod-views', external: 'liqo-weft/external-views' } as const;

/**
 * Annotation of a PublicKey, defined by weft. Any change of it makes the gateway configure its peer again: a client then
 * connects at once.
 */
export const NUDGE_ANNOTATION = 'liqo-weft/nudge';

/**
 * Keys of weft's health checks, of Argo CD and Flux, Helm and kubectl, by which they find and compare their objects. Source:
 * argoproj/argo-cd@v3.1.0 common/common.go, fluxcd/kustomize-controller@v1.6.0 api/v1/kustomization_types.go,
 * helm/helm@v3.18.0 pkg/action/validate.go, kubernetes/kubernetes@v1.32.0 pkg/apis/core/annotation_key_constants.go.
 */
const OF_TOOLS =
  /^(liqo-weft\/|argocd\.argoproj\.io\/|[a-z]+\.toolkit\.fluxcd\.io\/|meta\.helm\.sh\/|kubectl\.kubernetes\.io\/last-applied-configuration$)/;

/** True for a key that Liqo or a GitOps tool writes itself. Users set only Liqo's label of a cluster's provider. */
export const isReservedKey = (key: string): boolean =>
  OF_TOOLS.test(key) || (/^([a-z0-9-]+\.)*liqo\.io(\/|$)/.test(key) && key !== PROVIDER_LABEL);

/** Labels of the copy of an object in the provider. */
export const ORIGIN_ID_LABEL = 'liqo.io/originID';
export const REPLICATED_LABEL = 'liqo.io/replicated';
export const VIRTUAL_NODE_LABEL = 'liqo.io/virtual-node';
export const OFFLOADING_COMPONENT_LABEL = 'offloading.liqo.io/component';
export const SCHEDULING_LABEL = 'liqo.io/scheduling-enabled';
export const NAMESPACE_MAP_ANNOTATION = 'liqo.io/managed-by-namespace-map';
export const ORIGINAL_NAME_ANNOTATION = 'liqo.io/original-name';
export const APP_MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

// API groups and versions of Liqo's objects, the same in every release that weft supports.
// Source: liqotech/liqo@v1.0.3 to @v1.2.0 apis/networking/v1beta1, apis/ipam/v1alpha1.

export const NETWORKING_API = 'networking.liqo.io/v1beta1';
export const IPAM_API = 'ipam.liqo.io/v1alpha1';

// Source: liqotech/liqo@v1.0.0 to @v1.2.0 apis/authentication/v1beta1, apis/offloading/v1beta1.
export const AUTHENTICATION_API = 'authentication.liqo.io/v1beta1';
export const OFFLOADING_API = 'offloading.liqo.io/v1beta1';

/**
 * The API of the External Secrets Operator.
 * Source: external-secrets/external-secrets@v0.17.0 apis/externalsecrets/v1.
 */
export const EXTERNAL_SECRETS_API = 'external-secrets.io/v1';

/** The prefix of tenant namespaces. Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace/const.go (NamePrefix). */
export const TENANT_NAMESPACE_PREFIX = 'liqo-tenant-';

/**
 * The tenant namespace for a remote cluster. Liqo accepts any name; the fork and the operator of
 * ForeignClusterConnections require this one, which liqoctl creates, too.
 */
export const tenantNamespace = (remote: string): string => `${TENANT_NAMESPACE_PREFIX}${remote}`;

/** The kinds of gateway that a ForeignClusterConnection names, the same as in liqoctl's flags. */
export const GATEWAY_TYPES = {
  server: `${NETWORKING_API}/wggatewayservertemplates`,
  client: `${NETWORKING_API}/wggatewayclienttemplates`,
} as const;

/** The operator's default timeout for one connection. */
export const OPERATOR_TIMEOUT_SECONDS = 120;
