import { refuseValidation } from './refusal.ts';
import type { Pull } from './world.ts';

/** Characters that the body of a pull request or a comment may have. */
export const LONGEST_BODY = 65_536;
const LONGEST_TITLE = 256;

/** The fields of a new pull request. */
export const noDetails = (): Pick<Pull, 'labels' | 'assignees' | 'reviewers'> => ({
  labels: [],
  assignees: [],
  reviewers: [],
});

export const isSameHead = (pull: Pull, { repository, branch }: Pull['head']): boolean =>
  pull.head.repository === repository && pull.head.branch === branch;

export const refuseField = (field: string): never =>
  refuseValidation({ resource: 'PullRequest', field, code: 'invalid' });

export const refuseCustom = (message: string): never =>
  refuseValidation({ resource: 'PullRequest', code: 'custom', message });

/** Source: renovatebot/renovate#2032. */
export function refuseLong({
  title = '',
  body = '',
}: {
  readonly title?: string;
  readonly body?: string | null;
}): void {
  const tooLong = (field: string, most: number): never => {
    const message = `${field} is too long (maximum is ${most} characters)`;
    return refuseValidation({ resource: 'Issue', code: 'custom', field, message });
  };
  if ([...title].length > LONGEST_TITLE) tooLong('title', LONGEST_TITLE);
  if (body !== null && [...body].length > LONGEST_BODY) tooLong('body', LONGEST_BODY);
}
