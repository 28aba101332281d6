import { compile } from '../../../src/compile.ts';
import { appliedObjects } from '../../bundle/gitops/applied-objects.ts';
import { hasVector, readVector, vectorFiles } from '../../support/vectors.ts';

/** An object of a dump, for edits. */
export interface Item {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** A recorded fleet: the inputs of weft, and the dump of each cluster. */
export interface RecordedFleet {
  readonly files: Readonly<Record<string, string>>;
  readonly dumps: Record<string, Item[]>;
}

/**
 * A fleet as it was recorded, with tunnels that are up where none was there. Views that the lock has from before are left out:
 * what was recorded began from nothing.
 *
 * @param after `reverse`: the state of clusters after something else was done, with the keys that the others have.
 */
export function recordedFleet(name: string, after?: string): RecordedFleet {
  const { files, dumps } = textsOf(name, after);
  return { files, dumps: Object.fromEntries(Object.entries(dumps).map(([cluster, it]) => [cluster, itemsOf(it)])) };
}

/** The clusters of a recorded fleet. */
export const clustersRecorded = (name: string): readonly string[] => Object.keys(textsOf(name, undefined).dumps);

/** The fleets that a worker has read, with the texts of their dumps: a test edits objects of its own. */
const known = new Map<string, Texts>();

interface Texts extends Pick<RecordedFleet, 'files'> {
  readonly dumps: Readonly<Record<string, string>>;
}

function textsOf(name: string, after: string | undefined): Texts {
  const id = `${name} ${after ?? ''}`;
  const texts = known.get(id) ?? readFleet(name, after);
  known.set(id, texts);
  return texts;
}

function readFleet(name: string, after: string | undefined): Texts {
  const folder = `live/${name}`;
  const read = (file: string): string => readVector(`${folder}/${file}`);
  const files = vectorFiles(folder);
  const inputs = files.filter((it) => it.endsWith('.yaml'));
  const dumps = Object.fromEntries(
    files.filter((it) => it.endsWith('.json')).map((it) => [it.slice(0, -'.json'.length), itemsOf(read(it))]),
  );
  for (const [cluster, items] of Object.entries(dumps)) {
    const hasTunnels = items.some((it) => (it['status'] as { readonly value?: string })?.value === 'Connected');
    if (!hasTunnels) dumps[cluster] = connected(items);
    const path = `after/${cluster}.${after}.json`;
    if (after === undefined || !hasVector(`${folder}/${path}`)) continue;
    if (hasTunnels) {
      dumps[cluster] = itemsOf(read(path));
      continue;
    }
    const keys = items.filter((it) => it.kind === 'PublicKey');
    dumps[cluster] = [...connected(itemsOf(read(path))).filter((it) => it.kind !== 'PublicKey'), ...keys];
  }
  const texts = new Map(inputs.map((it) => [it, read(it).replace(/^ {2}\S+\/view\/.*\n/gm, '')]));
  annotate(dumps, texts);
  return {
    files: Object.fromEntries([...texts].map(([file, text]) => [`topologies/${file}`, text])),
    dumps: Object.fromEntries(Object.entries(dumps).map(([cluster, items]) => [cluster, JSON.stringify({ items })])),
  };
}

/** Bundles had fewer annotations for GitOps tools when the fleets were recorded. */
function annotate(dumps: RecordedFleet['dumps'], texts: ReadonlyMap<string, string>): void {
  const source = (path: string) => ({ path, text: texts.get(path) ?? '' });
  const compiled = compile(
    {
      topology: source('topology.yaml'),
      keys: texts.has('topology.keys.yaml') ? source('topology.keys.yaml') : undefined,
      lock: texts.has('topology.lock.yaml') ? source('topology.lock.yaml') : undefined,
    },
    { relock: [], only: null },
  );
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  for (const [cluster, items] of Object.entries(dumps)) {
    for (const { object } of appliedObjects(compiled.value, cluster)) {
      const { kind, metadata } = object;
      for (const it of items) {
        const isSame = it.metadata.name === metadata.name && it.metadata.namespace === metadata.namespace;
        if (it.kind === kind && isSame)
          it.metadata.annotations = { ...it.metadata.annotations, ...metadata.annotations };
      }
    }
  }
}

const itemsOf = (text: string): Item[] => (JSON.parse(text) as { readonly items: Item[] }).items;

/** With the Connections that gateways write once their tunnels are up. */
export function connected(items: Item[]): Item[] {
  const gateways = items.filter((it) => it.kind === 'GatewayServer' || it.kind === 'GatewayClient');
  const connections = gateways.map(({ kind, metadata: { name, namespace, labels } }) => ({
    apiVersion: 'networking.liqo.io/v1beta1',
    kind: 'Connection',
    metadata: { name: `gw-${name}`, ...(namespace ? { namespace } : {}), ...(labels ? { labels } : {}) },
    spec: {
      type: kind === 'GatewayServer' ? 'Server' : 'Client',
      gatewayRef: { apiVersion: 'networking.liqo.io/v1beta1', kind: `Wg${kind}`, name, namespace },
    },
    status: { value: 'Connected' },
  }));
  return [...items.filter((it) => it.kind !== 'Connection'), ...connections];
}

/** The one object of a kind and a name. */
export function objectIn(items: readonly Item[], kind: string, name: string): Item {
  const found = items.filter((it) => it.kind === kind && it.metadata.name === name);
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`there are ${found.length} of ${kind} ${name}`);
  return first;
}

/** Sets the value at a path of keys, in place; `undefined` removes it. */
export function setAt(object: object, path: string, value: unknown): void {
  const keys = path.split('/');
  const last = keys.pop() ?? '';
  let here = object as Record<string, unknown>;
  for (const key of keys) {
    here[key] ??= {};
    here = here[key] as Record<string, unknown>;
  }
  if (value === undefined) delete here[last];
  else here[last] = value;
}

export const dumpOf = (items: readonly Item[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 1);
