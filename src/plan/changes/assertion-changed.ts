import { changeKind } from '../change-kind.ts';
import { demandId, isStronger } from '../demand.ts';
import { ABOUT_FLEET, aboutCluster } from '../subject.ts';
import { before, breaks, follows, harmless } from '../verdict.ts';

export const assertionChanged = changeKind('assertion-changed')({
  identity: ({ from, to }) => [demandId(from), demandId(to)],
  subject: ({ from, to, spared }) => {
    const [first, ...others] = new Set([from, to].flatMap((it) => it?.named ?? []).concat(spared));
    return first === undefined ? ABOUT_FLEET : aboutCluster(first, others);
  },
  code: 'plan/demands-less',
  judge: ({ from, to, spared, isImplied }, { after }) => {
    if (from === null) return harmless('add', 'holds-already');
    if (to !== null && spared.length === 0 && isStronger(from, to)) return harmless('change', 'demands-more');
    const action = to === null ? 'remove' : 'change';
    if (isImplied) return harmless(action, 'another-demands-it');
    // A side of a Service alone has no clusters.
    const hasLeft = (side: readonly string[]): boolean =>
      side.length > 0 && side.every((it) => after.clusters.get(it)?.retired !== false);
    if (to === null && from.applies.some(hasLeft)) return follows('remove', 'its-clusters-leave');
    return breaks(action, 'nobody-notices', before('ask-who-relies-on-it'));
  },
  flows: () => [],
  explains: () => [],
});
