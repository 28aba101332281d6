import { Octokit } from '@octokit/rest';
import type { FakeGitHub } from './fake-github.ts';
import type { Account } from './world.ts';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The real client of one account, on the fake. */
export const clientOf = ({ fetch }: FakeGitHub, account: Account | null): Octokit =>
  new Octokit({ request: { fetch }, log: SILENT, ...(account === null ? {} : { auth: account.token }) });

interface Refused {
  readonly status: number;
  readonly message: string;
  readonly response?: { readonly data: { readonly message?: string; readonly errors?: readonly Detail[] } };
}

interface Detail {
  readonly message?: string;
  readonly field?: string;
}

/** Status and words of a call that is refused: of the first error inside, when there is one. */
export async function refusalOf(call: Promise<unknown>): Promise<readonly [number, string]> {
  try {
    await call;
  } catch (error) {
    const { status, message, response } = error as Refused;
    const [first] = response?.data.errors ?? [];
    return [status, first?.message ?? first?.field ?? response?.data.message ?? message];
  }
  throw new Error('it was not refused');
}
