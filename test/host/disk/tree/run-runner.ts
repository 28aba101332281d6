import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { ThreadUse } from '../../../../src/host/disk/tree/staging-thread.ts';

/** The task of `tree-runner.ts` in its process. */
export interface RunnerJob {
  readonly root: string;
  readonly files: Readonly<Record<string, string>>;
  readonly scope: readonly string[] | null;
  readonly lockFile: { readonly path: string; readonly text: string } | null;
  readonly waitMilliseconds?: number;
  readonly thread?: ThreadUse;
  /** The step, and its repetition (from 1), at which it kills itself. */
  readonly kill?: { readonly step: string; readonly count: number; readonly signal?: NodeJS.Signals };
  /** Takes the process lock and keeps it, instead of writing. */
  readonly hold?: boolean;
  /** True if it handles SIGTERM itself and exits with 7. */
  readonly otherListener?: boolean;
}

export interface Runner {
  readonly start: (job: RunnerJob, uid?: number) => Running;
  readonly close: () => void;
}

export interface Running {
  readonly child: ChildProcess;
  readonly firstLine: Promise<string>;
  readonly ended: Promise<{
    readonly status: number | string | null;
    readonly output: string;
    readonly errors: string;
  }>;
}

/** Bundles the runner once; every job is a process of its own. */
export async function makeRunner(): Promise<Runner> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-runner-'));
  chmodSync(folder, 0o755);
  const outfile = join(folder, 'runner.mjs');
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL('tree-runner.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'error',
  });
  let jobs = 0;
  const start = (job: RunnerJob, uid?: number): Running => {
    const file = join(folder, `job-${jobs++}.json`);
    writeFileSync(file, JSON.stringify(job));
    return watch(spawn(process.execPath, [outfile, file], { ...(uid === undefined ? {} : { uid }), stdio: 'pipe' }));
  };
  return { start, close: () => rmSync(folder, { recursive: true, force: true }) };
}

function watch(child: ChildProcess): Running {
  let output = '';
  let errors = '';
  child.stderr?.on('data', (piece: Buffer) => {
    errors += piece.toString();
  });
  const firstLine = new Promise<string>((resolve) => {
    child.stdout?.on('data', (piece: Buffer) => {
      output += piece.toString();
      if (output.includes('\n')) resolve(output.slice(0, output.indexOf('\n')));
    });
  });
  const ended = new Promise<Awaited<Running['ended']>>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ status: code ?? signal, output, errors }));
  });
  return { child, firstLine, ended };
}
