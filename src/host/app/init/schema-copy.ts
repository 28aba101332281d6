import schema from '../../../../schemas/topology.editor.schema.json' with { type: 'json' };

/** The schema of topologies for editors, beside the folder of topologies. */
export const SCHEMA_PATH = 'schemas/topology.schema.json';
export const schemaText = (): string => `${JSON.stringify(schema, null, 2)}\n`;

/** The `$id` of every schema that weft has ever copied there. */
const ID = /^https:\/\/weft\.dev\/schemas\/topology(\.editor)?\.schema\.json$/;

/** What a file is: the schema of this weft, however it is indented; another one of weft, also an edited one; or anything else. */
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
