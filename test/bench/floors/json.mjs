// `json.mjs FILE`: reads and parses the objects of the bundles, as JSON.
import { readFileSync } from 'node:fs';

console.log(Object.keys(JSON.parse(readFileSync(process.argv[2], 'utf8'))).length);
