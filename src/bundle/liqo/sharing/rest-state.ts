import type { AddressedCluster } from '../../../fleet/ipam/addressed-model.ts';
import {
  type Partner,
  type Share,
  type SharedModel,
  type Slice,
  sharingOf,
} from '../../../fleet/sharing/shared-model.ts';

/*
 * The final state that controllers reach with the files in git. Results that depend on more are not promised: earlier
 * conditions, a class that another controller serves, the remains of a drained tenant. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication, pkg/liqo-controller-manager/offloading.
 */

/** The class that Liqo answers automatically. */
const DEFAULT_CLASS = 'default';

/**
 * The loans of a cluster without drained ones, because a drained tenant keeps some of its objects. The other direction
 * of the pair continues, since Liqo deletes only the tenant's copies and rights. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go (handleTenantDrained),
 * pkg/utils/labels/labelSelectors.go (RemoteLabelSelectorForCluster).
 */
export function settledSharing(cluster: AddressedCluster, model: SharedModel) {
  const { borrows, lends } = sharingOf(model, cluster.name);
  return { borrows: borrows.filter(isSettled), lends: lends.filter(isSettled) };
}

const isSettled = ({ condition }: Share): boolean => condition !== 'Drained';

/** True when one of two clusters drains the other: Liqo's status of the pair then depends on its earlier state. */
export const isDraining = ({ borrowed, lent }: Partner): boolean =>
  [borrowed, lent].some((it) => it !== null && !isSettled(it));

/** True when the provider accepts the consumer: a Tenant exists and passes all checks of Liqo. */
export const isServed = ({ auth, key }: Share): boolean => auth === 'credentials' || key !== null;

/**
 * True when the consumer can reach the provider: the answer is in git, or credentials are provided as a Secret. Slices
 * are then copied to the provider, and their certificates are returned.
 */
export const isConnected = (share: Share): boolean =>
  isServed(share) && (share.auth === 'credentials' || share.identity !== null);

/** True when Liqo accepts a slice's request. A cordoned tenant keeps its resources, and gets no more. */
export const isAccepted = (share: Share, slice: Slice): boolean =>
  isConnected(share) && share.condition === 'Active' && slice.class === DEFAULT_CLASS;

/** The slices of a share that become virtual nodes. */
export const acceptedSlices = (share: Share): readonly Slice[] => share.slices.filter((it) => isAccepted(share, it));

/** Every slice that is copied to its provider, with its share. The caller selects the cluster by its shares. */
export const connectedSlices = (shares: readonly Share[]): readonly (readonly [Share, Slice])[] =>
  shares.filter(isConnected).flatMap((share) => share.slices.map((slice) => [share, slice] as const));

/** The slices among them that Liqo accepts. */
export const virtualNodes = (shares: readonly Share[]): readonly (readonly [Share, Slice])[] =>
  connectedSlices(shares).filter(([share, slice]) => isAccepted(share, slice));
