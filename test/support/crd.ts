import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import { parse } from 'yaml';
import { type JsonSchema, type OpenApiSchema, strictSchema } from './strict-schema.ts';

/** The CRDs of Liqo as the releases ship them, outside of this repository. */
const CRDS = new URL('../../../shared/liqo-crds/', import.meta.url);

/** False on a machine that lacks them: the tests that need it are then reported as skipped. */
export const crdsAvailable = (): boolean => existsSync(CRDS);

/**
 * What is wrong with a manifest (as a parser gives it) for a cluster with that release, `1.2.0`: unknown, missing and
 * malformed fields, and kinds that no cluster of ours has. Empty when an API server would take every field of it.
 */
export function checkManifest(manifest: unknown, liqoVersion: string): readonly string[] {
  if (!isManifest(manifest)) return ['a manifest is a map with a string apiVersion and a string kind'];
  const validate = validatorOf(manifest.apiVersion, manifest.kind, folderOf(liqoVersion));
  if (validate === undefined) return [`Liqo ${liqoVersion} has no ${manifest.kind} of ${manifest.apiVersion}`];
  if (validate(manifest)) return [];
  return (validate.errors ?? []).map((it) => `${manifest.kind} ${manifest.metadata?.name ?? '?'}: ${sentence(it)}`);
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string };
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind } = value as Partial<Manifest>;
  return typeof apiVersion === 'string' && typeof kind === 'string';
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const detail = params['additionalProperty'] ?? params['allowedValues'] ?? params['allowedValue'];
  const more = detail === undefined ? '' : ` (${JSON.stringify(detail)})`;
  return `${instancePath === '' ? '/' : instancePath} ${message}${more}`;
}

/** The folder of a release; a patch that is not there is checked against the one of its line that is. */
function folderOf(version: string): string {
  if (existsSync(new URL(`v${version}/`, CRDS))) return `v${version}`;
  const line = version.split('.').slice(0, 2).join('.');
  const folder = readdirSync(CRDS).find((it) => it.startsWith(`v${line}.`));
  if (folder === undefined) throw new Error(`there are no CRDs of Liqo ${version}`);
  return folder;
}

/** What ajv compiles to, but no type guard: nothing else is learned about a manifest. */
interface Validator {
  (manifest: unknown): boolean;
  errors?: ErrorObject[] | null;
}

const validators = new Map<string, Validator | undefined>();

function validatorOf(apiVersion: string, kind: string, folder: string): Validator | undefined {
  const id = `${folder} ${apiVersion} ${kind}`;
  if (!validators.has(id)) {
    const schema = CORE[`${apiVersion} ${kind}`] ?? customSchema(apiVersion, kind, folder);
    validators.set(id, schema === undefined ? undefined : ajv.compile(schema));
  }
  return validators.get(id);
}

interface CustomResourceDefinition {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: OpenApiSchema };
    }[];
  };
}

function customSchema(apiVersion: string, kind: string, folder: string): JsonSchema | undefined {
  // ForeignClusterConnection comes with the operator of a fork, whatever the release of Liqo.
  for (const text of [...crdTexts(folder), ...crdTexts('foreignclusterconnection')]) {
    // The files are large; only the one that can fit is parsed.
    if (!text.includes(`\n    kind: ${kind}\n`)) continue;
    const { spec } = parsed(text);
    const version = spec.versions.find((it) => it.served && apiVersion === `${spec.group}/${it.name}`);
    if (version === undefined || spec.names.kind !== kind) continue;
    return schemaIn(text, apiVersion, () =>
      resourceSchema(strictSchema(version.schema.openAPIV3Schema), spec.scope, { apiVersion, kind }),
    );
  }
  return undefined;
}

const schemas = new Map<string, Map<string, JsonSchema>>();

/** One schema for equal CRDs of several releases: ajv compiles a schema that it has seen no second time. */
function schemaIn(text: string, apiVersion: string, make: () => JsonSchema): JsonSchema {
  const inText = schemas.get(text) ?? new Map<string, JsonSchema>();
  const schema = inText.get(apiVersion) ?? make();
  schemas.set(text, inText.set(apiVersion, schema));
  return schema;
}

const definitions = new Map<string, CustomResourceDefinition>();

/** Parsing takes a tenth of a second for the largest, and releases share most of them. */
function parsed(text: string): CustomResourceDefinition {
  const known = definitions.get(text) ?? (parse(text) as CustomResourceDefinition);
  definitions.set(text, known);
  return known;
}

/** Every kind that the CRDs of a release define, with the first version of each. */
export const kindsOfRelease = (version: string): readonly TypeMeta[] =>
  crdTexts(folderOf(version)).map((text) => {
    const { group, names, versions } = parsed(text).spec;
    return { apiVersion: `${group}/${versions[0]?.name}`, kind: names.kind };
  });

const texts = new Map<string, readonly string[]>();

function crdTexts(folder: string): readonly string[] {
  const known = texts.get(folder);
  if (known !== undefined) return known;
  const base = new URL(`${folder}/`, CRDS);
  const read = readdirSync(base)
    .filter((it) => it.endsWith('.yaml'))
    .sort()
    .map((it) => readFileSync(new URL(it, base), 'utf8'));
  texts.set(folder, read);
  return read;
}

