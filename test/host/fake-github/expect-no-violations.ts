import { expect } from 'vitest';
import type { FakeGitHub } from './fake-github.ts';

/** At the end of every test: GitHub's description was kept, and whatever was to go wrong did go wrong. */
export function expectNoViolations(fake: Pick<FakeGitHub, 'violations' | 'unmet'>): void {
  expect(fake.violations).toEqual([]);
  expect(fake.unmet(), 'injections that no request met').toBe(0);
}
