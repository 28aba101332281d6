import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.ts';

const TEST = new URL('.', import.meta.url).pathname;

/** Files with laws, which draw their examples: `brief` draws a tenth of them, `whole` all. */
const LAWS = readdirSync(TEST, { recursive: true, encoding: 'utf8' })
  .filter((it) => it.endsWith('.test.ts') && !it.includes('node_modules'))
  .filter((it) =>
    /from '[./]+((laws\/)?law|(host\/)?forge\/proposal-laws)\.ts'/.test(readFileSync(join(TEST, it), 'utf8')),
  )
  .map((it) => `test/${it}`);

/** What needs other programs, builds labs, kills processes or talks to the fake GitHub at length; `slow` draws some of it, too. */
const SLOW = [
  'test/bench/bench.test.ts',
  'test/host/build/package.test.ts',
  'test/host/lab-host/lab.test.ts',
  'test/editor/completion.test.ts',
  'test/real-parts.test.ts',
  'test/support/crd.test.ts',
  'test/*/*/contract-*.test.ts',
  'test/**/kill-during-write.test.ts',
  'test/proof/verify/any-edit-is-noticed.test.ts',
  'test/proof/verify/shared-objects.test.ts',
  'test/host/cli/keys-processes.test.ts',
  'test/host/cli/complete-clusters.test.ts',
  'test/host/cli/watch-keeps-nothing.test.ts',
  'test/docs/first-steps.test.ts',
  'test/proof/provenance/forgeries.test.ts',
  'test/host/cli/hostile-texts.test.ts',
  'test/hostile/long-lists.test.ts',
  'test/live/identities/collect-answers.test.ts',
  'test/live/identities/ending-certificates.test.ts',
  'test/live/dumps/drift-of-sharing.test.ts',
  'test/live/dumps/shared-fleet.test.ts',
  'test/merges/parallel-edits.test.ts',
  'test/growth/solver.test.ts',
  'test/json/documents.test.ts',
  'test/laws/keys-reach.test.ts',
  'test/answers/graph/real-programs.test.ts',
  'test/host/gitea/gitea-forge.test.ts',
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
    // Files share the modules of their worker: loading the compiler anew for each would take longer than most of them.
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
          // One project after the other: a worker starts anew when the next file is of another project.
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'brief', include: LAWS, env: TENTH, sequence: { groupOrder: 1 } } },
      { extends: true, test: { name: 'slow', include: SLOW, env: TENTH, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'whole', include: [...SLOW, ...LAWS], sequence: { groupOrder: 0 } } },
    ],
  },
});
