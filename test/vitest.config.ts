import { statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { builtModules } from './support/built-modules.ts';
import { LongestFirst } from './support/longest-first.ts';

const ALL = ['test/**/*.test.ts'];
/** Loops with the real controllers, which take minutes and programs that few machines have: `npm run test:engines`. */
const ENGINES = ['test/engines/**/*.test.ts'];
const NOT_OURS = ['**/node_modules/**', ...ENGINES];

/**
 * Work that is counted in large fleets, and processes that run for long: nothing in them depends on what is drawn, and a
 * change that makes a command slower is found by the next night. Proposals that are made by
 * git: on a push, `host/git-remote` and the jobs of each forge have tests of their own. Traffic without a tunnel: what is
 * lost is waited for, and decided in `reach/whatif`.
 */
const NIGHT = [
  'test/{bench,growth}/**/*.test.ts',
  'test/host/{git-remote,gitlab,gitea}/contract-proposals.test.ts',
  'test/host/lab-host/lab-without.test.ts',
  'test/host/watch/watch-keeps-nothing.test.ts',
];

/**
 * Tests whose time goes to programs that come neither with Node nor with git: browsers, kubectl, nft, shells, language servers,
 * and labs with tunnels. CI runs them right after `npm test`.
 */
const PROGRAMS = [
  // The schema for editors is compared in JavaScript alone.
  'test/editor/!(schema).test.ts',
  'test/formatters/**/*.test.ts',
  'test/docs/first-steps.test.ts',
  'test/real-parts.test.ts',
  'test/answers/graph/real-programs.test.ts',
  'test/bundle/enforcement/fences-refuse-packets.test.ts',
  'test/bundle/gitops/kustomize-builds.test.ts',
  'test/host/{conformance,library}/**/*.test.ts',
  'test/host/lab-host/lab*.test.ts',
  'test/host/build/package.test.ts',
  'test/host/cli/complete-clusters.test.ts',
  'test/host/kubectl/public-halves.test.ts',
  'test/host/page/{page,play/playground}.test.ts',
];

/**
 * The tests of `host/`, which meet disks, forges and other programs, and files of other wings that take more than a second
 * and a half: they build labs, or roll out simulated fleets.
 */
const SLOW = [
  'test/{hostile,json,merges}/**/*.test.ts',
  'test/bare-context.test.ts',
  'test/support/crd.test.ts',
  'test/host/**/*.test.ts',
  'test/proof/provenance/*.test.ts',
  'test/proof/verify/{any-edit-is-noticed,any-fleet-passes-verify,corruptions,goldens-*,parsers,second-compiles,shared-objects}.test.ts',
  'test/live/{adopt,drift,dumps,identities,import,preflight,simulated}/**/*.test.ts',
  'test/laws/{chart-values,compile,edits,fuzz,hostile-texts,keys-reach,remembered-runs,same-folders}.test.ts',
  'test/plan/{change-kinds,edits,plan-diagnostics,print-plan,read-network-state,read-sharing-state,touched-network,trust,*-laws}.test.ts',
  'test/plan/{diff/diff,stages/staging}-laws.test.ts',
  'test/bundle/enforcement/large-hub.test.ts',
  'test/bundle/gitops/rollout*.test.ts',
  'test/base/cryptography/both-implementations.test.ts',
  'test/base/source/{read-json,read-quick-yaml,read-yaml}.test.ts',
  'test/answers/graph/placed.test.ts',
  'test/answers/report/diff-files.test.ts',
  'test/fleet/certificates/{certificates,der}.test.ts',
  'test/fleet/sharing/{drift-of-a-large-fleet,large-fleet,recorded-results}.test.ts',
  'test/fleet/topology/{defaults,marked-keys}.test.ts',
  'test/live/problems/{missing-routes,other-rules}.test.ts',
  'test/proof/verify/{naive-ipam,one-walk}.test.ts',
  'test/reach/lab/{plan-lab,plan-steps}.test.ts',
  'test/reach/probes/plan-probes.test.ts',
  'test/reach/view/forecast.test.ts',
  'test/reach/trace/{decide-assertions,policies}.test.ts',
  'test/reach/whatif/laws.test.ts',
  'test/schemas.test.ts',
];

const lawRuns = Number(process.env['LAW_RUNS'] ?? 1);
const TWENTIETH = { LAW_RUNS: String(lawRuns / 20) };

/** Tests make some hundred thousand small files, and repositories of git: in memory where the system has room for them. */
const SURROUNDINGS = { TMPDIR: tempFolder(), GIT_TEMPLATE_DIR: '', GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' };

export default defineConfig({
  plugins: process.argv.includes('run') ? [builtModules()] : [],
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/build-once.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: process.env['CI'] ? ['default'] : ['dot'],
    // Files share the modules of their worker: loading the compiler for each would take longer than most of them.
    isolate: false,
    // Most of a run is code that is met for the first time: compiling each function later than Node 20 does by itself saves a fifth.
    execArgv: process.versions.node.startsWith('20.') ? ['--interrupt-budget=200000'] : [],
    // One more worker than two cores: labs, killed processes and the real git mostly wait for other programs.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // Tests that are marked as concurrent only wait.
    maxConcurrency: 12,
    // One project a run: its workers load the compiler once. Laws, and cases that start other programs, are drawn: test/support/drawn.ts.
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ALL,
          exclude: [...NOT_OURS, ...NIGHT, ...PROGRAMS, ...SLOW],
          env: { ...SURROUNDINGS, ...TWENTIETH },
        },
      },
      {
        extends: true,
        test: {
          name: 'push',
          include: ALL,
          exclude: [...NOT_OURS, ...NIGHT, ...PROGRAMS],
          env: { ...SURROUNDINGS, ...TWENTIETH },
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: PROGRAMS,
          exclude: [...NOT_OURS, ...NIGHT],
          env: { ...SURROUNDINGS, ...TWENTIETH },
        },
      },
      { extends: true, test: { name: 'night', include: ALL, exclude: NOT_OURS, env: SURROUNDINGS } },
      { extends: true, test: { name: 'engines', include: ENGINES, env: SURROUNDINGS } },
    ],
  },
});

/** The folder of this run, which ends with it: a worker is ended before it removes what it has made. */
function tempFolder(): string {
  const name = `weft-tests-${process.pid}`;
  const inMemory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    if (process.env['TMPDIR'] === undefined && bavail * bsize > 2 ** 31) return join(inMemory, name);
  } catch {
    // Not Linux.
  }
  return join(tmpdir(), name);
}
