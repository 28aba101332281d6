import { readFileSync } from 'node:fs';

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** A schema of OpenAPI 3.0; only the keywords that GitHub's description uses for our calls. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | OpenApiSchema;
  readonly oneOf?: readonly OpenApiSchema[];
  readonly default?: Json;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: OpenApiSchema;
  /** The value may hold slashes. */
  readonly 'x-multi-segment'?: boolean;
}

export interface Reference {
  readonly $ref: string;
}

interface Body {
  readonly content?: { readonly 'application/json'?: { readonly schema: OpenApiSchema } };
  readonly required?: boolean;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body | Reference>>;
}

interface Description {
  readonly source: { readonly version: string; readonly sha256: string; readonly license: readonly string[] };
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Body>>;
  };
}

/** GitHub's own description of the calls that weft makes; see extract-openapi.mjs. */
export const DESCRIPTION = JSON.parse(
  readFileSync(new URL('openapi-subset.json', import.meta.url), 'utf8'),
) as Description;

const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);

const found = <T>(value: T | undefined, name: string): T => {
  if (value === undefined) throw new Error(`the description has no ${name}`);
  return value;
};

export const schemaNamed = (name: string): OpenApiSchema => found(DESCRIPTION.components.schemas[name], name);

export const resolveSchema = (schema: OpenApiSchema): OpenApiSchema =>
  schema.$ref === undefined ? schema : schemaNamed(nameOf({ $ref: schema.$ref }));

export const parametersOf = ({ parameters = [] }: Operation): readonly Parameter[] =>
  parameters.map((it) => ('$ref' in it ? found(DESCRIPTION.components.parameters[nameOf(it)], it.$ref) : it));

/**
 * The body that an operation may answer with a status: `undefined` if it may not, `null` if the body is not described.
 */
export function responseSchema({ responses }: Operation, status: number): OpenApiSchema | null | undefined {
  const response = responses[String(status)];
  if (response === undefined) return undefined;
  const body = '$ref' in response ? found(DESCRIPTION.components.responses[nameOf(response)], response.$ref) : response;
  return body.content?.['application/json']?.schema ?? null;
}

export const bodySchema = ({ requestBody }: Operation): OpenApiSchema | null =>
  requestBody?.content?.['application/json']?.schema ?? null;
