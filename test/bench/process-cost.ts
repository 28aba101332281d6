import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The cost of one run of a program. CPU and memory are known of Node processes only; they leave out what a git that
 * weft runs needs.
 */
export interface ProcessCost {
  readonly wallMs: number;
  /** User and system time of all threads. */
  readonly cpuMs: number | null;
  /** The most memory that was resident, in millions of bytes. */
  readonly peakMB: number | null;
  readonly stdout: string;
}

export interface MeasuredProgram {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Exit codes of a run that did what it should. */
  readonly exits?: readonly number[];
  /** The run is ended after so long. */
  readonly limitSeconds?: number;
  /** True to keep stdout; otherwise it is discarded, so that no reader slows the program down. */
  readonly keepsOutput?: boolean;
}

/** A program that did not do what it should. */
export class ProgramFailed extends Error {}

/** Settings of a CI or of a user that would change what is measured. */
const CLEAN_ENV = Object.fromEntries(
  Object.entries(process.env).filter(([it]) => !/^(CI$|GITHUB_|WEFT_|GIT_|NODE_OPTIONS$|VITEST)/.test(it)),
);

const IDENTITY = {
  GIT_AUTHOR_NAME: 'bench',
  GIT_AUTHOR_EMAIL: 'bench@example.com',
  GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

const USAGE_HOOK = resolve('test/bench/floors/usage.cjs');
/** Not in the folder that is measured, where weft or git would find it. */
const USAGE_FILE = join(tmpdir(), `weft-bench-${process.pid}.json`);
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200);

/** Runs a program in a process of its own. */
export function measureProgram(program: MeasuredProgram): ProcessCost {
  const { argv, cwd, exits = [0], limitSeconds, keepsOutput = false } = program;
  const [command = '', ...args] = argv;
  const isNode = command === process.execPath;
  const start = performance.now();
  const { status, signal, stdout, stderr, error } = spawnSync(command, isNode ? ['-r', USAGE_HOOK, ...args] : args, {
    cwd,
    env: { ...CLEAN_ENV, ...IDENTITY, BENCH_USAGE: USAGE_FILE },
    stdio: ['ignore', keepsOutput ? 'pipe' : 'ignore', 'pipe'],
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'utf8',
    ...(limitSeconds === undefined ? {} : { timeout: limitSeconds * 1000, killSignal: 'SIGKILL' as const }),
  });
  const wallMs = performance.now() - start;
  const text = argv.map((it) => it.split('/').at(-1)).join(' ');
  if (signal === 'SIGKILL' && limitSeconds !== undefined) throw new ProgramFailed(`more than ${limitSeconds} s`);
  if (error) throw new ProgramFailed(`${text}: ${error.message}`);
  if (!exits.includes(status ?? -1)) throw new ProgramFailed(`${text}: exit ${status ?? signal}: ${firstLine(stderr)}`);
  if (!isNode) return { wallMs, cpuMs: null, peakMB: null, stdout: stdout ?? '' };
  const usage = JSON.parse(readFileSync(USAGE_FILE, 'utf8')) as NodeJS.ResourceUsage;
  rmSync(USAGE_FILE);
  return {
    wallMs,
    cpuMs: (usage.userCPUTime + usage.systemCPUTime) / 1000,
    peakMB: (usage.maxRSS * 1024) / 1e6,
    stdout: stdout ?? '',
  };
}
