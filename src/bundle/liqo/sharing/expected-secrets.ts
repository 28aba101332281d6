import { IDENTITY_TYPE_LABEL, REMOTE_CLUSTER_LABEL, REMOTE_TENANT_ANNOTATION } from '../../../base/releases/labels.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share, Slice } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { controlPlaneIdentity, kubeconfigSecret, sliceIdentity } from './names-of-identities.ts';
import { connectedSlices, isConnected, isServed } from './rest-state.ts';

/**
 * That Secrets are there, by their names and labels; never what is in them. In a consumer kubeconfigs, in a provider the
 * certificates that it signed. The kubeconfig of a consumer with credentials comes from a secret manager, with these names.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/forge, pkg/identityManager.
 */
export function expectedSecrets(borrows: readonly Share[], lends: readonly Share[]): readonly Manifest[] {
  return [
    ...borrows.filter(isConnected).map(controlPlaneKubeconfig),
    ...connectedSlices(borrows).map(sliceKubeconfig),
    ...lends.filter((it) => isServed(it) && it.auth === 'handshake').map((it) => certificate(it, '')),
    ...connectedSlices(lends).map(([share, slice]) => certificate(share, `-${slice.name}`)),
  ];
}

const controlPlaneKubeconfig = (share: Share): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: kubeconfigSecret(controlPlaneIdentity(share)),
    namespace: namespaceIn(share.consumer, share.provider.name),
    labels: { [IDENTITY_TYPE_LABEL]: 'ControlPlane', [REMOTE_CLUSTER_LABEL]: share.provider.name },
    annotations: { [REMOTE_TENANT_ANNOTATION]: namespaceIn(share.provider, share.consumer.name) },
  },
});

const sliceKubeconfig = ([{ consumer, provider }, slice]: readonly [Share, Slice]): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: kubeconfigSecret(sliceIdentity(slice)),
    namespace: namespaceIn(consumer, provider.name),
    labels: { [IDENTITY_TYPE_LABEL]: 'ResourceSlice', [REMOTE_CLUSTER_LABEL]: provider.name },
  },
});

const certificate = ({ consumer, provider }: Share, suffix: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: `liqo-remote-certificate${suffix}`,
    namespace: namespaceIn(provider, consumer.name),
    labels: { [REMOTE_CLUSTER_LABEL]: consumer.name },
  },
});
