import type { OffloadedNamespace, Share } from '../../../fleet/sharing/shared-model.ts';
import type { Field, Manifest } from '../manifest.ts';
import { lowerNamespaceOffloading } from './lower-offloading.ts';
import { acceptedSlices } from './rest-state.ts';

/**
 * NamespaceOffloadings with how far they got in each provider that has a virtual node. The phase is left out when that of a
 * provider is not known: a loan may be running whose key or answer git does not have.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/namespaceoffloading-controller/status.go.
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
    const conditions = known.map(({ provider }) => [provider.name, conditionsOf(it.providers.includes(provider))]);
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

function conditionsOf(isSelected: boolean): Field {
  if (!isSelected) return [{ reason: 'ClusterNotSelected', status: 'False', type: 'OffloadingRequired' }];
  return [
    { reason: 'ClusterSelected', status: 'True', type: 'OffloadingRequired' },
    { reason: 'NamespaceCreated', status: 'True', type: 'Ready' },
  ];
}
