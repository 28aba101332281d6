import { type Account, type Comment, fullName, type Pull, type Repository } from '../fake-github/world.ts';

export const WEB = 'https://gitea.example';

type Printed = Readonly<Record<string, unknown>>;

/** The account behind the tokens of jobs has the id -2. Source: Gitea, models/user/user_system.go. */
const idOf = ({ kind, id }: Account): number => (kind === 'bot' ? -2 : id);

/** `own` when the owner of the token reads it: others see an address that leads nowhere. */
export const printUser = (it: Account, who: 'own' | 'other' = 'other'): Printed => ({
  id: idOf(it),
  login: it.login,
  login_name: '',
  full_name: it.kind === 'bot' ? 'Gitea Actions' : '',
  email: who === 'own' ? `${it.login}@example.com` : `${it.id}+${it.login}@noreply.gitea.example`,
  avatar_url: `${WEB}/avatars/${it.login}`,
  html_url: `${WEB}/${it.login}`,
  username: it.login,
  created: '2026-01-01T00:00:00Z',
  is_admin: false,
  active: true,
});

export const printRepository = (it: Repository): Printed => ({
  id: it.id,
  name: it.name,
  full_name: fullName(it),
  owner: { id: 1, login: it.owner, username: it.owner, email: '' },
  private: it.isPrivate,
  fork: it.parent !== null,
  empty: it.store.headOf(it.defaultBranch) === null,
  default_branch: it.defaultBranch,
  html_url: `${WEB}/${fullName(it)}`,
  // A separate address, to which the token must not be sent.
  clone_url: `https://clone.gitea.example/${fullName(it)}.git`,
});

export const printLabel = (name: string, id: number): Printed => ({
  id,
  name,
  color: 'ededed',
  description: '',
  exclusive: false,
  is_archived: false,
  url: `${WEB}/labels/${id}`,
});

export function printPull(pull: Pull, into: Repository, people: readonly Account[]): Printed {
  const { head, number } = pull;
  const named = (logins: readonly string[]): readonly Printed[] =>
    people.filter((it) => logins.includes(it.login)).map((it) => printUser(it));
  const present = head.repository.store.headOf(head.branch);
  return {
    id: pull.id,
    number,
    url: `${WEB}/${fullName(into)}/pulls/${number}`,
    html_url: `${WEB}/${fullName(into)}/pulls/${number}`,
    title: pull.title,
    body: pull.body ?? '',
    state: pull.state,
    draft: /^(WIP:|\[WIP\])/i.test(pull.title),
    user: printUser(pull.author),
    labels: pull.labels.map(printLabel),
    assignees: named(pull.assignees),
    requested_reviewers: named(pull.reviewers),
    merged: pull.mergedAt !== null,
    merged_at: pull.mergedAt,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    base: { label: pull.base, ref: pull.base, sha: pull.baseSha, repo_id: into.id, repo: printRepository(into) },
    head: {
      label: head.branch,
      // A deleted branch has only this ref.
      ref: present === null ? `refs/pull/${number}/head` : head.branch,
      // Also of one that was merged long ago. Source: Gitea before 1.24, services/convert/pull.go (ToAPIPullRequest).
      sha: present ?? pull.headSha,
      repo_id: head.repository.id,
      repo: printRepository(head.repository),
    },
  };
}

export const printComment = (it: Comment, repository: Repository): Printed => ({
  id: it.id,
  html_url: `${WEB}/${fullName(repository)}/pulls/${it.pull}#issuecomment-${it.id}`,
  pull_request_url: `${WEB}/${fullName(repository)}/pulls/${it.pull}`,
  issue_url: '',
  user: printUser(it.author),
  body: it.body,
  created_at: it.createdAt,
  updated_at: it.updatedAt,
  assets: [],
});
