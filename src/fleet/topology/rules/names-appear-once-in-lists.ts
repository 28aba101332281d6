import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../../base/source/located.ts';
import type { TopologyRule } from './topology-rule.ts';

/** A cluster appears once in `hub` and once in `order`. */
export const namesAppearOnceInLists: TopologyRule = function* (topology) {
  for (const list of [topology.hubs, topology.order, ...topology.clusters.map((it) => it.hubs ?? [])]) {
    const first = new Map<string, Located<string>>();
    for (const name of list) {
      const earlier = first.get(name.value);
      if (!earlier) first.set(name.value, name);
      else {
        yield diagnostic('topology/wrong-value', name.at, `"${name.value}" is listed twice`, {
          hint: 'remove one of the two entries',
          related: [{ message: 'the first entry', span: earlier.at }],
        });
      }
    }
  }
};
