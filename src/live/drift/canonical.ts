import { byCodeUnit } from '../../base/core/order.ts';
import { isJsonMap, type Json } from '../dumps/json.ts';

/** A value as text, equal for equal values whatever the order of their keys; of a set also that of its items. */
export function canonical(value: Json | undefined, isSet = false): string {
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((it) => canonical(it));
    return `[${(isSet ? items.sort(byCodeUnit) : items).join(',')}]`;
  }
  if (!isJsonMap(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, it]) => it !== undefined)
    .sort(([a], [b]) => byCodeUnit(a, b));
  return `{${members.map(([key, it]) => `${JSON.stringify(key)}:${canonical(it)}`).join(',')}}`;
}

/** An API server may leave out an empty map or list, and may keep it. */
export const isNothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
