// Loaded into a process before weft: ends it without a warning at one of its changes of the disk, counted from 0.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

let left = Number(process.env.KILL_AT);
for (const name of [
  'mkdirSync',
  'writeFileSync',
  'writeSync',
  'renameSync',
  'unlinkSync',
  'rmdirSync',
  'linkSync',
  'rmSync',
  'fsyncSync',
]) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return real(...args);
  };
}
syncBuiltinESMExports();
