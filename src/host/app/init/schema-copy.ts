import schema from '../../../../schemas/topology.editor.schema.json' with { type: 'json' };

/** The path of the schema for editors, relative to the folder above `topologies/`. */
export const SCHEMA_PATH = 'schemas/topology.schema.json';
export const schemaText = (): string => `${JSON.stringify(schema, null, 2)}\n`;

/** Matches the `$id` of every schema that weft has ever written there. */
const ID = /^https:\/\/weft\.dev\/schemas\/topology(\.editor)?\.schema\.json$/;

/**
 * The kind of a file: this version's schema, in any indentation; another or edited schema of weft; or any other file.
 */
type SchemaCopy = 'current' | 'other-version' | 'foreign';

export function schemaCopyOf(text: string): SchemaCopy {
  const document = documentIn(text);
  if (typeof document !== 'object' || document === null || !('$id' in document)) return 'foreign';
  if (typeof document.$id !== 'string' || !ID.test(document.$id)) return 'foreign';
  return JSON.stringify(document) === JSON.stringify(schema) ? 'current' : 'other-version';
}

function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
