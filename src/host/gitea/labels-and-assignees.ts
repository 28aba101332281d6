import type { Forge } from '../forge/forge.ts';
import { fieldsOf, listOf } from '../http/read-answer.ts';
import type { Gitea } from './ask-gitea.ts';

/** A label needs a color. This is the gray that GitHub gives to labels without one. */
const COLOR = '#ededed';

/** What a pull request has in common with an issue: Gitea keeps both under one number. */
export function labelsAndAssignees(gitea: Gitea): Pick<Forge, 'addLabels' | 'addAssignees'> {
  const { name, ask } = gitea;
  return {
    addLabels: (pull, labels) => ask(`label #${pull} in ${name}`, () => addLabels(gitea, pull, labels)),
    addAssignees: (pull, logins) => ask(`assign #${pull} in ${name}`, () => addAssignees(gitea, pull, logins)),
  };
}

/**
 * Names, instead of the ids of labels, since 1.22. They include labels of the organization, which the token may not list.
 * Gitea ignores names that it does not know, and reports all labels of the pull request. Source: go-gitea/gitea#30943.
 */
async function addLabels(gitea: Gitea, pull: number, labels: readonly string[]): Promise<void> {
  const add = async (names: readonly string[]): Promise<ReadonlySet<string>> => {
    const path = `${gitea.at}/issues/${pull}/labels`;
    const { body } = await gitea.send({ method: 'POST', path, body: { labels: names }, mayRepeat: true });
    return new Set(listOf(body).map((it) => it.text('name')));
  };
  const added = await add(labels);
  for (const label of labels.filter((it) => !added.has(it))) {
    await gitea.makeOnce(
      async () => {
        await gitea.send({ method: 'POST', path: `${gitea.at}/labels`, body: { name: label, color: COLOR } });
        return add([label]);
      },
      // A second label of the same name would be another one.
      async () => {
        const known = await add([label]);
        return known.has(label) ? known : undefined;
      },
    );
  }
}

/** The assignees can only be set all at once, and a name that Gitea does not know makes it refuse all of them. */
async function addAssignees(
  { at, send, list }: Gitea,
  pull: number,
  logins: readonly string[],
): Promise<readonly string[]> {
  const path = `${at}/pulls/${pull}`;
  const assigneesOf = (body: unknown): readonly string[] =>
    fieldsOf(body)
      .list('assignees')
      .map((it) => it.text('login'));
  const present = assigneesOf((await send({ method: 'GET', path })).body);
  const possible = new Set((await list(`${at}/assignees`)).map((it) => it.text('login').toLowerCase()));
  const more = logins.filter((it) => possible.has(it.toLowerCase()));
  if (more.length === 0) return present;
  return assigneesOf((await send({ method: 'PATCH', path, body: { assignees: [...present, ...more] } })).body);
}
