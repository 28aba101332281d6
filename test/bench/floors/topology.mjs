// `topology.mjs FILE`: reads a topology as any program with the package `yaml` does.
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';

const document = parseDocument(readFileSync(process.argv[2], 'utf8'));
console.log(document.errors.length, document.contents.items.length);
