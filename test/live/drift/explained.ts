import { type Compiled, compile } from '../../../src/compile.ts';
import { explainLive } from '../../../src/host/app/drift-fleet.ts';
import { type ExplainedCluster, explainFleet } from '../../../src/live/drift/explain-cluster.ts';
import { groupOf, kindKey, type LiveCluster, objectKey } from '../../../src/live/dumps/kubernetes-object.ts';
import { readDump } from '../../../src/live/dumps/read-dump.ts';
import type { Disturbance } from './disturbances.ts';
import { dumpOf, type Item, type RecordedFleet, recordedFleet } from './recorded-fleet.ts';

const compiled = new Map<string, Compiled>();

export function compiledOf(name: string, { files }: RecordedFleet): Compiled {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const source = (path: string) => {
    const text = files[`topologies/${path}`];
    return text === undefined ? undefined : { path, text };
  };
  const topology = source('topology.yaml') ?? { path: 'topology.yaml', text: '' };
  const sources = {
    topology,
    keys: source('topology.keys.yaml'),
    identities: source('topology.identities.yaml'),
    lock: source('topology.lock.yaml'),
  };
  const outcome = compile(sources, { relock: [], only: null });
  if (!outcome.ok) throw new Error(`${name} has errors`);
  compiled.set(name, outcome.value);
  return outcome.value;
}

/** A dump as drift gets it. */
export function liveCluster(cluster: string, items: readonly Item[]): LiveCluster {
  const read = readDump({ path: `${cluster}.json`, text: dumpOf(items) });
  const objects = read.ok ? read.value.map((it) => it.object) : [];
  return {
    from: `dumps/${cluster}.json`,
    cluster,
    objects: new Map(objects.map((it) => [objectKey(it), it])),
    listed: new Set(objects.map((it) => kindKey(groupOf(it.apiVersion), it.kind))),
    forbidden: new Set(),
  };
}

/** The findings of drift in a disturbed fleet; each fleet is compiled once. */
export function explained({ fleet, after, edit, only }: Disturbance): readonly ExplainedCluster[] {
  const recorded = recordedFleet(fleet, after);
  edit?.(recorded.dumps);
  const clusters = Object.entries(recorded.dumps).filter(([it]) => only === undefined || only.includes(it));
  const all = compiledOf(fleet, recorded);
  return explainFleet(clusters.map(([name, items]) => explainLive(all, 'out', liveCluster(name, items))));
}
