import type { Span } from '../../base/source/source.ts';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonMap;

/** An absent member may be `undefined`. */
export type JsonMap = { readonly [key: string]: Json | undefined };

export const isJsonMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys; `undefined` where there is none. */
export function jsonAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let here = value;
  for (const key of path) here = isJsonMap(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  return here;
}

/**
 * The text at a path; `undefined` for a value of another type, and for an empty text: Liqo and liqoctl write `""` for
 * fields that are not set, and its CRDs have it as a default. Source: liqotech/liqo@v1.2.0
 * deployments/liqo/charts/liqo-crds/crds (networking.liqo.io_gatewayservers.yaml, spec.secretRef.name).
 */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = jsonAt(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The list at a path; empty for a value of another type. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = jsonAt(value, ...path);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

/** The number at a path; `null` for a value of another type. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number | null {
  const found = jsonAt(value, ...path);
  return typeof found === 'number' ? found : null;
}

/** The boolean at a path; `null` for a value of another type. */
export function booleanAt(value: Json | undefined, ...path: readonly string[]): boolean | null {
  const found = jsonAt(value, ...path);
  return typeof found === 'boolean' ? found : null;
}

/** The texts of the list at a path; items of another type are left out. */
export const textsAt = (value: Json | undefined, ...path: readonly string[]): readonly string[] =>
  listAt(value, ...path).filter((it) => typeof it === 'string');

/** The map of texts at a path; members of another type are left out. */
export function textMapAt(value: Json | undefined, ...path: readonly string[]): Readonly<Record<string, string>> {
  const found = jsonAt(value, ...path);
  if (!isJsonMap(found)) return {};
  return Object.fromEntries(Object.entries(found).flatMap(([key, it]) => (typeof it === 'string' ? [[key, it]] : [])));
}

/** A value of a dump, with its place. */
export interface DumpValue {
  readonly value: Json;
  readonly at: () => Span;
  /** The place of an item, for a value that is a list. */
  readonly itemAt?: (index: number) => Span;
}

/** True for a kind that is kept: most objects of a full dump are Pods. */
export type WantedKind = (apiVersion: string, kind: string) => boolean;
