import type { Forge } from '../forge/forge.ts';
import type { GitHub } from './ask-github.ts';

/** What a pull request has in common with an issue: GitHub keeps both under one number. */
export function labelsAndAssignees({ octokit, at, name, ask }: GitHub): Pick<Forge, 'addLabels' | 'addAssignees'> {
  const { issues } = octokit.rest;
  return {
    addLabels: (pull, labels) =>
      ask(`label #${pull} in ${name}`, async () => {
        await issues.addLabels({ ...at, issue_number: pull, labels: [...labels] });
      }),
    addAssignees: (pull, logins) =>
      ask(`assign #${pull} in ${name}`, async () => {
        const { data } = await issues.addAssignees({ ...at, issue_number: pull, assignees: [...logins] });
        return (data.assignees ?? []).map((it) => it.login);
      }),
  };
}
