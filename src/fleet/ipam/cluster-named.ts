import { bug } from '../../base/diagnostics/bug.ts';
import type { AddressedCluster, AddressedModel } from './addressed-model.ts';

/** A cluster by its name. Links, peers and checked requests name only clusters of the model: another name is a bug. */
export const clusterNamed = ({ clusters }: Pick<AddressedModel, 'clusters'>, name: string): AddressedCluster =>
  clusters.get(name) ?? bug(`"${name}" is not a cluster of the model`);
