import { placeKey } from '../../../base/diagnostics/accept-diagnostics.ts';
import type { Acceptance } from '../../../base/diagnostics/acceptance.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

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
