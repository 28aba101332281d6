// npm run bench -- [--sizes 100,1000,10000] [--spokes 50000] [--runs 5] [--seconds 10] [--limit 300] [--only REGEXP]
//   [--before OTHER/dist/weft.cjs] [--memory 300,3000] [--profile 1000] [--watch 1000] [--rebuilds 100] [--no-other-tools] [--work DIR] [--to FILE]
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { printResults } from './print-results.ts';
import { runBench } from './run-bench.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    spokes: { type: 'string', default: '50000' },
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    limit: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
    before: { type: 'string' },
    memory: { type: 'string', default: '300,3000' },
    profile: { type: 'string', default: '1000' },
    watch: { type: 'string', default: '1000' },
    rebuilds: { type: 'string', default: '100' },
    'no-other-tools': { type: 'boolean', default: false },
    work: { type: 'string', default: tmpdir() },
    to: { type: 'string', default: 'test/bench/RESULTS.md' },
  },
});

const numbers = (text: string): readonly number[] => text.split(',').filter(Boolean).map(Number);
const output = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8' }).trim();

/** By `stat` of GNU; other systems have no such answer. */
function fileSystemOf(folder: string): string {
  try {
    return output('stat', '-f', '-c', '%T', folder);
  } catch {
    return 'unknown';
  }
}

// cdk8s and what it needs; without a registry its row is left out, with the reason.
if (!values['no-other-tools'] && !existsSync('test/bench/node_modules'))
  spawnSync('npm', ['ci', '--prefix', 'test/bench', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
  });

const work = mkdtempSync(join(resolve(values.work), 'weft-bench-'));
const start = performance.now();
try {
  const result = await runBench({
    sizes: numbers(values.sizes),
    spokes: Number(values.spokes),
    memorySizes: numbers(values.memory),
    profileSize: Number(values.profile),
    watch: { links: Number(values.watch), rebuilds: Number(values.rebuilds) },
    runs: Number(values.runs),
    seconds: Number(values.seconds),
    limitSeconds: Number(values.limit),
    only: new RegExp(values.only),
    otherTools: !values['no-other-tools'],
    weft: resolve('dist/weft.cjs'),
    before: values.before === undefined ? null : resolve(values.before),
    work,
    log: (line) => console.error(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${line}`),
  });
  const dirty = output('git', 'status', '--porcelain', 'src') === '' ? '' : ', with changes';
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, commit ${output('git', 'rev-parse', '--short', 'HEAD')}${dirty}, Node ${process.version}`,
    `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, ${(totalmem() / 1e9).toFixed(0)} GB of memory, file system ${fileSystemOf(work)}`,
    `at most ${values.runs} runs of each command, fewer when they take longer than ${values.seconds} s`,
    ...(values.before === undefined ? [] : ['"before" is the build from before issue 11, in turns with this one']),
  ];
  writeFileSync(values.to, printResults(result, { lines }));
  console.error(`wrote ${values.to}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
