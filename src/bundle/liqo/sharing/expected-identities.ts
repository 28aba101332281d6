import { AUTHENTICATION_API } from '../../../base/releases/api-versions.ts';
import { REMOTE_CLUSTER_LABEL, RESOURCE_SLICE_LABEL } from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { controlPlaneIdentity, kubeconfigSecret, sliceIdentity } from './names-of-identities.ts';
import { connectedSlices } from './rest-state.ts';

/**
 * The Identity of git with the kubeconfig that Liqo makes of it, and one that Liqo makes for each slice. Certificates are left
 * out: nobody knows them before they are signed.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/identity-controller, identitycreator-controller.
 */
export function expectedIdentities(borrows: readonly Share[]): readonly Manifest[] {
  const ofControlPlanes = borrows
    .filter((it) => it.auth === 'handshake' && it.identity !== null)
    .map((it) => identity(it, controlPlaneIdentity(it), {}));
  const ofSlices = connectedSlices(borrows).map(([share, slice]) => ({
    ...identity(share, sliceIdentity(slice), { [RESOURCE_SLICE_LABEL]: slice.name }),
    spec: { clusterID: share.provider.name, type: 'ResourceSlice' },
  }));
  return [...ofControlPlanes, ...ofSlices];
}

const identity = ({ consumer, provider }: Share, name: string, labels: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: AUTHENTICATION_API,
  kind: 'Identity',
  metadata: {
    name,
    namespace: namespaceIn(consumer, provider.name),
    labels: { [REMOTE_CLUSTER_LABEL]: provider.name, ...labels },
  },
  status: { kubeconfigSecretRef: { name: kubeconfigSecret(name) } },
});
