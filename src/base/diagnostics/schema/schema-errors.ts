import type { DocumentPath } from '../../source/document-node.ts';
import { didYouMean } from '../did-you-mean.ts';

/** The errors that are separate mistakes. Errors that only result from another one are left out. */
export function independentErrors(errors: readonly SchemaError[], suggestions: KeySuggestions): readonly SchemaError[] {
  const candidates = errors.filter((it) => !isAboutNothing(it));
  const wronglyTyped = new Set(candidates.filter((it) => it.keyword === 'type').map((it) => it.instancePath));
  const misspelt = misspeltKeys(candidates, suggestions);
  const pairs = new Set(candidates.filter((it) => pairMeant(it) !== undefined).map((it) => it.instancePath));
  const seen = new Set<string>();
  return candidates.filter(({ keyword, instancePath, params }) => {
    if (keyword !== 'type' && wronglyTyped.has(instancePath)) return false;
    // `{ from: rome, to: milan }` is one mistake: `between` is missing.
    if (keyword === 'additionalProperties' && pairs.has(instancePath)) return false;
    // `cluster:` for `clusters:` is one mistake: the unknown key.
    if (keyword === 'required' && misspelt.get(instancePath)?.has(String(params['missingProperty']))) return false;
    // A value is reported once; each key below it may also be unknown or missing.
    const place = JSON.stringify([instancePath, params['additionalProperty'] ?? params['missingProperty']]);
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

/**
 * True for errors that only mention the empty alternative. The schemas use anyOf only for a value that may be empty, so
 * only the errors of the value are reported.
 */
const isAboutNothing = ({ keyword, params }: SchemaError): boolean =>
  keyword === 'anyOf' || (keyword === 'type' && params['type'] === 'null');

/** Place -> the known keys that were probably intended by its unknown ones. */
function misspeltKeys(
  errors: readonly SchemaError[],
  suggestions: KeySuggestions,
): ReadonlyMap<string, ReadonlySet<string>> {
  const misspelt = new Map<string, Set<string>>();
  for (const error of errors) {
    if (error.keyword !== 'additionalProperties') continue;
    const meant = suggestions(String(error.params['additionalProperty']), error);
    if (meant === undefined) continue;
    const known = misspelt.get(error.instancePath) ?? new Set<string>();
    misspelt.set(error.instancePath, known.add(meant));
  }
  return misspelt;
}

/** Returns the known key that was probably intended by an unknown one. */
export type KeySuggestions = (unknown: string, error: SchemaError) => string | undefined;

/** Computed once per key and schema: the same typing error may be in every cluster of a large fleet. */
export function keySuggestions(): KeySuggestions {
  const bySchema = new Map<unknown, Map<string, string | undefined>>();
  return (unknown, error) => {
    const suggestions = bySchema.get(error.parentSchema) ?? new Map<string, string | undefined>();
    bySchema.set(error.parentSchema, suggestions);
    if (!suggestions.has(unknown)) {
      const known = Object.keys(propertiesOf(error));
      suggestions.set(unknown, weftKeyFor(unknown, known) ?? didYouMean(unknown, known));
    }
    return suggestions.get(unknown);
  };
}

/** Names that other tools and users give to keys of weft -> possible keys. The first one in the schema is suggested. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  argocd: ['argo'],
  borrower: ['consumer'],
  branch: ['revision'],
  cidr: ['podCIDR'],
  clusterCIDR: ['podCIDR'],
  consumer: ['cluster'],
  destination: ['to'],
  disabled: ['retired'],
  endpoint: ['addresses', 'address'],
  from: ['provider'],
  host: ['address', 'addresses'],
  fluxcd: ['flux'],
  ip: ['addresses', 'address'],
  lender: ['provider'],
  links: ['peerings'],
  namespaces: ['offloading'],
  node: ['clusters'],
  nodes: ['clusters'],
  peers: ['peerings'],
  podOffloadingStrategy: ['pods'],
  podSubnet: ['podCIDR'],
  pods: ['podCIDR'],
  provider: ['to'],
  publicIP: ['gateway', 'addresses'],
  release: ['version'],
  repo: ['repository'],
  repoURL: ['repository'],
  reservedSubnets: ['reserved'],
  serviceSubnet: ['serviceCIDR'],
  services: ['serviceCIDR'],
  source: ['from'],
  strategy: ['pods'],
  subnet: ['podCIDR'],
  svcCIDR: ['serviceCIDR'],
  targetRevision: ['revision'],
  to: ['consumer'],
  type: ['service'],
  url: ['repository', 'server', 'address'],
};

/** The known key for which another tool uses this name. */
const weftKeyFor = (name: string, known: readonly string[]): string | undefined =>
  Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]?.find((it) => known.includes(it)) : undefined;

/** Words of users and other tools -> the values of weft that they may mean. */
const OTHER_VALUES: Readonly<Record<string, readonly string[]>> = {
  allow: ['reachable'],
  allowed: ['reachable'],
  always: ['prefer'],
  blocked: ['unreachable'],
  deny: ['unreachable'],
  denied: ['unreachable'],
  direct: ['shortcut'],
  fail: ['unreachable'],
  false: ['unreachable', 'never'],
  lb: ['LoadBalancer'],
  no: ['unreachable', 'never'],
  ok: ['reachable'],
  pass: ['reachable'],
  true: ['reachable', 'prefer'],
  up: ['reachable'],
  yes: ['reachable', 'prefer'],
};

/** The value that was meant by another word for it. */
export const valueFor = (word: string, values: readonly string[]): string | undefined =>
  new Map(Object.entries(OTHER_VALUES)).get(word.toLowerCase())?.find((it) => values.includes(it));

/**
 * The two names of an entry of links that has no `between` and names them in another way: `{ rome, milan }`, `rome: milan`,
 * `{ from: rome, to: milan }`.
 */
export function pairMeant(error: SchemaError): readonly string[] | undefined {
  if (error.params['missingProperty'] !== 'between') return undefined;
  const known = propertiesOf(error);
  const others = Object.entries(error.data ?? {}).filter(([name]) => !Object.hasOwn(known, name));
  const [[only, value] = [], second] = others;
  if (only !== undefined && !second && typeof value === 'string') return [only, value];
  if (others.length !== 2) return undefined;
  if (others.every(([, it]) => it === null)) return others.map(([name]) => name);
  const names = others.map(([, it]) => it).filter((it) => typeof it === 'string');
  return names.length === 2 ? names : undefined;
}

/** The part of ajv's ErrorObject that weft reads; the validators are compiled as verbose, so it has `parentSchema`. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
  /** The value at the place. */
  readonly data?: unknown;
}

/** The path of the place that an error concerns. Source of the escapes: RFC 6901. */
export const pathOf = ({ instancePath }: SchemaError): DocumentPath =>
  instancePath
    .split('/')
    .slice(1)
    .map((it) => it.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The schemas of the keys that are allowed at the place. */
export const propertiesOf = (error: SchemaError): Readonly<Record<string, unknown>> =>
  (error.parentSchema?.['properties'] ?? {}) as Readonly<Record<string, unknown>>;

/** The advice for a key that there was once, as `x-weft-removed` of its map words it. */
export function removedKeyHint(name: string, { parentSchema }: SchemaError): string | undefined {
  const removed = new Map<string, unknown>(Object.entries(parentSchema?.['x-weft-removed'] ?? {}));
  const hint = removed.get(name);
  return typeof hint === 'string' ? hint : undefined;
}

/** The first example of a schema, as YAML on one line; generated together with the validators. */
export function exampleOf(schema: unknown): string | undefined {
  const { examples } = (schema ?? {}) as { readonly examples?: readonly unknown[] };
  return examples === undefined ? undefined : String(examples[0]);
}
