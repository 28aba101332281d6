import { AUTHENTICATION_API } from '../../../base/releases/api-versions.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share, Slice } from '../../../fleet/sharing/shared-model.ts';
import type { Field, Manifest } from '../manifest.ts';
import { lowerResourceSlice } from './lower-resource-slice.ts';
import { originalLabels, replicaLabels } from './replica-labels.ts';
import { connectedSlices, isAccepted } from './rest-state.ts';

/**
 * Slices with the answer of their providers, in a consumer, and the copies of them, in a provider. Of resources only those are
 * promised that the slice asks for: the provider adds others with values of its own chart, and never removes one.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller.
 */
export function expectedResourceSlices(borrows: readonly Share[], lends: readonly Share[]): readonly Manifest[] {
  return [...connectedSlices(borrows).map(original), ...connectedSlices(lends).map(replica)];
}

const original = ([share, slice]: readonly [Share, Slice]): Manifest => ({
  apiVersion: AUTHENTICATION_API,
  kind: 'ResourceSlice',
  metadata: {
    name: slice.name,
    namespace: namespaceIn(share.consumer, share.provider.name),
    labels: originalLabels(share),
  },
  status: statusOf(share, slice),
});

const replica = ([share, slice]: readonly [Share, Slice]): Manifest => ({
  ...lowerResourceSlice(share, slice),
  metadata: {
    name: slice.name,
    namespace: namespaceIn(share.provider, share.consumer.name),
    labels: replicaLabels(share),
  },
  status: statusOf(share, slice),
});

function statusOf(share: Share, slice: Slice): Field {
  const authentication = { status: 'Accepted', type: 'Authentication' };
  if (!isAccepted(share, slice)) return { conditions: [authentication] };
  return {
    conditions: [authentication, { status: 'Accepted', type: 'Resources' }],
    resources: Object.keys(slice.resources).length === 0 ? undefined : slice.resources,
  };
}
