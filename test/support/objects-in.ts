import { parseAllDocuments } from 'yaml';

const known = new Map<string, readonly unknown[]>();

/** The objects of a text in YAML, by the `yaml` package. Each text is read once: laws meet the same bundles again and again. */
export function objectsIn<T>(text: string): readonly T[] {
  const found = known.get(text) ?? parseAllDocuments(text).map((it) => it.toJS());
  known.set(text, found);
  return found as readonly T[];
}
