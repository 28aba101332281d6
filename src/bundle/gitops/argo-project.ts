import { sortedUnique } from '../../base/core/collections.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../base/releases/labels.ts';
import { type AddressedCluster, ownEnd } from '../../fleet/ipam/addressed-model.ts';
import type { ArgoSettings, Fleet, GitOps } from '../../fleet/model/network-model.ts';
import { type SharedModel, sharingOf } from '../../fleet/sharing/shared-model.ts';
import type { EntryPointField, EntryPointManifest } from './entry-point.ts';

/** The values that all Argo CD objects of one fleet share. */
export interface ArgoSetting {
  readonly model: SharedModel;
  readonly gitops: GitOps;
  readonly argo: ArgoSettings;
}

/** Restricts the Applications to one repository, to the namespaces of the bundles and to their kinds. */
export function appProject({ model, gitops, argo }: ArgoSetting): EntryPointManifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: argo.project, namespace: argo.namespace },
    spec: {
      sourceRepos: [gitops.repository],
      destinations: [...model.clusters.values()].flatMap((it) => destinationsOf(it, model)),
      // Argo CD before 3.3 ignores the name here and allows every namespace.
      clusterResourceWhitelist: namespacesOfBundles(model).map((name) => ({ group: '', kind: 'Namespace', name })),
      namespaceResourceWhitelist: [...kindsOf(model.fleet), ...sharedKinds(model)],
    },
  };
}

const TENANT_NAMESPACES = `${TENANT_NAMESPACE_PREFIX}*`;

function destinationsOf(it: AddressedCluster, model: SharedModel): readonly EntryPointField[] {
  const { name, gitops, liqoNamespace } = it;
  const cluster = { name: gitops.name, ...(gitops.server === null ? {} : { server: gitops.server }) };
  const offloaded = sharingOf(model, name).offloads.map((it) => it.namespace);
  return [...new Set([TENANT_NAMESPACES, ...otherTenantNamespaces(it), liqoNamespace, ...offloaded])].map(
    (namespace) => ({ ...cluster, namespace }),
  );
}

/** Tenant namespaces that the topology names itself, in order of name. */
const otherTenantNamespaces = ({ peers }: AddressedCluster): readonly string[] =>
  sortedUnique(
    [...peers.values()].map((it) => ownEnd(it).names.namespace).filter((it) => !it.startsWith(TENANT_NAMESPACE_PREFIX)),
  );

/**
 * The namespaces of all clusters: tenant namespaces, and offloaded ones that weft creates. The list does not
 * distinguish clusters.
 */
function namespacesOfBundles({ clusters, offloadings }: SharedModel): readonly string[] {
  const created = offloadings.filter((it) => it.createNamespace).map((it) => it.namespace);
  const others = [...clusters.values()].flatMap(otherTenantNamespaces);
  return [TENANT_NAMESPACES, ...sortedUnique([...others, ...created])];
}

/**
 * The kinds that a fleet may apply. Gateway templates are allowed even while there are none: the author of a topology
 * may lack the permission to change the project for the first one. Keys are usually in a SealedSecret or an
 * ExternalSecret.
 */
function kindsOf(fleet: Fleet): readonly EntryPointField[] {
  const networking = [
    'Configuration',
    ...(fleet.emitConnections ? ['Connection'] : []),
    ...(fleet.shortcutOperator ? ['ForeignClusterConnection'] : []),
    'GatewayClient',
    'GatewayServer',
    'PublicKey',
    'WgGatewayClientTemplate',
    'WgGatewayServerTemplate',
  ];
  return [
    { group: 'bitnami.com', kind: 'SealedSecret' },
    { group: 'external-secrets.io', kind: 'ExternalSecret' },
    ...networking.map((kind) => ({ group: 'networking.liqo.io', kind })),
  ];
}

/**
 * The kinds that the fleet's sharing uses. Others are left out, because a Secret or a RoleBinding that anyone who can
 * write to the repository may apply is more than a network needs. A list of kinds also hides all others in the tree of
 * an Application, so it contains the objects that Liqo creates from a slice. Source: argoproj/argo-cd
 * docs/user-guide/projects.md.
 */
function sharedKinds({ shares, offloadings }: SharedModel): readonly EntryPointField[] {
  const handshake = shares.some((it) => it.auth === 'handshake');
  const credentials = shares.some((it) => it.auth === 'credentials');
  return [
    ...(shares.length > 0 ? ['Identity', 'ResourceSlice', 'Tenant'] : []).map(kindIn('authentication.liqo.io')),
    ...(shares.length > 0 ? ['VirtualNode'] : []).map(kindIn('offloading.liqo.io')),
    ...(offloadings.length > 0 ? ['NamespaceOffloading'] : []).map(kindIn('offloading.liqo.io')),
    ...(handshake ? ['Secret'] : []).map(kindIn('')),
    ...(credentials ? ['ServiceAccount'] : []).map(kindIn('')),
    ...(credentials ? ['RoleBinding'] : []).map(kindIn('rbac.authorization.k8s.io')),
  ];
}

const kindIn =
  (group: string) =>
  (kind: string): EntryPointField => ({ group, kind });
