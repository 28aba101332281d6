// `read.mjs FOLDER`: reads and hashes every file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { filesBelow } from './files-below.mjs';

const hashes = [];
for (const path of filesBelow(process.argv[2]))
  hashes.push(`${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
// The order in which a folder lists its files means nothing.
console.log(`${hashes.length} files, ${createHash('sha256').update(hashes.sort().join('\n')).digest('hex')}`);
