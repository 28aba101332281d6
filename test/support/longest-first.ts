import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * The slow files that take longest, the longest first: the last files to start are then short ones, and no worker waits
 * for another. Vitest itself knows only on a machine where it has run before, or else goes by the size of the files.
 */
export const LONGEST = [
  'test/host/lab-host/lab.test.ts',
  'test/laws/edits.test.ts',
  'test/proof/verify/any-fleet-passes-verify.test.ts',
  'test/host/disk/tree/kill-during-write.test.ts',
  'test/real-parts.test.ts',
  'test/laws/fuzz.test.ts',
  'test/laws/compile.test.ts',
  'test/laws/addresses.test.ts',
  'test/plan/plan-laws.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.sort((a, b) => rank(a) - rank(b));
  }
}

/** Vitest runs one project after the other by itself. */
function rank({ moduleId, project }: TestSpecification): number {
  const isShort = project.name === 'quick' || project.name === 'brief';
  const place = isShort ? -1 : LONGEST.findIndex((it) => moduleId.endsWith(`/${it}`));
  return place < 0 ? LONGEST.length : place;
}
