import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required?: boolean;
  readonly schema?: object;
  readonly [keyword: string]: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
}

interface Description {
  readonly source: { readonly module: string; readonly version: string; readonly license: readonly string[] };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions: Readonly<Record<string, object>>;
  readonly responses: Readonly<Record<string, { readonly schema?: object }>>;
}

/** Gitea's own description of the calls that weft makes; see extract-swagger.mjs. */
const DESCRIPTION = JSON.parse(readFileSync(new URL('swagger-subset.json', import.meta.url), 'utf8')) as Description;

/** A call that the description has, with the names in its path. */
export interface DescribedCall {
  readonly operation: string;
  readonly path: Readonly<Record<string, string>>;
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly operation: Operation;
}

/** `{ref}` of git/refs has slashes in it, which the description does not mention. */
const ROUTES: readonly Route[] = Object.entries(DESCRIPTION.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, (_, name) => (name === 'ref' ? '(.+)' : '([^/]+)'))}$`),
    names: [...path.matchAll(/\{(\w+)\}/g)].map((it) => it[1] ?? ''),
    operation,
  })),
);

const routeOf = (method: string, path: string): Route | undefined =>
  ROUTES.find((it) => it.method === method && it.pattern.test(path));

export function describedCall(method: string, path: string): DescribedCall | null {
  const route = routeOf(method, path);
  if (route === undefined) return null;
  const values = route.pattern.exec(path)?.slice(1).map(decodeURIComponent) ?? [];
  return {
    operation: route.operation.operationId,
    path: Object.fromEntries(route.names.map((name, i) => [name, values[i] ?? ''])),
  };
}

const newAjv = (coerceTypes: boolean, definitions: object): Ajv => {
  const made = new Ajv({ allErrors: true, strict: false, coerceTypes, code: { optimize: false } });
  made.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
  made.addFormat('email', /^[^@\s]*@?[^@\s]*$/);
  for (const it of ['int64', 'uint64', 'int32']) made.addFormat(it, true);
  made.addSchema({ $id: 'gitea', definitions });
  return made;
};

/** A property that a request names and the description does not is a mistake; Gitea itself ignores it. */
const closed = Object.fromEntries(
  Object.entries(DESCRIPTION.definitions).map(([name, it]) => [name, { ...it, additionalProperties: false }]),
);

/** The server is written in Go: what is nothing there is `null` in JSON, and the description does not say so. */
const open = nullable(DESCRIPTION.definitions) as object;

function nullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullable);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, it]) => [name, nullable(it)]));
  if (!('properties' in copy) || typeof copy['properties'] !== 'object') return copy;
  const properties = Object.entries(copy['properties'] as Readonly<Record<string, object>>);
  return {
    ...copy,
    properties: Object.fromEntries(properties.map(([name, it]) => [name, { anyOf: [it, { type: 'null' }] }])),
  };
}

const requests = newAjv(false, closed);
const queries = newAjv(true, {});
const answers = newAjv(false, open);

const validators = new Map<Ajv, Map<string, ValidateFunction>>();

/** The validator of a part of the description, made once: references lead into the schemas that the validators know. */
function validatorOf(by: Ajv, schema: string): ValidateFunction {
  const known = validators.get(by) ?? new Map<string, ValidateFunction>();
  validators.set(by, known);
  const made =
    known.get(schema) ?? by.compile(JSON.parse(schema.replaceAll('"#/definitions/', '"gitea#/definitions/')));
  known.set(schema, made);
  return made;
}

function faults(by: Ajv, schema: object, value: unknown, where: string): readonly string[] {
  const validate = validatorOf(by, JSON.stringify(schema));
  if (validate(structuredClone(value))) return [];
  return (validate.errors ?? []).map((it) => `${where}${it.instancePath} ${it.message} ${JSON.stringify(it.params)}`);
}

export interface SentRequest {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The faults of a request according to the description. */
export function requestFaults({ method, path, query, body }: SentRequest): readonly string[] {
  const route = routeOf(method, path);
  if (route === undefined) return ['no such call among those that weft makes'];
  const { parameters = [] } = route.operation;
  const inQuery = parameters.filter((it) => it.in === 'query');
  const schema = {
    type: 'object',
    properties: Object.fromEntries(inQuery.map(({ name, in: _in, required: _required, ...it }) => [name, it])),
    required: inQuery.filter((it) => it.required === true).map((it) => it.name),
    additionalProperties: false,
  };
  const wanted = parameters.find((it) => it.in === 'body')?.schema;
  const bodyFaults =
    wanted === undefined
      ? body === undefined
        ? []
        : ['it has a body, and needs none']
      : faults(requests, wanted, body, 'body');
  return [...faults(queries, schema, query, 'query'), ...bodyFaults];
}

/** Answered anywhere, whatever a call lists: by Gitea, or by a proxy in front of it. */
const isAnywhere = (status: number): boolean => [301, 401, 403, 404, 413, 423, 429].includes(status) || status >= 500;

/** The description says that these answer a list, and servers answer one object. Tried with Gitea 1.26.0. */
const MISTAKEN = ['getUserSettings'];

const itemsOf = (schema: object | undefined): object | undefined =>
  schema !== undefined && 'items' in schema && typeof schema.items === 'object' ? (schema.items ?? undefined) : schema;

/** The faults of an answer according to the description. */
export function answerFaults({ method, path }: SentRequest, status: number, body: unknown): readonly string[] {
  const route = routeOf(method, path);
  const reference = route?.operation.responses[String(status)]?.$ref;
  if (reference === undefined) return isAnywhere(status) ? [] : [`answer: no status ${status} is known`];
  const found = DESCRIPTION.responses[reference.slice(reference.lastIndexOf('/') + 1)]?.schema;
  const schema = MISTAKEN.includes(route?.operation.operationId ?? '') ? itemsOf(found) : found;
  return schema === undefined ? [] : faults(answers, schema, body, 'answer');
}
