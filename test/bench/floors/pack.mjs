// `pack.mjs FOLDER FILE`: every file below the folder, as lines of JSON, for write.mjs.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { filesBelow } from './files-below.mjs';

const [folder, file] = process.argv.slice(2);
const pack = openSync(file, 'w');
let [files, bytes] = [0, 0];
for (const path of filesBelow(folder)) {
  const text = readFileSync(path, 'utf8');
  writeSync(pack, `${JSON.stringify([path.slice(folder.length + 1), text])}\n`);
  files++;
  bytes += Buffer.byteLength(text);
}
closeSync(pack);
console.log(JSON.stringify({ files, bytes }));
