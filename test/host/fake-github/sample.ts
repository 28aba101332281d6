import { type Json, type JsonObject, type OpenApiSchema, resolveSchema, schemaNamed } from './description.ts';

/**
 * An object that a component's schema takes: our values, and the least that it requires besides. GitHub's own examples are
 * no help, several of them break their own schema.
 */
export function filled(component: string, values: JsonObject): JsonObject {
  return { ...(sampleOf(schemaNamed(component)) as JsonObject), ...values };
}

function sampleOf(schema: OpenApiSchema): Json {
  const it = resolveSchema(schema);
  if (it.nullable) return null;
  if (it.enum?.[0] !== undefined) return it.enum[0];
  if (it.oneOf?.[0] !== undefined) return sampleOf(it.oneOf[0]);
  if (it.type === 'object') return requiredOf(it);
  if (it.type === 'array') return [];
  if (it.type === 'string') return sampleText(it.format);
  return it.type === 'boolean' ? false : 0;
}

function requiredOf({ properties = {}, required = [] }: OpenApiSchema): JsonObject {
  const known = required.flatMap((name) => {
    const schema = properties[name];
    return schema === undefined ? [] : [[name, sampleOf(schema)] as const];
  });
  return Object.fromEntries(known);
}

const SAMPLES: Readonly<Record<string, string>> = {
  uri: 'https://api.github.com/',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'nobody@example.com',
};

const sampleText = (format = ''): string => SAMPLES[format] ?? '';
