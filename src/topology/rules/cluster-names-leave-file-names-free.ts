import { LIST_NAME } from '../../core/bundle-path.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** The objects for a peer are in a file called like it, beside the list for kustomize: the two names must differ. */
export const clusterNamesLeaveFileNamesFree: TopologyRule = function* (topology) {
  for (const { value, at } of topology.names) {
    if (value !== LIST_NAME) continue;
    const message = `a cluster cannot be called "${value}": every peer would have two files of that name`;
    yield diagnostic('topology/bad-name', at, message, {
      hint: `Liqo takes the name, but bundles have a ${value}.yaml in each folder; choose another cluster ID`,
    });
  }
};
