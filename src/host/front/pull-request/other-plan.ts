import type { Remark } from '../../../answers/report/remark.ts';
import type { PlannedPullRequest } from '../../app/plan-pull-request.ts';
import type { PullRequestCall } from './pull-request-call.ts';

/** Why a run stops whose plan is not the one that was reviewed; `undefined` if it is, or if none is named. */
export const otherPlan = (
  { reviewedPlan }: PullRequestCall,
  { planId }: Pick<PlannedPullRequest, 'planId'>,
): Remark | undefined =>
  reviewedPlan === undefined || reviewedPlan === planId
    ? undefined
    : {
        severity: 'error',
        message: `this plan is ${planId}, and the reviewed one is ${reviewedPlan}`,
        hint: 'review the plan again: the topology, the lock or the bundles have changed since',
      };
