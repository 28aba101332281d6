import { once, oncePer } from '../../../src/base/core/once.ts';
import type { Source } from '../../../src/base/source/source.ts';
import { type Compiled, compile, type Sources } from '../../../src/compile.ts';
import { appliedObjects } from '../../bundle/gitops/applied-objects.ts';
import { hasVector, readVector, vectorFiles, vectorFolders } from '../../support/vectors.ts';

/** An object of a recorded cluster. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

export interface LiveCluster {
  readonly name: string;
  /** By kind, namespace and name, as `keyOf` prints them. */
  readonly objects: ReadonlyMap<string, LiveObject>;
}

/** The cluster after a later change. */
export interface LaterCluster extends LiveCluster {
  /** `reverse`, `shuffle-7`, `conn` ... */
  readonly what: string;
}

/** The clusters of a recorded fleet. */
export interface RecordedClusters {
  /** `overlap 1.2` */
  readonly name: string;
  readonly clusters: readonly LiveCluster[];
  readonly after: readonly LaterCluster[];
}

/** A fleet that weft's bundle was applied to. */
export interface Recording extends RecordedClusters {
  /** Without the lock that was recorded with it. */
  readonly sources: Sources;
  readonly compiled: Compiled;
  /** Compiled with the ports and the join numbers of the lock alone: what a rollout from nothing gives. */
  readonly rebuilt: Compiled;
}

export const keyOf = ({ kind, metadata: { name, namespace = '' } }: LiveObject): string =>
  `${kind} ${namespace}/${name}`;

/**
 * Every recorded fleet that has a topology, compiled from it with the keys and the lock that were recorded with it. All files of a worker
 * share them: nothing of it may be changed.
 */
export const recordings = once((): readonly Recording[] =>
  recordedFolders()
    .filter(({ folder }) => hasVector(`${folder}/topology.yaml`))
    .map((recorded) => {
      const { name, folder } = recorded;
      const rebuilt = compiledFrom(name, folder, (lock) => lock.replace(/^ {2}\S+\/view\/.*\n/gm, ''));
      const { clusters, after } = readClusters(recorded);
      return {
        name,
        clusters: clusters.map((it) => withAnnotations(it, rebuilt)),
        after: after.map((it) => withAnnotations(it, rebuilt)),
        sources: sourcesIn(name, folder),
        compiled: compiledFrom(name, folder, (lock) => lock),
        rebuilt,
      };
    }),
);

/** Bundles had fewer annotations when the fleets were recorded: as if those that are compiled now had been applied. */
function withAnnotations<Cluster extends LiveCluster>(live: Cluster, compiled: Compiled): Cluster {
  const objects = new Map(live.objects);
  for (const { object } of appliedObjects(compiled, live.name)) {
    const found = objects.get(keyOf(object));
    if (found === undefined) continue;
    const annotations = { ...found.metadata.annotations, ...object.metadata.annotations };
    objects.set(keyOf(found), { ...found, metadata: { ...found.metadata, annotations } });
  }
  return { ...live, objects };
}

/** The release of a recording, with all fields of its objects: recordings with the same ones differ in data. */
export const fieldsOf = oncePer(({ name, clusters }: RecordedClusters): string => {
  const objects = clusters.flatMap((it) => [...it.objects.values()]);
  const fields = new Set(objects.flatMap((it) => fieldsIn(it.spec, it.kind)));
  return [name.replace(/^.* /, ''), ...[...fields].sort()].join();
});

/** Names in maps are one field, and so are the elements of a list; lists with several are others. */
function fieldsIn(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path];
  if (Array.isArray(value))
    return value.flatMap((it) => fieldsIn(it, `${path}${value.length > 1 ? '[several]' : '[]'}`));
  return Object.entries(value).flatMap(([key, it]) => fieldsIn(it, `${path}.${/[-\d]/.test(key) ? '*' : key}`));
}

/** Every recorded fleet, also those of which only `weft import` has a topology. */
export const allRecordedClusters = (): readonly RecordedClusters[] => recordedFolders().map(readClusters);

interface RecordedFolder {
  readonly name: string;
  readonly folder: string;
}

/** Fleets as the controllers of Liqo left them. */
const recordedFolders = once((): readonly RecordedFolder[] =>
  vectorFolders('live').flatMap((fleet) =>
    vectorFolders(`live/${fleet}`).map((release) => ({
      name: `${fleet} ${release}`,
      folder: `live/${fleet}/${release}`,
    })),
  ),
);

const readClusters = oncePer(({ name, folder }: RecordedFolder): RecordedClusters => {
  const after = `${folder}/after`;
  return {
    name,
    clusters: listsIn(folder).map((it) => ({ name: it, objects: readObjects(`${folder}/${it}.json`) })),
    after: listsIn(after).map((it) => {
      const [cluster = '', what = ''] = it.split('.');
      return { name: cluster, what, objects: readObjects(`${after}/${it}.json`) };
    }),
  };
});

function sourcesIn(name: string, folder: string): Sources {
  const topology = readIn(folder, 'topology.yaml');
  if (topology === undefined) throw new Error(`${name} has no topology`);
  return {
    topology,
    keys: readIn(folder, 'topology.keys.yaml'),
    identities: readIn(folder, 'topology.identities.yaml'),
    lock: undefined,
  };
}

function readIn(folder: string, file: string): Source | undefined {
  const path = `${folder}/${file}`;
  return hasVector(path) ? { path: file, text: readVector(path) } : undefined;
}

function compiledFrom(name: string, folder: string, editLock: (text: string) => string): Compiled {
  const recorded = readIn(folder, 'topology.lock.yaml');
  const lock = recorded && { ...recorded, text: editLock(recorded.text) };
  const outcome = compile({ ...sourcesIn(name, folder), lock }, { relock: [], only: null });
  if (!outcome.ok) throw new Error(`${name}: ${outcome.diagnostics.map((it) => it.message).join('\n')}`);
  return outcome.value;
}

function readObjects(path: string): ReadonlyMap<string, LiveObject> {
  const { items } = JSON.parse(readVector(path)) as { readonly items: readonly LiveObject[] };
  return new Map(items.map((it) => [keyOf(it), it]));
}

/** The names of the lists in a folder, without `.json`; none without the folder. */
const listsIn = (folder: string): readonly string[] =>
  vectorFiles(folder)
    .filter((it) => it.endsWith('.json'))
    .map((it) => it.slice(0, -'.json'.length));
