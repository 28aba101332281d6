import { LIST_NAME } from '../../../base/core/bundle-path.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** The objects for a peer are in a file named after it, next to the list for kustomize: the two names must differ. */
export const clusterNamesLeaveFileNamesFree: TopologyRule = function* (topology) {
  for (const { value, at } of topology.names) {
    if (value !== LIST_NAME) continue;
    const message = `a cluster must not be called "${value}": the folder of every peer would have two files of that name`;
    yield diagnostic('topology/bad-name', at, message, {
      hint: `choose another cluster ID: every folder of a bundle already contains a ${value}.yaml`,
    });
  }
};
