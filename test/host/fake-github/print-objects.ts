import type { JsonObject } from './description.ts';
import { filled } from './sample.ts';
import { type Account, type Comment, fullName, type Pull, type Repository } from './world.ts';

/** The addresses of a repository's objects: for the API, and for browsers. */
export const apiUrl = (repository: Repository, rest = ''): string =>
  `https://api.github.com/repos/${fullName(repository)}${rest}`;
export const webUrl = (repository: Repository, rest = ''): string =>
  `https://github.com/${fullName(repository)}${rest}`;

/** Opaque to clients. */
export const nodeId = (kind: string, id: number | string): string => Buffer.from(`${kind}:${id}`).toString('base64');

export const printAccount = ({ login, id, kind }: Account): JsonObject =>
  filled('simple-user', {
    login,
    id,
    node_id: nodeId('User', id),
    type: kind === 'bot' ? 'Bot' : 'User',
    url: `https://api.github.com/users/${encodeURIComponent(login)}`,
    html_url: kind === 'bot' ? 'https://github.com/apps/github-actions' : `https://github.com/${login}`,
  });

const printOwner = ({ owner }: Repository): JsonObject =>
  filled('simple-user', { login: owner, id: 1, node_id: nodeId('User', 1), type: 'Organization' });

export const printRepository = (it: Repository, component = 'repository'): JsonObject =>
  filled(component, {
    id: it.id,
    node_id: nodeId('Repository', it.id),
    name: it.name,
    full_name: fullName(it),
    owner: printOwner(it),
    private: it.isPrivate,
    visibility: it.isPrivate ? 'private' : 'public',
    fork: it.parent !== null,
    default_branch: it.defaultBranch,
    url: apiUrl(it),
    html_url: webUrl(it),
  });

export function printPull(pull: Pull, into: Repository, component: 'pull-request' | 'pull-request-simple'): JsonObject {
  const { head, author, number } = pull;
  const end = (repository: Repository, ref: string, sha: string): JsonObject => ({
    label: `${repository.owner}:${ref}`,
    ref,
    sha,
    user: printOwner(repository),
    repo: printRepository(repository),
  });
  return filled(component, {
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    number,
    url: apiUrl(into, `/pulls/${number}`),
    html_url: webUrl(into, `/pull/${number}`),
    issue_url: apiUrl(into, `/issues/${number}`),
    title: pull.title,
    body: pull.body,
    state: pull.state,
    user: printAccount(author),
    author_association: author.kind === 'bot' ? 'NONE' : 'MEMBER',
    head: end(head.repository, head.branch, pull.headSha),
    base: end(into, pull.base, pull.baseSha),
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    merged_at: pull.mergedAt,
    draft: pull.isDraft,
    ...(component === 'pull-request' ? { merged: pull.mergedAt !== null, mergeable_state: 'unknown' } : {}),
  });
}

export const printComment = (comment: Comment, repository: Repository): JsonObject =>
  filled('issue-comment', {
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    url: apiUrl(repository, `/issues/comments/${comment.id}`),
    html_url: webUrl(repository, `/pull/${comment.pull}#issuecomment-${comment.id}`),
    issue_url: apiUrl(repository, `/issues/${comment.pull}`),
    body: comment.body,
    user: printAccount(comment.author),
    author_association: comment.author.kind === 'bot' ? 'NONE' : 'MEMBER',
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    ...(comment.minimized ? { minimized: { reason: 'outdated' } } : {}),
  });
