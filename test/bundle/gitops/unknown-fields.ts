/** A class of a `@kubernetes-models` package, with the official schema of one kind. */
export interface ModelClass {
  readonly prototype: { validate(): void };
}

/**
 * The problems of an object by the official schema of its kind, unknown fields included. The schemas in those packages
 * are compiled and accept unknown fields; but a compiled schema reads every field that it declares, so a field that is
 * unread afterwards is unknown. `freeForm` names the paths below which a schema declares nothing.
 */
export function schemaErrors(Model: ModelClass, manifest: object, freeForm: readonly string[] = []): readonly string[] {
  const read = new Set<string>();
  const errors: string[] = [];
  try {
    // A constructor would copy the object and thereby read every field.
    Model.prototype.validate.call(watch(manifest, '', read) as { validate(): void });
  } catch (error) {
    errors.push(error instanceof Error ? error.message : String(error));
  }
  const unknown = fieldsOf(manifest, '', freeForm).filter((it) => !read.has(it));
  return [...errors, ...unknown.map((it) => `unknown field ${it}`)];
}

/** The value; every read of a field adds its path to `read`. */
function watch(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (typeof key !== 'string') return found;
      read.add(`${path}/${key}`);
      return watch(found, `${path}/${key}`, read);
    },
  });
}

function fieldsOf(value: unknown, path: string, freeForm: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null || freeForm.some((it) => new RegExp(`^${it}$`).test(path))) return [];
  return Object.entries(value).flatMap(([key, below]) => [
    `${path}/${key}`,
    ...fieldsOf(below, `${path}/${key}`, freeForm),
  ]);
}
