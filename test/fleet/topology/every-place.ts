import { readFileSync } from 'node:fs';
import { type Document, isScalar } from 'yaml';

export type Schema = Record<string, unknown>;
/** Names of keys, numbers of list items; `key()` for the name of a key itself. */
export type Path = readonly (string | number)[];

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../../schemas/topology.schema.json', import.meta.url), 'utf8'),
) as Schema;

export const KEY = 'key()';

const isSchema = (it: unknown): it is Schema => typeof it === 'object' && it !== null && !Array.isArray(it);

/** Every place of a value in a topology, with its schema. Keys that are names get one name that is valid for all of them. */
function* places(schema: Schema, path: Path = []): Generator<readonly [Path, Schema]> {
  const name = /^#\/\$defs\/(.*)$/.exec(String(schema['$ref'] ?? ''))?.[1];
  if (name !== undefined) yield* places((SCHEMA['$defs'] as Record<string, Schema>)[name] as Schema, path);
  for (const part of [schema['allOf'], schema['anyOf']].flat().filter(isSchema)) yield* places(part, path);
  if (name === undefined && !('allOf' in schema) && !('anyOf' in schema)) yield [path, schema];
  for (const [key, it] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    yield* places(it, [...path, key]);
  }
  if (isSchema(schema['items'])) yield* places(schema['items'], [...path, 0]);
  if (isSchema(schema['propertyNames'])) yield [[...path, KEY], schema['propertyNames']];
  if (isSchema(schema['additionalProperties'])) yield* places(schema['additionalProperties'], [...path, 'rome']);
}

/** Every place of a value in a topology. */
export const PLACES = [...places(SCHEMA)];

/** A topology without mistakes that uses every section. */
export const VALID = {
  version: 1,
  name: 'fleet',
  hub: 'hub',
  ipam: { carve: { from: '10.128.0.0/9', prefix: 20 } },
  gitops: { repository: 'https://example.com/network.git', argo: {}, flux: {} },
  defaults: { serviceCIDR: '10.96.0.0/12', externalCIDR: 'auto', reserved: ['192.168.0.0/24'] },
  clusters: {
    hub: { podCIDR: '10.1.0.0/16', gateway: { addresses: ['203.0.113.1'] }, apiServer: 'hub.example.com:6443' },
    rome: { podCIDR: '10.2.0.0/16', gateway: { addresses: ['203.0.113.2'] } },
    milan: { podCIDR: '10.3.0.0/16', apiServer: 'milan.example.com:6443' },
  },
  shortcuts: [{ between: ['rome', 'milan'] }],
  peerings: [{ between: ['rome', 'hub'] }],
  sharing: [{ consumer: 'rome', provider: 'hub' }],
  offloading: [{ cluster: 'rome', namespace: 'demo', to: ['hub'] }],
  boundaries: [{ from: 'rome', to: 'hub' }],
  accept: [{ code: 'link/mtu-differs', link: ['rome', 'milan'], reason: 'both are old' }],
};

/** The other keys that an entry needs. */
const SIBLINGS: readonly (readonly [RegExp, unknown])[] = [
  [/^(peerings|shortcuts)\/0\/0$/, ['rome', 'milan']],
  [/^assertions\/0\/(from|to|fromNamespace|toNamespace)$/, { from: 'rome', to: 'milan', expect: 'reachable' }],
  [/\/tolerations\/0\/(key|operator|value)$/, { key: 'dedicated' }],
  [/^accept\/0\/cluster$/, { code: 'link/mtu-differs', reason: 'it is old' }],
  [/\/taints\/0\/(key|value)$/, { key: 'dedicated', effect: 'NoSchedule' }],
  [/^sharing\/0\/credentials\/(store|storeKind|key|property)$/, { store: 'network', key: 'rome' }],
  [/\/apiServer\/(ca|trustedCA)$/, { address: 'rome.example.com:6443' }],
  [/\/template\/(server|client)\/(name|namespace)$/, { name: 'small' }],
  [/^keys\/(storeKind|key)$/, { secrets: 'external', store: 'network' }],
  [/^boundaries\/0\/toPods$/, { from: 'rome', to: 'hub', toNamespace: 'shop' }],
  [/^assertions\/0\/without$/, { from: 'rome', to: 'milan', expect: 'reachable' }],
];
export const neededBeside = (path: Path): unknown => SIBLINGS.find(([it]) => it.test(path.join('/')))?.[1];

/** A short form, or one that is not used, is replaced by the form that the path needs. */
export function makeRoom(document: Document, path: Path): void {
  for (let i = 1; i < path.length; i++) {
    const here = document.getIn(path.slice(0, i), true);
    const wanted = typeof path[i] === 'number' ? [] : {};
    if (here === undefined || isScalar(here)) document.setIn(path.slice(0, i), document.createNode(wanted));
  }
}
