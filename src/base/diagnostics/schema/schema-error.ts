import type { DocumentPath } from '../../source/document-node.ts';

/** The part of ajv's ErrorObject that weft reads; the validators are compiled as verbose, so it has `parentSchema`. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}

/** The place that an error is about. Source of the escapes: RFC 6901. */
export const pathOf = ({ instancePath }: SchemaError): DocumentPath =>
  instancePath
    .split('/')
    .slice(1)
    .map((it) => it.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The schemas of the keys that the place may have. */
export const propertiesOf = (error: SchemaError): Readonly<Record<string, unknown>> =>
  (error.parentSchema?.['properties'] ?? {}) as Readonly<Record<string, unknown>>;

/** The first example of a schema, as YAML on one line; generated together with the validators. */
export function exampleOf(schema: unknown): string | undefined {
  const { examples } = (schema ?? {}) as { readonly examples?: readonly unknown[] };
  return examples === undefined ? undefined : String(examples[0]);
}
