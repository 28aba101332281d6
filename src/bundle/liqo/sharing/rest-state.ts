import type { AddressedCluster } from '../../../fleet/ipam/addressed-model.ts';
import {
  type Partner,
  type Share,
  type SharedModel,
  type Slice,
  sharingOf,
} from '../../../fleet/sharing/shared-model.ts';

/*
 * How far controllers get with what is in git, once nothing moves any more. What depends on more than that is not promised:
 * how a condition was before, a class that another controller answers, what a drained tenant leaves behind.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication, pkg/liqo-controller-manager/offloading.
 */

/** The class that Liqo answers by itself. */
const DEFAULT_CLASS = 'default';

/**
 * What a cluster borrows and lends, without what is drained: a drained tenant keeps a part of what was there. The other
 * direction of its pair goes on, since Liqo deletes only what the tenant has copied and may do.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go
 * (handleTenantDrained), pkg/utils/labels/labelSelectors.go (RemoteLabelSelectorForCluster).
 */
export function settledSharing(cluster: AddressedCluster, model: SharedModel) {
  const { borrows, lends } = sharingOf(model, cluster.name);
  return { borrows: borrows.filter(isSettled), lends: lends.filter(isSettled) };
}

const isSettled = ({ condition }: Share): boolean => condition !== 'Drained';

/** Whether one of two clusters drains the other: what Liqo says of the pair depends on what was there before. */
export const isDraining = ({ borrowed, lent }: Partner): boolean =>
  [borrowed, lent].some((it) => it !== null && !isSettled(it));

/** Whether the provider knows the consumer: a Tenant is there, and whatever Liqo checks about it holds. */
export const isServed = ({ auth, key }: Share): boolean => auth === 'credentials' || key !== null;

/**
 * Whether the consumer can reach the provider: what it answered is in git, or credentials are handed out as a Secret. Then
 * slices are copied there, and certificates for them come back.
 */
export const isConnected = (share: Share): boolean =>
  isServed(share) && (share.auth === 'credentials' || share.identity !== null);

/** Whether Liqo accepts what a slice asks for. A cordoned tenant keeps what it has, and gets nothing more. */
export const isAccepted = (share: Share, slice: Slice): boolean =>
  isConnected(share) && share.condition === 'Active' && slice.class === DEFAULT_CLASS;

/** The slices of a share that become virtual nodes. */
export const acceptedSlices = (share: Share): readonly Slice[] => share.slices.filter((it) => isAccepted(share, it));

/** Every slice that is copied to its provider, with its share; of which cluster is the choice of the caller. */
export const connectedSlices = (shares: readonly Share[]): readonly (readonly [Share, Slice])[] =>
  shares.filter(isConnected).flatMap((share) => share.slices.map((slice) => [share, slice] as const));

/** Of these the ones that Liqo accepts. */
export const virtualNodes = (shares: readonly Share[]): readonly (readonly [Share, Slice])[] =>
  connectedSlices(shares).filter(([share, slice]) => isAccepted(share, slice));
