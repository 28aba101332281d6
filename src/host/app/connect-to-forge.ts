import type { Forge, Repository } from '../forge/forge.ts';
import type { Refusal } from './refusal.ts';

/** The repository of pull requests, and the token for its forge. Either may be unknown: a check needs neither. */
export interface ForgeRequest {
  readonly repository: Repository | null;
  readonly token: string | undefined;
}

/** Connects a use case to the forge. */
export type Connect = (at: { readonly repository: Repository; readonly token: string }) => Promise<Forge>;

type ForgeAccess =
  | { readonly kind: 'connected'; readonly forge: Forge }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function connectToForge(connect: Connect, { repository, token }: ForgeRequest): Promise<ForgeAccess> {
  if (repository === null) return { kind: 'refused', refusal: { kind: 'no-repository' } };
  if (token === undefined) return { kind: 'refused', refusal: { kind: 'no-token' } };
  return { kind: 'connected', forge: await connect({ repository, token }) };
}
