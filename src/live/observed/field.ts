import { isJsonMap, type Json, jsonAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import type { Moment, Place } from './observed-cluster.ts';

/** The number at a path; `null` for a value of another type. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number | null {
  const found = jsonAt(value, ...path);
  return typeof found === 'number' ? found : null;
}

/** The texts of the list at a path; items of another type are left out. */
export function textsAt(value: Json | undefined, ...path: readonly string[]): readonly string[] {
  const found = jsonAt(value, ...path);
  return Array.isArray(found) ? (found as readonly Json[]).filter((it) => typeof it === 'string') : [];
}

/** The map of texts at a path. */
export function textMapAt(value: Json | undefined, ...path: readonly string[]): Readonly<Record<string, string>> {
  const found = jsonAt(value, ...path);
  if (!isJsonMap(found)) return {};
  return Object.fromEntries(Object.entries(found).flatMap(([key, it]) => (typeof it === 'string' ? [[key, it]] : [])));
}

export const placeOf = ({ metadata }: KubernetesObject): Place => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

export function momentOf({ metadata }: KubernetesObject): Moment {
  const version = textAt(metadata, 'resourceVersion');
  return {
    created: textAt(metadata, 'creationTimestamp') ?? null,
    version: version !== undefined && /^\d{1,15}$/.test(version) ? Number(version) : null,
  };
}
