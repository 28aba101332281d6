import type { Field } from './manifest.ts';

type Values = { readonly [key: string]: Field | undefined };

/** Values of a chart merged key by key through maps, as Helm merges files of values; a list or a scalar replaces. */
export function mergeValues(base: Values, over: Values): Values {
  const merged: Record<string, Field | undefined> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (isMap(below) && isMap(value)) merged[key] = mergeValues(below, value);
    else if (value !== undefined) merged[key] = value;
  }
  return merged;
}

const isMap = (value: Field | undefined): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