type Scope = 'Namespaced' | 'Cluster';

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A schema of a whole object: what the CRD leaves to the API server is added. */
function resourceSchema(schema: JsonSchema, scope: Scope, { apiVersion, kind }: TypeMeta): JsonSchema {
  const properties = {
    ...(schema['properties'] as JsonSchema),
    apiVersion: { const: apiVersion },
    kind: { const: kind },
    metadata: metadataSchema(scope, 'dns-subdomain'),
  };
  const required = [...((schema['required'] ?? []) as readonly string[]), 'apiVersion', 'kind', 'metadata'];
  return { ...schema, properties, required: [...new Set(required)] };
}

/** Only what a file in git may contain: no uid, finalizers or owners. */
function metadataSchema(scope: Scope, nameFormat: string): JsonSchema {
  const namespaced = scope === 'Namespaced';
  return {
    type: 'object',
    properties: {
      name: { type: 'string', format: nameFormat },
      ...(namespaced ? { namespace: { type: 'string', format: 'dns-label' } } : {}),
      labels: stringMap({ format: 'label-value' }),
      annotations: stringMap({}),
    },
    required: namespaced ? ['name', 'namespace'] : ['name'],
    additionalProperties: false,
  };
}

const stringMap = (value: JsonSchema): JsonSchema => ({
  type: 'object',
  propertyNames: { format: 'qualified-name' },
  additionalProperties: { type: 'string', ...value },
});

const object = (properties: JsonSchema, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const SECRET_KEYS = { maxLength: 253, pattern: '^[-._a-zA-Z0-9]+$' };

/** The kinds of Kubernetes itself that bundles may hold. */
const CORE: Readonly<Record<string, JsonSchema>> = {
  'v1 Namespace': object(
    { apiVersion: { const: 'v1' }, kind: { const: 'Namespace' }, metadata: metadataSchema('Cluster', 'dns-label') },
    ['apiVersion', 'kind', 'metadata'],
  ),
  'v1 Secret': object(
    {
      apiVersion: { const: 'v1' },
      kind: { const: 'Secret' },
      metadata: metadataSchema('Namespaced', 'dns-subdomain'),
      type: { type: 'string', minLength: 1 },
      immutable: { type: 'boolean' },
      data: { type: 'object', propertyNames: SECRET_KEYS, additionalProperties: { type: 'string', format: 'byte' } },
      stringData: { type: 'object', propertyNames: SECRET_KEYS, additionalProperties: { type: 'string' } },
    },
    ['apiVersion', 'kind', 'metadata'],
  ),
};

const ajv = newAjv();

function newAjv(): Ajv {
  // Most validators run a few times, so the time to optimize their code is never earned back.
  const known = new Ajv({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    code: { optimize: false },
  });
  for (const [name, fits] of Object.entries(stringFormats())) known.addFormat(name, { type: 'string', validate: fits });
  known.addFormat('int32', { type: 'number', validate: (it: number) => it >= -(2 ** 31) && it < 2 ** 31 });
  known.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  known.addKeyword({
    keyword: 'uniqueBy',
    type: 'array',
    validate: uniqueBy,
    error: { message: 'has two entries with equal keys' },
  });
  return known;
}

/**
 * The formats by Kubernetes' own rules, but for `cidr` and `byte`, which are stricter: a controller rewrites or refuses
 * other spellings later. Source: kubernetes/apimachinery pkg/util/validation/validation.go.
 */
function stringFormats(): Readonly<Record<string, (text: string) => boolean>> {
  const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
  const subdomain = new RegExp(`^${label}(\\.${label})*$`);
  const isSubdomain = (it: string): boolean => it.length <= 253 && subdomain.test(it);
  const isName = (it: string): boolean => it.length <= 63 && /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(it);
  return {
    'dns-label': (it) => it.length <= 63 && new RegExp(`^${label}$`).test(it),
    'dns-subdomain': isSubdomain,
    'label-value': (it) => it === '' || isName(it),
    'qualified-name': (it) => {
      const [prefix, name, ...rest] = it.includes('/') ? it.split('/') : [undefined, it];
      return rest.length === 0 && isName(name ?? '') && (prefix === undefined || isSubdomain(prefix));
    },
    ipv4: isIPv4,
    cidr: isCidr,
    byte: (it) => Buffer.from(it, 'base64').toString('base64') === it,
    'date-time': (it) =>
      /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(it) && !Number.isNaN(Date.parse(it)),
  };
}

function isIPv4(text: string): boolean {
  return /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text) && text.split('.').every((it) => Number(it) <= 255);
}

/** Stricter than an API server, which takes IPv6 and host bits: Liqo fails on both later. */
function isCidr(text: string): boolean {
  const [address = '', length = '', ...rest] = text.split('/');
  if (rest.length > 0 || !isIPv4(address) || !/^(\d|[12]\d|3[0-2])$/.test(length)) return false;
  const value = address.split('.').reduce((sum, it) => sum * 256 + Number(it), 0);
  return value % 2 ** (32 - Number(length)) === 0;
}

function uniqueBy(keys: readonly string[], list: readonly Readonly<Record<string, unknown>>[]): boolean {
  const seen = list.map((item) => JSON.stringify(keys.map((key) => item[key] ?? null)));
  return new Set(seen).size === seen.length;
}
