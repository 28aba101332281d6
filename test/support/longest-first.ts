import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * The files that take longest, the longest first: the last files to start are then short ones, and no worker waits
 * for another. Vitest itself knows only on a machine where it has run before, or else goes by the size of the files.
 */
export const LONGEST = [
  'test/host/lab-host/lab.test.ts',
  'test/docs/first-steps.test.ts',
  'test/live/dumps/shared-fleet.test.ts',
  'test/json/documents.test.ts',
  'test/host/github/contract-branches.test.ts',
  'test/merges/parallel-edits.test.ts',
  'test/host/gitea/gitea-forge.test.ts',
  'test/proof/provenance/identities.test.ts',
  'test/host/gitea/contract-proposals.test.ts',
  'test/host/gitlab/contract-jobs.test.ts',
  'test/real-parts.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.sort((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((it) => moduleId.endsWith(`/${it}`));
  return place < 0 ? LONGEST.length : place;
}
