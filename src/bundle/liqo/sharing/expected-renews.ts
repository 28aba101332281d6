import { AUTHENTICATION_API } from '../../../base/releases/api-versions.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { controlPlaneIdentity } from './names-of-identities.ts';
import { originalLabels, replicaLabels } from './replica-labels.ts';
import { isConnected } from './rest-state.ts';

/**
 * The way on which a renewed certificate of a consumer comes back, at both ends. A consumer with credentials has none.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller.
 */
export function expectedRenews(borrows: readonly Share[], lends: readonly Share[]): readonly Manifest[] {
  return [
    ...borrows.filter(isRenewed).map((it) => renew(it, namespaceIn(it.consumer, it.provider.name), originalLabels(it))),
    ...lends.filter(isRenewed).map((it) => renew(it, namespaceIn(it.provider, it.consumer.name), replicaLabels(it))),
  ];
}

const isRenewed = (share: Share): boolean =>
  share.auth === 'handshake' && isConnected(share) && share.consumer.traits.renewsCertificates;

const renew = (share: Share, namespace: string, labels: Readonly<Record<string, string>>): Manifest => ({
  apiVersion: AUTHENTICATION_API,
  kind: 'Renew',
  metadata: { name: controlPlaneIdentity(share), namespace, labels },
  spec: { consumerClusterID: share.consumer.name, identityType: 'ControlPlane' },
});
