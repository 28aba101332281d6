// `json-files.mjs FOLDER`: reads and parses every file of a folder, as JSON.
import { readFileSync } from 'node:fs';
import { filesBelow } from './files-below.mjs';

let items = 0;
for (const path of filesBelow(process.argv[2])) items += JSON.parse(readFileSync(path, 'utf8')).items.length;
console.log(items);
