import { isMap, type Schema } from '../support/json-documents.ts';

/**
 * Everything that a schema describes, by its place: each key, and each value of an enumeration. A definition is one place,
 * wherever it is referred to.
 */
export function partsOf(schema: Schema): ReadonlySet<string> {
  const found = new Set<string>();
  const list = (it: unknown, at: string): void => {
    if (!isMap(it)) return;
    if (Array.isArray(it['enum'])) for (const value of it['enum']) found.add(`${at} = ${String(value)}`);
    for (const [name, one] of Object.entries((it['properties'] ?? {}) as Schema)) {
      found.add(`${at}/${name}`);
      list(one, `${at}/${name}`);
    }
    list(it['items'], `${at}[]`);
    for (const word of ['anyOf', 'oneOf'])
      for (const [i, one] of ((it[word] ?? []) as readonly unknown[]).entries()) list(one, `${at}/${word}${i}`);
  };
  const { $defs = {}, ...root } = schema;
  list(root, '');
  for (const [name, it] of Object.entries($defs as Schema)) list(it, `#${name}`);
  return found;
}

/** The parts of these that a document has, which must match the schema. */
export function partsIn(schema: Schema, document: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const $defs = (schema['$defs'] ?? {}) as Schema;
  const visit = (it: unknown, value: unknown, at: string): void => {
    if (!isMap(it)) return;
    const name = /^#\/\$defs\/(.*)$/.exec(String(it['$ref'] ?? ''))?.[1];
    if (name !== undefined) visit($defs[name], value, `#${name}`);
    if (Array.isArray(it['enum'])) found.add(`${at} = ${String(value)}`);
    if (isMap(value)) {
      for (const [key, one] of Object.entries((it['properties'] ?? {}) as Schema)) {
        if (!(key in value)) continue;
        found.add(`${at}/${key}`);
        visit(one, value[key], `${at}/${key}`);
      }
    }
    if (Array.isArray(value)) for (const one of value) visit(it['items'], one, `${at}[]`);
    for (const word of ['anyOf', 'oneOf'])
      for (const [i, one] of ((it[word] ?? []) as readonly unknown[]).entries())
        if (isMap(one) && isMeant(one, value)) visit(one, value, `${at}/${word}${i}`);
  };
  visit(schema, document, '');
  return found;
}

/** True if a value is of this branch: of its type, and of its kind if the kind distinguishes branches. */
function isMeant({ type, properties }: Schema, value: unknown): boolean {
  if (type === 'null') return value === null;
  const kind = isMap(properties) && isMap(properties['kind']) ? properties['kind']['enum'] : undefined;
  return Array.isArray(kind) && isMap(value) ? kind.includes(value['kind']) : value !== null;
}
