// A process that writes one tree: `node runner.mjs JOB.json`. Prints the result as JSON. Tests kill it.
import { readFileSync } from 'node:fs';
import { DiskError } from '../../../../src/host/disk/disk-error.ts';
import { takeProcessLock } from '../../../../src/host/disk/tree/process-lock.ts';
import { writeTree } from '../../../../src/host/disk/tree/write-tree.ts';
import type { RunnerJob } from './run-runner.ts';

const job = JSON.parse(readFileSync(String(process.argv[2]), 'utf8')) as RunnerJob;
const seen = new Map<string, number>();

function onStep(step: string): void {
  const count = (seen.get(step) ?? 0) + 1;
  seen.set(step, count);
  if (job.kill?.step === step && job.kill.count === count) process.kill(process.pid, job.kill.signal ?? 'SIGKILL');
}

async function run(): Promise<unknown> {
  if (job.otherListener === true) process.on('SIGTERM', () => process.exit(7));
  if (job.hold === true) {
    const lock = await takeProcessLock({ root: job.root, waitMilliseconds: 0 });
    process.stdout.write(`${lock.kind}\n`);
    if (lock.kind === 'held') await new Promise((resolve) => setTimeout(resolve, 60_000));
    return undefined;
  }
  const { root, scope, lockFile, thread = null } = job;
  const onStop = (tree: string) => process.stderr.write(tree);
  const request = { root, files: new Map(Object.entries(job.files)), scope, lockFile, onStop };
  return writeTree(request, { waitMilliseconds: job.waitMilliseconds ?? 0, thread, onStep }).catch((error: unknown) => {
    if (error instanceof DiskError) return { kind: 'disk-error', code: error.code, path: error.path, hint: error.hint };
    throw error;
  });
}

process.stdout.write(`${JSON.stringify((await run()) ?? null)}\n`);
