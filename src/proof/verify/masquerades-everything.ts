import type { ClusterDeclaration } from '../../fleet/topology/declaration.ts';

/**
 * Whether every packet to a peer gets the unknown source, also those of pods. liqoctl sets that on EKS, because of its CNI.
 * Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/eks/provider.go (`fullMasquerade`).
 */
export const masqueradesEverything = ({ platform, cni }: Pick<ClusterDeclaration, 'platform' | 'cni'>): boolean =>
  platform?.value === 'eks' || cni?.value === 'aws-vpc';
