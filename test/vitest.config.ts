import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.ts';

const TEST = new URL('.', import.meta.url).pathname;

/** Files with laws, which draw their examples: `brief` draws a tenth of them, `whole` all. */
const LAWS = readdirSync(TEST, { recursive: true, encoding: 'utf8' })
  .filter((it) => it.endsWith('.test.ts') && !it.includes('node_modules'))
  .filter((it) => /from '[./]+(laws\/)?law\.ts'/.test(readFileSync(join(TEST, it), 'utf8')))
  .map((it) => `test/${it}`);

/**
 * The tests of `host/`, which meet disks, forges and other programs, and files of other wings that take more than a second
 * or two: they build labs, roll out simulated fleets, or count work. `slow` draws some of it.
 */
const SLOW = [
  'test/{bench,editor,formatters,growth,hostile,json,merges}/**/*.test.ts',
  'test/docs/first-steps.test.ts',
  'test/real-parts.test.ts',
  'test/support/crd.test.ts',
  'test/host/**/*.test.ts',
  'test/proof/provenance/*.test.ts',
  'test/proof/verify/{any-edit-is-noticed,any-fleet-passes-verify,corruptions,goldens-*,shared-objects}.test.ts',
  'test/live/{adopt,drift,dumps,identities,import,preflight,simulated}/**/*.test.ts',
  'test/laws/{compile,edits,fuzz,keys-reach,same-folders}.test.ts',
  'test/plan/{change-kinds,edits,plan-diagnostics,read-network-state,read-sharing-state,touched-network,trust,*-laws}.test.ts',
  'test/plan/diff/diff-laws.test.ts',
  'test/bundle/gitops/rollout*.test.ts',
  'test/base/source/{read-json,read-quick-yaml,read-yaml}.test.ts',
  'test/answers/graph/{placed,real-programs}.test.ts',
  'test/answers/report/diff-files.test.ts',
  'test/fleet/certificates/der.test.ts',
  'test/fleet/sharing/{large-fleet,recorded-results}.test.ts',
];

const lawRuns = Number(process.env['LAW_RUNS'] ?? 1);
const TENTH = { LAW_RUNS: String(lawRuns / 10) };

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/build-once.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: process.env['CI'] ? ['default'] : ['dot'],
    // Files share the modules of their worker: loading the compiler for each would take longer than most of them.
    isolate: false,
    // One more worker than two cores: labs, killed processes and the real git mostly wait for other programs.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // Tests that are marked as concurrent only wait.
    maxConcurrency: 12,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...SLOW, ...LAWS],
          env: TENTH,
          // One project after the other: a worker is restarted when the next file is of another project.
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'brief', include: LAWS, exclude: SLOW, env: TENTH, sequence: { groupOrder: 1 } } },
      { extends: true, test: { name: 'slow', include: SLOW, env: TENTH, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'whole', include: [...SLOW, ...LAWS], sequence: { groupOrder: 2 } } },
    ],
  },
});
