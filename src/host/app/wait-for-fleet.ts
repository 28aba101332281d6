import { countOf } from '../../base/core/words.ts';
import { isDrift } from '../../live/drift/problem.ts';
import type { DriftResult } from './drift-fleet.ts';
import { OperationRefused } from './operation-refused.ts';

/** Between two looks: a gateway takes about as long to start, and no API server notices a look. */
const PAUSE_MILLISECONDS = 10_000;

interface Waiting {
  readonly look: () => Promise<DriftResult>;
  /** Milliseconds, of any clock that does not go back. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly notify: (line: string) => Promise<void>;
  readonly limitMilliseconds: number;
}

/**
 * Looks at once, and again after each pause, until nothing differs or the time is over; the result is that of the last look.
 * A cluster that cannot be read for a while is looked at again, too, once it could be read.
 */
export async function waitForFleet({ look, now, sleep, notify, limitMilliseconds }: Waiting): Promise<DriftResult> {
  const end = now() + limitMilliseconds;
  let result = await look();
  while (result.kind === 'compared' && result.clusters.some(({ problems }) => problems.some(isDrift))) {
    const left = end - now();
    if (left <= 0) return result;
    await notify(progressOf(result.clusters, left));
    await sleep(Math.min(PAUSE_MILLISECONDS, left));
    result = await again(look, { result, notify, isLast: end - now() <= 0 });
  }
  return result;
}

interface Again {
  readonly result: DriftResult;
  readonly notify: (line: string) => Promise<void>;
  readonly isLast: boolean;
}

async function again(look: () => Promise<DriftResult>, { result, notify, isLast }: Again): Promise<DriftResult> {
  try {
    return await look();
  } catch (error) {
    if (isLast || !(error instanceof OperationRefused) || error.refusal.kind !== 'cluster-not-read') throw error;
    await notify(`kubectl cannot read "${error.refusal.cluster}" at the moment: ${error.refusal.failure.message}`);
    return result;
  }
}

type Compared = Extract<DriftResult, { readonly kind: 'compared' }>;

/** Clusters whose next step is named in a line of progress. */
const NAMED = 3;

function progressOf(clusters: Compared['clusters'], left: number): string {
  const open = clusters.filter(({ problems }) => problems.some(isDrift));
  const named = open.slice(0, NAMED).map(({ drift, problems, rollout }) => {
    const { there, compared, waitsFor } = rollout;
    const next = waitsFor === null ? countOf(problems.filter(isDrift).length, 'problem') : `waits for ${waitsFor}`;
    return `${drift.cluster} ${there} of ${compared}, ${next}`;
  });
  const more = open.length - named.length;
  const others = more > 0 ? [countOf(more, 'more cluster')] : [];
  return `${[...named, ...others].join('; ')}; ${countOf(Math.ceil(left / 1000), 'second')} left`;
}
