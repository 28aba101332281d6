import { parseAllDocuments } from 'yaml';
import type { LiveObject } from './kube.ts';

/** Every object of a text, in its order. Merge keys, as charts use them, are resolved. */
export function objectsOf(text: string): readonly LiveObject[] {
  return parseAllDocuments(text, { merge: true })
    .map((it) => it.toJS() as LiveObject | null)
    .filter((it) => it !== null && it.kind !== undefined) as readonly LiveObject[];
}
