import { type Item, objectIn, type RecordedFleet, setAt } from './recorded-fleet.ts';

/** Changes the dumps of a fleet, in place. */
export type Edit = (dumps: RecordedFleet['dumps']) => void;

export const copyOf = (it: Item): Item => structuredClone(it);

export const peerOf = (it: Item): string | undefined => it.metadata.labels?.['liqo.io/remote-cluster-id'];

/** Edits one object of a cluster. `namespace/name` is for names that are in several namespaces. */
export const edited =
  (cluster: string, kind: string, name: string, path: string, value: unknown): Edit =>
  (dumps) =>
    setAt(objectOf(dumps, cluster, kind, name), path, value);

function objectOf(dumps: RecordedFleet['dumps'], cluster: string, kind: string, name: string): Item {
  const [namespace, own] = name.includes('/') ? name.split('/') : [undefined, name];
  const items = (dumps[cluster] ?? []).filter((it) => namespace === undefined || it.metadata.namespace === namespace);
  return objectIn(items, kind, own ?? '');
}

/** Removes objects of a cluster. */
export const without =
  (cluster: string, isGone: (it: Item) => boolean): Edit =>
  (dumps) => {
    const before = dumps[cluster] ?? [];
    dumps[cluster] = before.filter((it) => !isGone(it));
    if (dumps[cluster].length === before.length) throw new Error('nothing was removed');
  };

export const isOf =
  (kind: string, name: string, namespace?: string) =>
  (it: Item): boolean =>
    it.kind === kind && it.metadata.name === name && (namespace === undefined || it.metadata.namespace === namespace);

/** Adds a copy of an object under another name. */
export const copied =
  (cluster: string, kind: string, name: string, copy: string): Edit =>
  (dumps) => {
    const it = copyOf(objectOf(dumps, cluster, kind, name));
    it.metadata.name = copy;
    dumps[cluster]?.push(it);
  };

export const all =
  (...edits: readonly Edit[]): Edit =>
  (dumps) => {
    for (const it of edits) it(dumps);
  };
