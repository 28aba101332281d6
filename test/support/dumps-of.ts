import { compile } from '../../src/compile.ts';
import { type LiveItem, objectsAtRest } from './objects-at-rest.ts';

/** A dump of each cluster of a topology at rest, by the name of its file: what is applied, with what Liqo makes of it. */
export function dumpsOf(
  files: Readonly<Record<string, string>>,
  edit: (it: LiveItem, cluster: string) => readonly LiveItem[] = (it) => [it],
): Readonly<Record<string, string>> {
  const source = (path: string) => ({ path, text: files[`topologies/${path}`] ?? '' });
  const compiled = compile(
    { topology: source('topology.yaml'), keys: source('topology.keys.yaml'), lock: undefined },
    { relock: [], only: null },
  );
  if (!compiled.ok) throw new Error('the topology has errors');
  const dumps = [...compiled.value.model.clusters.keys()].map((cluster) => {
    const own = [...compiled.value.bundle].flatMap(([path, text]) =>
      path.startsWith(`${cluster}/`) ? [[path.slice(cluster.length + 1), text] as const] : [],
    );
    const items = objectsAtRest(own).flatMap((it) => edit(JSON.parse(JSON.stringify(it)) as LiveItem, cluster));
    return [`dumps/${cluster}.json`, JSON.stringify({ apiVersion: 'v1', kind: 'List', items })] as const;
  });
  return Object.fromEntries(dumps);
}
