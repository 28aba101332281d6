import { accessOf } from './access.ts';
import { printAccount, printRepository } from './print-objects.ts';
import { notPermitted, Refusal } from './refusal.ts';
import { filled } from './sample.ts';
import { type Answer, type Call, callerOf, repositoryOf } from './world.ts';

export async function getRepository(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const body = printRepository(repository, 'full-repository');
  if (call.caller === null) return { status: 200, body };
  const push = accessOf(call.caller, repository, 'contents') === 'write';
  return { status: 200, body: { ...body, permissions: { admin: false, push, pull: true } } };
}

/** The token of GitHub Actions belongs to an installation, not to a user, and may not ask who it is. */
export async function getAuthenticated(call: Call): Promise<Answer> {
  const caller = callerOf(call);
  if (caller.kind === 'bot') throw new Refusal(notPermitted());
  return { status: 200, body: filled('public-user', { ...printAccount(caller), name: null, email: null }) };
}
