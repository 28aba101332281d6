// `objects.mjs OUT FILE SAMPLE`: the objects of the bundles as JSON, one list for each cluster. Only SAMPLE clusters are read, as
// parsing YAML takes long; the others get the lists of those again, under names of their own, so that the amount is right.
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { filesBelow } from './files-below.mjs';

const [out, file, sample] = process.argv.slice(2);
const clusters = readdirSync(out, { withFileTypes: true })
  .filter((it) => it.isDirectory() && !/^[._]/.test(it.name))
  .map((it) => it.name);
// Evenly spread, so that hubs are as frequent as in the fleet.
const step = Math.max(1, clusters.length / Number(sample));
const read = Array.from(
  { length: Math.min(clusters.length, Number(sample)) },
  (_, i) => clusters[Math.floor(i * step)],
);
const objectsOf = (cluster) =>
  [...filesBelow(`${out}/${cluster}`)]
    .filter((it) => it.endsWith('.yaml') && !it.endsWith('/helm-values.yaml') && !it.endsWith('/kustomization.yaml'))
    .flatMap((it) => parseAllDocuments(readFileSync(it, 'utf8')).map((document) => document.toJS()))
    .filter((it) => it?.kind !== undefined);
const lists = read.map((it) => JSON.stringify(objectsOf(it)));
const json = openSync(file, 'w');
clusters.forEach((it, i) => {
  writeSync(json, `${i === 0 ? '{' : ','}\n${JSON.stringify(it)}:${lists[i % lists.length]}`);
});
writeSync(json, '}\n');
closeSync(json);
console.log(JSON.stringify({ clusters: clusters.length, read: read.length }));
