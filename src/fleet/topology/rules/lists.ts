import { placeKey } from '../../../base/diagnostics/accept-diagnostics.ts';
import { type Acceptance, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../../base/source/source.ts';
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

/** A code is accepted once at a place, and a link has two ends. */
export const acceptancesDiffer: TopologyRule = function* ({ acceptances }) {
  const first = new Map<string, Acceptance>();
  for (const it of acceptances) {
    const { code, where } = it;
    if (where.kind === 'link' && where.between[0].value === where.between[1].value) {
      const [a, b] = where.between;
      yield diagnostic('topology/self-link', b.at, `"${a.value}" is at both ends of this link`, {
        hint: 'name two different clusters, or write `cluster`',
        related: [{ message: 'the same cluster is named here', span: a.at }],
      });
    }
    const key = `${code.value} ${placeKey(where)}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, it);
    else {
      yield diagnostic('topology/wrong-value', code.at, `"${code.value}" is accepted twice at one place`, {
        hint: 'remove one of the two entries',
        related: [{ message: 'the first entry', span: earlier.code.at }],
      });
    }
  }
};
