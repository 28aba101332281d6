import { isMap, isSeq, parseDocument, stringify, type YAMLMap } from 'yaml';
import type { Source } from '../../src/base/source/source.ts';
import { INCLUDED_LISTS } from '../../src/fleet/topology/parse-topology.ts';

/** The topology with some of its clusters and entries moved into files that it includes. */
export function inSeveralFiles(topology: Source, files: number, chance: () => number) {
  // The failsafe schema leaves every scalar as it is written: `1e3` is a valid name of a cluster.
  const document = parseDocument(topology.text, { schema: 'failsafe' });
  const parts = Array.from({ length: files }, () => parseDocument('version: 1\n', { schema: 'failsafe' }));
  /** The file that the next piece moves to; `undefined` leaves it where it is. */
  const next = () => parts[Math.floor(chance() * (files + 1))];
  const clusters = document.get('clusters');
  if (isMap<{ value: string }>(clusters)) {
    clusters.items = clusters.items.filter((pair) => {
      const part = next();
      if (part === undefined) return true;
      if (!part.has('clusters')) part.set('clusters', part.createNode({}));
      (part.get('clusters') as YAMLMap).items.push(pair);
      return false;
    });
  }
  for (const key of INCLUDED_LISTS) {
    const list = document.get(key);
    if (!isSeq(list)) continue;
    list.items = list.items.filter((item) => {
      const part = next();
      if (part === undefined) return true;
      if (!part.has(key)) part.set(key, part.createNode([]));
      part.addIn([key], item);
      return false;
    });
  }
  const included = parts.map((it, i) => ({ path: `regions/${i}.yaml`, text: it.toString() }));
  const include = stringify({ include: included.map((it) => it.path) });
  return { topology: { ...topology, text: `${document.toString()}${include}` }, included };
}
