import { Ajv, type ErrorObject } from 'ajv';
import { type JsonSchema, type OpenApiSchema, strictSchema } from './strict-schema.ts';
import { readVectorLines, vectorFiles } from './vectors.ts';

/**
 * The faults of a manifest (as a parser gives it) for a cluster with that release, `1.2.0`: unknown, missing and
 * malformed fields, and kinds that no cluster of ours has. Empty when an API server would take every field of it.
 */
export function checkManifest(manifest: unknown, liqoVersion: string): readonly string[] {
  if (!isManifest(manifest)) return ['a manifest is a map with a string apiVersion and a string kind'];
  const validate = validatorOf(manifest.apiVersion, manifest.kind, releaseOf(liqoVersion));
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

/** The recorded release, `v1.1.2`; a patch without CRDs of its own is checked against the one of its line that has them. */
function releaseOf(version: string): string {
  const releases = [...new Set(DEFINITIONS.flatMap((it) => it.releases))];
  const line = version.split('.').slice(0, 2).join('.');
  const release = releases.find((it) => it === `v${version}`) ?? releases.find((it) => it.startsWith(`v${line}.`));
  if (release === undefined) throw new Error(`there are no CRDs of Liqo ${version}`);
  return release;
}

/** The result type of ajv without its type guard: nothing else is learned about a manifest. */
interface Validator {
  (manifest: unknown): boolean;
  errors?: ErrorObject[] | null;
}

const validators = new Map<string, Validator | undefined>();

function validatorOf(apiVersion: string, kind: string, release: string): Validator | undefined {
  const id = `${release} ${apiVersion} ${kind}`;
  if (!validators.has(id)) {
    const schema = CORE[`${apiVersion} ${kind}`] ?? customSchema(apiVersion, kind, release);
    validators.set(id, schema === undefined ? undefined : ajv.compile(schema));
  }
  return validators.get(id);
}

/** The part of a CRD that decides what an API server accepts, and the releases that have this one. */
interface CustomResourceDefinition {
  readonly releases: readonly string[];
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

const DEFINITIONS = vectorFiles('crds')
  .filter((it) => it.endsWith('.jsonl'))
  .flatMap((it) => readVectorLines(`crds/${it}`) as readonly CustomResourceDefinition[]);

/** ForeignClusterConnection comes with the operator of a fork, whatever the release of Liqo. */
const isIn = ({ releases }: CustomResourceDefinition, release: string): boolean =>
  releases.includes(release) || releases.includes('foreignclusterconnection');

function customSchema(apiVersion: string, kind: string, release: string): JsonSchema | undefined {
  for (const definition of DEFINITIONS) {
    const { spec } = definition;
    if (spec.names.kind !== kind || !isIn(definition, release)) continue;
    const version = spec.versions.find((it) => it.served && apiVersion === `${spec.group}/${it.name}`);
    if (version === undefined) continue;
    return schemaOf(version, () =>
      resourceSchema(strictSchema(version.schema.openAPIV3Schema), spec.scope, { apiVersion, kind }),
    );
  }
  return undefined;
}

const schemas = new Map<object, JsonSchema>();

/** One schema for a CRD that several releases have: ajv compiles a schema that it has seen no second time. */
function schemaOf(version: object, make: () => JsonSchema): JsonSchema {
  const schema = schemas.get(version) ?? make();
  schemas.set(version, schema);
  return schema;
}

/** Every kind that the CRDs of a release define, with the first version of each. */
export const kindsOfRelease = (version: string): readonly TypeMeta[] =>
  DEFINITIONS.filter((it) => it.releases.includes(releaseOf(version))).map(({ spec: { group, names, versions } }) => ({
    apiVersion: `${group}/${versions[0]?.name}`,
    kind: names.kind,
  }));

/** The schemas of a kind in a release, as JSON. */
export const schemaText = (kind: string, version: string): string =>
  JSON.stringify(
    DEFINITIONS.filter((it) => it.spec.names.kind === kind && it.releases.includes(releaseOf(version))).map(
      (it) => it.spec.versions,
    ),
  );

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
