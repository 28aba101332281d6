#!/usr/bin/env node
// The command `weft`. npm also installs a clone that is not built, and makes no command of a file that is missing: this one is
// always there.
const { join } = require('node:path');

try {
  require('../../../dist/weft.cjs');
} catch (error) {
  if (error?.code !== 'MODULE_NOT_FOUND') throw error;
  const clone = join(__dirname, '..', '..', '..');
  process.stderr.write(`error: weft is not built\n  hint: run \`npm ci && npm run build\` in ${clone}\n`);
  process.exitCode = 2;
}
