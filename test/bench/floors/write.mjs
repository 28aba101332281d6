// `write.mjs FILE FOLDER`: writes the files of pack.mjs from memory, and prints the milliseconds and the CPU of the writing alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [file, folder] = process.argv.slice(2);
const packed = readFileSync(file);
const files = [];
for (let at = 0; at < packed.length; ) {
  const end = packed.indexOf(10, at);
  files.push(JSON.parse(packed.toString('utf8', at, end)));
  at = end + 1;
}
const [start, usage] = [performance.now(), process.cpuUsage()];
const made = new Set();
for (const [path, text] of files) {
  const target = `${folder}/${path}`;
  const parent = dirname(target);
  if (!made.has(parent)) {
    mkdirSync(parent, { recursive: true });
    made.add(parent);
  }
  writeFileSync(target, text);
}
const { user, system } = process.cpuUsage(usage);
console.log(JSON.stringify({ wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }));
