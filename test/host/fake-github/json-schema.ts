import type { Json, OpenApiSchema } from './description.ts';

/** The treatment of properties that the schema does not name. */
export type Others = 'allowed' | 'refused';

/**
 * A schema of OpenAPI 3.0 as JSON Schema. `nullable` becomes a type of its own and a reference points into `definitions`.
 * Several branches of a `oneOf` fit at once, because GitHub's schemas require little, so it is read as `anyOf`.
 */
export function jsonSchema(schema: OpenApiSchema, others: Others): { readonly [name: string]: unknown } {
  if (schema.$ref !== undefined) return { $ref: definitionOf(schema.$ref) };
  const { nullable = false, properties, items, additionalProperties, oneOf } = schema;
  const isClosed = others === 'refused' && properties !== undefined && additionalProperties === undefined;
  const converted = {
    ...kept(schema),
    ...(schema.type === undefined ? {} : { type: nullable ? [schema.type, 'null'] : schema.type }),
    ...(schema.enum === undefined ? {} : { enum: nullable ? [...schema.enum, null] : schema.enum }),
    ...(items === undefined ? {} : { items: jsonSchema(items, others) }),
    ...(properties === undefined ? {} : { properties: mapped(properties, others) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: jsonSchema(additionalProperties, others) }
      : { additionalProperties: isClosed ? false : (additionalProperties ?? true) }),
    ...(oneOf === undefined ? {} : { anyOf: oneOf.map((it) => jsonSchema(it, others)) }),
  };
  return nullable && schema.type === undefined ? { anyOf: [converted, { type: 'null' }] } : converted;
}

/** The target of a reference to a component in the root schema of `validators.ts`. */
const definitionOf = (reference: string): string =>
  `github#/definitions/${reference.slice('#/components/schemas/'.length)}`;

export const mapped = (
  schemas: Readonly<Record<string, OpenApiSchema>>,
  others: Others,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(schemas).map(([name, it]) => [name, jsonSchema(it, others)]));

function kept({ format, minLength, maxLength, required }: OpenApiSchema): Readonly<Record<string, Json | undefined>> {
  const all = { format, minLength, maxLength, required };
  return Object.fromEntries(Object.entries(all).filter(([, it]) => it !== undefined));
}
