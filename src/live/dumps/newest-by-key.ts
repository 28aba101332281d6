import { type KubernetesObject, objectKey } from './kubernetes-object.ts';

/** Of each object its newest state, by what identifies the object. Each object may have something else with it. */
export function newestByKey<T>(states: Iterable<T>, objectOf: (state: T) => KubernetesObject): ReadonlyMap<string, T> {
  const newest = new Map<string, T>();
  for (const it of states) {
    const key = objectKey(objectOf(it));
    const earlier = newest.get(key);
    if (earlier === undefined || !isNewer(objectOf(earlier), objectOf(it))) newest.set(key, it);
  }
  return newest;
}

/** Whether the first of two states is the later one, by the version that its API server counts up; without one the second is. */
function isNewer(first: KubernetesObject, second: KubernetesObject): boolean {
  const [a, b] = [first, second].map((it) => it.metadata['resourceVersion']);
  if (typeof a !== 'string' || typeof b !== 'string' || !/^\d+$/.test(a) || !/^\d+$/.test(b)) return false;
  return a.length === b.length ? a > b : a.length > b.length;
}
