import type { Share, Slice } from '../../../fleet/sharing/shared-model.ts';

// Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/forge (identity.go, kubeconfig.go).

/** The Identity that a consumer has of a provider. */
export const controlPlaneIdentity = ({ provider }: Share): string => `controlplane-${provider.name}`;

/** The Identity that Liqo makes for a slice. */
export const sliceIdentity = ({ name }: Slice): string => `resourceslice-${name}`;

/** The Secret that Liqo makes for an Identity. */
export const kubeconfigSecret = (identity: string): string => `kubeconfig-${identity}`;
