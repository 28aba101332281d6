import { readPrintedYaml } from './read-printed-yaml.ts';
import { readStrictYaml, type YamlDocumentsResult } from './read-strict-yaml.ts';
import type { Source } from './source.ts';

/**
 * Reads every document of a YAML 1.2 text (core schema), with the place of every part. It is for files that weft wrote: a text
 * in their style is read in a twentieth of the time; any other one is read by the strict reader, and so are all mistakes.
 */
export function readYamlDocuments(source: Source): YamlDocumentsResult {
  const documents = readPrintedYaml(source);
  return documents ? { ok: true, documents } : readStrictYaml(source);
}
