import { LIST_NAME } from '../../../base/core/bundle-path.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** The objects of an offloaded namespace are in a file named after it, next to the list for kustomize. */
export const namespaceNamesLeaveFileNamesFree: TopologyRule = function* ({ offloading }) {
  for (const { namespace } of offloading) {
    if (namespace.value !== LIST_NAME) continue;
    const message = `a namespace called "${LIST_NAME}" cannot be offloaded: its file would have the name of the list for kustomize`;
    yield diagnostic('topology/bad-name', namespace.at, message, { hint: 'choose another name for the namespace' });
  }
};
