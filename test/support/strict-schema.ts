/** The requirements of a CustomResourceDefinition; only the keywords that the CRDs of Liqo use. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly [keyword: string]: unknown;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that mean the same in both languages. */
const KEPT = [
  'type',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
];

/** Keywords that require nothing of a value, or that this file handles by itself. */
const HANDLED = new Set([
  ...KEPT,
  ...['description', 'default', 'nullable', 'properties', 'items', 'additionalProperties', 'required', 'anyOf'],
  ...['x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'],
]);

/**
 * The schema of a CRD as strict JSON Schema: an unknown field, which an API server drops in silence, is a mistake. A
 * keyword that is new here throws, so that no constraint is lost unseen.
 */
export function strictSchema(schema: OpenApiSchema): JsonSchema {
  const unknown = Object.keys(schema).filter((it) => !HANDLED.has(it));
  if (unknown.length > 0) throw new Error(`the CRD uses ${unknown.join(', ')}, which strictSchema does not support`);
  const kept = Object.fromEntries(KEPT.filter((it) => schema[it] !== undefined).map((it) => [it, schema[it]]));
  const strict = { ...kept, ...typeOf(schema), ...objectPart(schema), ...listPart(schema) };
  checkRules(schema);
  return schema.nullable === true ? { anyOf: [strict, { type: 'null' }] } : strict;
}

function typeOf(schema: OpenApiSchema): JsonSchema {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  if (schema['anyOf'] !== undefined) throw new Error('anyOf is only known for x-kubernetes-int-or-string');
  return {};
}

function objectPart(schema: OpenApiSchema): JsonSchema {
  if (schema.type !== 'object') return {};
  const properties = schema.properties ?? {};
  const required = (schema.required ?? []).filter((it) => properties[it]?.default === undefined);
  return {
    properties: Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, strictSchema(it)])),
    required,
    additionalProperties: otherProperties(schema),
  };
}

function otherProperties(schema: OpenApiSchema): JsonSchema | boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true;
  if (typeof schema.additionalProperties === 'object') return strictSchema(schema.additionalProperties);
  return schema.additionalProperties ?? false;
}

function listPart(schema: OpenApiSchema): JsonSchema {
  if (schema.type !== 'array' || schema.items === undefined) return {};
  const items = strictSchema(schema.items);
  if (schema['x-kubernetes-list-type'] === 'set') return { items, uniqueItems: true };
  const keys = schema['x-kubernetes-list-map-keys'];
  return schema['x-kubernetes-list-type'] === 'map' ? { items, uniqueBy: keys } : { items };
}

/** A rule that compares with the old object does not apply to one object; another kind would need an evaluator. */
function checkRules(schema: OpenApiSchema): void {
  const rules = (schema['x-kubernetes-validations'] ?? []) as readonly { readonly rule: string }[];
  const other = rules.find((it) => it.rule !== 'self == oldSelf');
  if (other !== undefined) throw new Error(`the CRD has the rule "${other.rule}", which nothing here evaluates`);
}
