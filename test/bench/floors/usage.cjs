// Loaded into every measured Node process (`-r`): what the process has cost, as JSON, when it ends.
const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.env.BENCH_USAGE)
  process.on('exit', () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));
