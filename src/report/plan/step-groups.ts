import { someOf } from '../../core/words.ts';
import { type Displaced, displacedNewcomers, linksToMakeFirst } from '../../plan/links-in-order.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import type { StepTime } from '../../plan/verdict.ts';
import { type DescribedStep, describeSteps } from './describe-change.ts';

interface StepGroup {
  readonly when: StepTime;
  readonly what: string;
  readonly on: readonly string[];
}

const TIMES: readonly StepTime[] = ['before', 'together', 'after'];

/** What to do, in order; similar steps together. */
export function stepGroups({ changes, batches }: Plan): readonly StepGroup[] {
  const groups = new Map<string, { readonly when: StepTime; readonly what: string; readonly on: Set<string> }>();
  const links = linksToMakeFirst(changes).map(
    ({ ends }): DescribedStep => ({ ...MAKE_BEFORE_BREAK, on: ends.join(' and ') }),
  );
  const first = [
    ...links,
    ...displacedNewcomers(changes).map(displacedStep),
    ...(batches.length > 1 ? batches.map(batchStep) : []),
  ];
  for (const { when, what, on } of [...first, ...changes.flatMap((it) => describeSteps(it))]) {
    const key = `${when} ${what}`;
    const group = groups.get(key) ?? { when, what, on: new Set<string>() };
    groups.set(key, group);
    group.on.add(on);
  }
  return [...groups.values()]
    .map((it) => ({ ...it, on: [...it.on] }))
    .sort((a, b) => TIMES.indexOf(a.when) - TIMES.indexOf(b.when));
}

/** Leavers named for one newcomer. */
const NAMED_LEAVERS = 3;

const displacedStep = ({ cluster, newcomer, leavers }: Displaced): DescribedStep => ({
  when: 'before',
  what: 'remove what leaves in a change of its own, if the new cluster is to have its addresses: until it is pruned, it holds them',
  on: `${someOf(leavers, NAMED_LEAVERS)} before ${newcomer} in ${cluster}`,
});

const batchStep = (names: readonly string[], i: number): DescribedStep => ({
  when: 'before',
  what: 'make it several changes, and wait after each until all links of its clusters are connected',
  on: `${i + 1}. ${names.join(', ')}`,
});

const MAKE_BEFORE_BREAK = {
  when: 'before',
  what: 'make before break: add the new links in a separate change, and remove the old ones once these are connected',
} as const;
