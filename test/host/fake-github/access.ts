import { notPermitted, Refusal, refuse, saying } from './refusal.ts';
import { type Access, type Account, fullName, type Grant, type Repository } from './world.ts';

/** The permission that a call needs; `metadata` is readable for every user who sees the repository. */
export interface Need {
  readonly to: 'read' | 'write';
  readonly what: keyof Grant | 'metadata';
}

export function accessOf(account: Account | null, repository: Repository, what: Need['what']): Access {
  const grant = account?.grants[fullName(repository)] ?? account?.grants['*'];
  const isMember = grant !== undefined && (grant.contents !== 'none' || grant.pulls !== 'none');
  const granted = what === 'metadata' ? (isMember ? 'read' : 'none') : (grant?.[what] ?? 'none');
  return granted === 'none' && !repository.isPrivate ? 'read' : granted;
}

/**
 * Allows a call, or refuses it like GitHub: 404 for hidden objects. A bot with read access gets the reason, a user with
 * read access gets 404 for writes.
 */
export function refuseWithoutAccess(account: Account | null, repository: Repository, { to, what }: Need): void {
  if (accessOf(account, repository, 'metadata') === 'none') refuse(404, 'Not Found');
  const access = accessOf(account, repository, what);
  if (access === 'write' || (access === 'read' && to === 'read')) return;
  if (account === null) throw new Refusal(saying(401, 'Requires authentication'));
  if (account.kind === 'bot') throw new Refusal(notPermitted());
  // Every user may comment on a public repository, and open pull requests from a fork.
  if (what === 'contents' || repository.isPrivate) refuse(404, 'Not Found');
}
