import { withLf } from '../../base/core/line-ends.ts';
import type { Checkout } from '../disk/checkout.ts';
import { GitError } from '../disk/git-error.ts';
import type { FileReader } from './ports.ts';

/** The identities file of a checkout, where an earlier step of the run has changed it. */
export interface CollectedIdentities {
  /** As the checked-out commit has it; `null` without one. */
  readonly before: string | null;
  readonly after: string;
}

/**
 * What `weft identities collect` has written since the checkout, which then belongs into the same pull request as the
 * Identities that are made of it. `null` if the file is as it was checked out, and outside of any repository.
 */
export async function collectedIdentities(
  files: Pick<FileReader, 'openCommit'>,
  checkout: Checkout,
  path: string,
): Promise<CollectedIdentities | null> {
  const after = await checkout.rawText(path);
  if (after === null) return null;
  const commit = await files.openCommit('HEAD').catch((error: unknown) => {
    if (error instanceof GitError) return undefined;
    throw error;
  });
  const read = await commit?.readText(path);
  if (read?.kind !== 'ok' && read?.kind !== 'missing') return null;
  const before = read.kind === 'ok' ? read.text : null;
  return before === withLf(after) ? null : { before, after };
}
