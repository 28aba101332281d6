import schema from '../../../schemas/topology.editor.schema.json' with { type: 'json' };
import { clusterOffers, namesOffered } from './schema-names.ts';

/** The schema for editors, which complete the names of these clusters. */
export const schemaText = (names: readonly string[]): string => `${JSON.stringify(schemaWith(names), null, 2)}\n`;

/** A fleet without clusters keeps the names of the examples. The names differ in order only where sets differ, too. */
const schemaWith = (names: readonly string[]): typeof schema =>
  names.length === 0 ? schema : { ...schema, $defs: { ...schema.$defs, clusterNames: clusterOffers(names) } };

/** Matches the `$id` of every schema that weft has ever written there. */
const ID = /^https:\/\/weft\.dev\/schemas\/topology(\.editor)?\.schema\.json$/;

/** The start of a schema of weft that is no JSON: git merged two sets of names in it. */
const MERGED = /^\{\s*"\$schema": "[^"\n]*",\s*"\$id": "https:\/\/weft\.dev\/schemas\/topology\.editor\.schema\.json"/;

/**
 * The kind of a file: this version's schema, in any indentation and with any names of clusters; another or edited schema
 * of weft; or any other file. One that git has merged counts as current: its next writer repairs it.
 */
export type SchemaCopy = 'current' | 'other-version' | 'foreign';

export function schemaCopyOf(text: string): SchemaCopy {
  const document = documentIn(text);
  if (document === undefined && MERGED.test(text)) return 'current';
  if (typeof document !== 'object' || document === null || !('$id' in document)) return 'foreign';
  if (typeof document.$id !== 'string' || !ID.test(document.$id)) return 'foreign';
  return JSON.stringify(document) === JSON.stringify(schemaWith(namesOffered(document))) ? 'current' : 'other-version';
}

/** True for the schema of this version with these names, in any indentation. */
export const isSchemaWith = (text: string, names: readonly string[]): boolean =>
  JSON.stringify(documentIn(text)) === JSON.stringify(schemaWith(names));

function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
