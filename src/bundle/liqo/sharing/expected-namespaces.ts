import {
  NAMESPACE_MAP_ANNOTATION,
  OFFLOADING_API,
  ORIGINAL_NAME_ANNOTATION,
  REMOTE_CLUSTER_LABEL,
  SCHEDULING_LABEL,
} from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/addressed-model.ts';
import {
  type OffloadedNamespace,
  type Share,
  type SharedModel,
  sharingOf,
} from '../../../fleet/sharing/shared-model.ts';
import type { Field, Manifest } from '../manifest.ts';
import { lowerNamespaceOffloading } from './lower-sharing.ts';
import { originalLabels, replicaLabels } from './names.ts';
import { acceptedSlices } from './rest-state.ts';

/**
 * Offloaded namespaces in a consumer, with the label by which pods are sent to other clusters, and the consumers'
 * namespaces in a provider. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/namespaceoffloading-controller, namespacemap-controller.
 */
export function expectedNamespaces(
  offloads: readonly OffloadedNamespace[],
  lent: readonly RemoteNamespace[],
): readonly Manifest[] {
  const own = offloads.filter((it) => it.pods !== 'Local');
  return [...own.map((it) => namespace(it.namespace, { [SCHEDULING_LABEL]: 'true' })), ...lent.map(remoteNamespace)];
}

const namespace = (name: string, labels: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});

const remoteNamespace = ({ share, offloaded }: RemoteNamespace): Manifest => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: offloaded.remoteName,
    labels: { [REMOTE_CLUSTER_LABEL]: share.consumer.name },
    annotations: {
      [NAMESPACE_MAP_ANNOTATION]: namespaceMapOf(share),
      [ORIGINAL_NAME_ANNOTATION]: offloaded.namespace,
    },
  },
});

/**
 * The mapping of a consumer's namespaces to those in a provider, at both ends: one for each pair with a virtual node.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller (namespacemap.go),
 * namespacemap-controller.
 */
export function expectedNamespaceMaps(
  borrows: readonly Share[],
  lends: readonly Share[],
  model: SharedModel,
): readonly Manifest[] {
  const offloads = (it: Share): boolean => acceptedSlices(it).length > 0;
  return [
    ...borrows
      .filter(offloads)
      .map((it) => namespaceMap(it, model, [namespaceIn(it.consumer, it.provider.name), originalLabels(it)])),
    ...lends
      .filter(offloads)
      .map((it) => namespaceMap(it, model, [namespaceIn(it.provider, it.consumer.name), replicaLabels(it)])),
  ];
}

function namespaceMap(
  share: Share,
  model: SharedModel,
  [namespace, labels]: readonly [string, Readonly<Record<string, string>>],
): Manifest {
  const namespaces = remoteNamespaces([share], model).map((it) => it.offloaded);
  const map = {
    apiVersion: OFFLOADING_API,
    kind: 'NamespaceMap',
    metadata: { name: share.provider.name, namespace, labels },
  };
  if (namespaces.length === 0) return map;
  return {
    ...map,
    spec: { desiredMapping: Object.fromEntries(namespaces.map((it) => [it.namespace, it.remoteName])) },
    status: {
      currentMapping: Object.fromEntries(
        namespaces.map((it) => [it.namespace, { phase: 'Accepted', remoteNamespace: it.remoteName }]),
      ),
    },
  };
}

/**
 * NamespaceOffloadings with their status in each provider that has a virtual node. The phase is left out when that of a
 * provider is unknown: a loan may be active whose key or answer is not in git. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go.
 */
export function expectedNamespaceOffloadings(
  offloads: readonly OffloadedNamespace[],
  { all, settled }: { readonly all: readonly Share[]; readonly settled: readonly Share[] },
): readonly Manifest[] {
  const known = settled.filter((it) => acceptedSlices(it).length > 0);
  const isKnown = new Set(known);
  const unknown = all.filter((it) => !isKnown.has(it)).map((it) => it.provider);
  return offloads.map((it) => {
    const targets = known.filter((share) => it.providers.includes(share.provider));
    const phase = targets.length > 0 ? 'Ready' : 'NoClusterSelected';
    const isSure = !it.providers.some((provider) => unknown.includes(provider));
    const conditions = known.map(({ provider }) => [
      provider.name,
      offloadingConditions(it.providers.includes(provider)),
    ]);
    return {
      ...lowerNamespaceOffloading(it),
      status: {
        offloadingPhase: isSure ? phase : undefined,
        remoteNamespaceName: it.remoteName,
        remoteNamespacesConditions: known.length > 0 ? Object.fromEntries(conditions) : undefined,
      },
    };
  });
}

function offloadingConditions(isSelected: boolean): Field {
  if (!isSelected) return [{ reason: 'ClusterNotSelected', status: 'False', type: 'OffloadingRequired' }];
  return [
    { reason: 'ClusterSelected', status: 'True', type: 'OffloadingRequired' },
    { reason: 'NamespaceCreated', status: 'True', type: 'Ready' },
  ];
}

/** A namespace of a consumer in one of its providers. */
export interface RemoteNamespace {
  readonly share: Share;
  readonly offloaded: OffloadedNamespace;
}

/** The consumers' namespaces in the providers of some shares, by consumer, then by namespace. */
export const remoteNamespaces = (shares: readonly Share[], model: SharedModel): readonly RemoteNamespace[] =>
  shares
    .filter((it) => acceptedSlices(it).length > 0)
    .flatMap((share) =>
      sharingOf(model, share.consumer.name)
        .offloads.filter((it) => it.providers.includes(share.provider))
        .map((offloaded) => ({ share, offloaded })),
    );

/** The NamespaceMap in the provider, as annotations refer to it. */
export const namespaceMapOf = ({ consumer, provider }: Share): string =>
  `${namespaceIn(provider, consumer.name)}/${provider.name}`;
