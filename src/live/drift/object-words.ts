import { countOf, listOf, shortened } from '../../base/core/words.ts';
import type { Json } from '../dumps/json.ts';
import type { Finding, ObjectName } from './drift.ts';

/** UTF-16 code units of a value, and names of objects, that a sentence shows. */
const LONGEST = 60;
const NAMED = 4;

/** `Configuration "milan"`: within a cluster and a peer the namespace is known. */
export const named = ({ kind, name }: ObjectName): string => `${kind} "${shortened(name, LONGEST)}"`;

/** `the PublicKey "milan" and the Network "milan-pod"`, each object once. */
export function objectsIn(findings: readonly Finding[]): string {
  const names = [...new Set(findings.map((it) => named(it.object)))];
  const shown = names.slice(0, names.length === NAMED + 1 ? names.length : NAMED);
  const more = names.length - shown.length;
  return listOf([...shown, ...(more > 0 ? [countOf(more, 'more object')] : [])]);
}

/** A value of an object in a sentence; `nothing` for none. */
export const valueIn = (value: Json | undefined): string =>
  value === undefined || value === ''
    ? 'nothing'
    : shortened(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);
