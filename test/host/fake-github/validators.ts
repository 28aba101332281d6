import { Ajv, type ErrorObject } from 'ajv';
import { DESCRIPTION, type OpenApiSchema, type Parameter } from './description.ts';
import { jsonSchema, mapped, type Others } from './json-schema.ts';

/** The faults of a value. */
export type Check = (value: unknown) => readonly Fault[];

export interface Fault {
  /** An unknown name is a fault of the caller that GitHub itself would not mention. */
  readonly kind: 'unknown-name' | 'invalid';
  readonly text: string;
}

const ajv = newAjv({ coerceTypes: false });
/** Values of a path or a query are all strings, and are read as what they should be. */
const coercing = newAjv({ coerceTypes: true });

function newAjv({ coerceTypes }: { readonly coerceTypes: boolean }): Ajv {
  const made = new Ajv({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    coerceTypes,
    code: { optimize: false },
  });
  made.addFormat('uri', URL.canParse);
  made.addFormat('email', /^[^@\s]+@[^@\s]+$/);
  made.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
  made.addFormat('repo.nwo', /^[^/\s]+(\/[^/\s]+)?$/);
  made.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  made.addSchema({ $id: 'github', definitions: mapped(DESCRIPTION.components.schemas, 'allowed') });
  return made;
}

const checks = new Map<OpenApiSchema, Check>();

/** Compiling takes long, so every schema is compiled when it is first needed, and once in a process. */
export function checkOf(schema: OpenApiSchema, others: Others): Check {
  const known = checks.get(schema) ?? compile(ajv, jsonSchema(schema, others));
  checks.set(schema, known);
  return known;
}

const parameterChecks = new Map<readonly Parameter[], Check>();

/** Checks all parameters in the path, or in the query, of one operation. */
export function parametersCheck(parameters: readonly Parameter[]): Check {
  const known = parameterChecks.get(parameters) ?? compile(coercing, parametersSchema(parameters));
  parameterChecks.set(parameters, known);
  return known;
}

const parametersSchema = (parameters: readonly Parameter[]): object => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map((it) => [it.name, jsonSchema(it.schema, 'refused')])),
  required: parameters.filter((it) => it.required === true).map((it) => it.name),
  additionalProperties: false,
});

function compile(by: Ajv, schema: object): Check {
  const validate = by.compile(schema);
  // Coercion writes into the value, which belongs to the caller.
  return (value) => (validate(structuredClone(value)) ? [] : (validate.errors ?? []).map(faultOf));
}

function faultOf({ keyword, instancePath, message, params }: ErrorObject): Fault {
  const detail = params['additionalProperty'] ?? params['allowedValues'];
  const more = detail === undefined ? '' : ` (${JSON.stringify(detail)})`;
  const text = `${instancePath === '' ? 'it' : instancePath} ${message}${more}`;
  return { kind: keyword === 'additionalProperties' ? 'unknown-name' : 'invalid', text };
}
