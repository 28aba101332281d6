import { isJsonMap, type Json, textAt } from './json.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import { withholdSecrets } from './withhold-secrets.ts';

type ObjectReading =
  | { readonly kind: 'object'; readonly object: KubernetesObject }
  | { readonly kind: 'none'; readonly why: string };

/** Levels. No kind of Kubernetes nests half as deep, and code that follows every level needs an end. */
const DEEPEST = 64;

/** A value of a dump as an object, without its secrets. */
export function objectOf(value: Json): ObjectReading {
  if (!isJsonMap(value)) return none('it is not a map');
  const [apiVersion, kind, metadata] = [value['apiVersion'], value['kind'], value['metadata']];
  if (typeof apiVersion !== 'string' || apiVersion === '') return none('it has no apiVersion');
  if (typeof kind !== 'string' || kind === '') return none('items' in value ? CUT_OFF : 'it has no kind');
  const name = textAt(metadata, 'name');
  if (!isJsonMap(metadata) || name === undefined) return none('it has no metadata.name');
  for (const key of ['namespace', 'uid'] as const) {
    if (!['string', 'undefined'].includes(typeof metadata[key])) return none(`metadata.${key} is not a text`);
  }
  for (const key of ['labels', 'annotations'] as const) {
    if (!isTextMap(metadata[key])) return none(`metadata.${key} is not a map of texts`);
  }
  const parts = value['partsRead'];
  if (parts !== undefined && !(Array.isArray(parts) && parts.every((it) => typeof it === 'string')))
    return none('partsRead is not a list of texts');
  if (isDeep(value)) return none(`it is nested more than ${DEEPEST} levels deep`);
  return { kind: 'object', object: withholdSecrets(value as unknown as KubernetesObject) };
}

/** kubectl sorts the keys of YAML. */
const CUT_OFF = 'a list ends with its kind, and this one was cut off';

const none = (why: string): ObjectReading => ({ kind: 'none', why });

const isTextMap = (value: Json | undefined): boolean =>
  value === undefined || (isJsonMap(value) && Object.values(value).every((it) => typeof it === 'string'));

/** Without a call for each level, since this is what finds out whether there may be one. */
function isDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((it) =>
      typeof it === 'object' && it !== null ? (Object.values(it) as readonly Json[]) : [],
    );
  }
  return false;
}
