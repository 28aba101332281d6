import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * The files that take longest, the longest first: the last files to start are then short ones, and no worker waits
 * for another. Vitest itself knows only on a machine where it has run before, or else goes by the size of the files.
 */
export const LONGEST = [
  'test/host/conformance/conformance.test.ts',
  'test/host/lab-host/lab.test.ts',
  'test/host/page/page.test.ts',
  'test/host/page/play/playground.test.ts',
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

/**
 * Files that start the real git and other programs by the hundred, right after those: a start costs in proportion to the
 * memory of the worker, which grows with every file (7 ms at 50 MB, 38 ms at 500 MB).
 */
export const STARTS_PROGRAMS =
  /\/test\/(host\/(disk|forge|git[a-z-]*|lab-host|action|build)|proof\/provenance|merges|docs|live\/dumps)\/|\/test\/host\/cli\/[a-z-]*(process|complete|formats|line-ends|built)/;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.sort((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((it) => moduleId.endsWith(`/${it}`));
  if (place >= 0) return place;
  return STARTS_PROGRAMS.test(moduleId) ? LONGEST.length : LONGEST.length + 1;
}
