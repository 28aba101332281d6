import { notPermitted, Refusal, refuse, saying } from './refusal.ts';
import { type Access, type Account, fullName, type Grant, type Repository } from './world.ts';

/** What a call wants to do, and with what; `metadata` is what everybody reads who sees the repository at all. */
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
 * Lets a call pass, or refuses it as GitHub does: what a token may not see is not there, and a bot that sees it but may not
 * do more is told so. A user who may only read is told that there is nothing to write to.
 */
export function refuseWithoutAccess(account: Account | null, repository: Repository, { to, what }: Need): void {
  if (accessOf(account, repository, 'metadata') === 'none') refuse(404, 'Not Found');
  const access = accessOf(account, repository, what);
  if (access === 'write' || (access === 'read' && to === 'read')) return;
  if (account === null) throw new Refusal(saying(401, 'Requires authentication'));
  if (account.kind === 'bot') throw new Refusal(notPermitted());
  // Anybody may comment on a public repository, and offer what stands in a fork.
  if (what === 'contents' || repository.isPrivate) refuse(404, 'Not Found');
}
