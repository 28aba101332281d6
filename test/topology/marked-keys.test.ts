import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Document, isMap, isNode, isScalar, parseDocument } from 'yaml';
import { compile } from '../../src/compile.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';

/*
 * Keys that are marked with `x-weft-semantic` are not checked by the schema's validator but by a rule. For each of them,
 * found by walking the schema, a value is made up that breaks the pattern or the limit, and the rule must report it there.
 */

type Schema = Record<string, unknown>;
/** Names of keys, numbers of list items; `key()` for the name of a key itself. */
type Path = readonly (string | number)[];

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../schemas/topology.schema.json', import.meta.url), 'utf8'),
) as Schema;

const KEY = 'key()';

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

const ALL = [...places(SCHEMA)];

const typesOf = (schema: Schema): readonly string[] => [schema['type'] ?? 'string'].flat() as string[];

/** So many texts are tried for each key. */
const MOST = 3;

/** Values that the marked keywords of a schema refuse. */
function* brokenBy(schema: Schema): Generator<string | number> {
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') {
    const isBroken = (it: string): boolean => !new RegExp(pattern, 'u').test(it);
    yield* ['A B', '-x', '--upload-pack=x', 'a b', '/a', 'a//:b ', '*', '', '1-2-3', 'abc', '10.0.0.0/']
      .filter(isBroken)
      .slice(0, MOST);
  }
  if (Array.isArray(schema['enum'])) yield* ['abc', 'A B', ''];
  if (typeof schema['maxLength'] === 'number') yield 'a'.repeat(schema['maxLength'] + 1);
  if (typeof schema['minimum'] === 'number') yield schema['minimum'] - 1;
  if (typeof schema['maximum'] === 'number') yield schema['maximum'] + 1;
}

/** A topology without mistakes that uses every section. */
const VALID = {
  version: 1,
  name: 'fleet',
  hub: 'hub',
  ipam: { carve: { from: '10.128.0.0/9', prefix: 20 } },
  gitops: { repository: 'https://example.com/network.git', argo: {}, flux: {} },
  defaults: { serviceCIDR: '10.96.0.0/12', externalCIDR: 'auto', reserved: ['192.168.0.0/24'] },
  clusters: {
    hub: { podCIDR: '10.1.0.0/16', gateway: { addresses: ['203.0.113.1'] } },
    rome: { podCIDR: '10.2.0.0/16', gateway: { addresses: ['203.0.113.2'] } },
    milan: { podCIDR: '10.3.0.0/16' },
  },
  shortcuts: [{ between: ['rome', 'milan'] }],
  peerings: [{ between: ['rome', 'hub'] }],
  sharing: [{ consumer: 'rome', provider: 'hub' }],
  offloading: [{ cluster: 'rome', namespace: 'demo', to: ['hub'] }],
  accept: [{ code: 'link/mtu-differs', link: ['rome', 'milan'], reason: 'both are old' }],
};

/** What an entry needs beside the value that is broken. */
const SIBLINGS: readonly (readonly [RegExp, unknown])[] = [
  [/^(peerings|shortcuts)\/0\/0$/, ['rome', 'milan']],
  [/^assertions\/0\/(from|to)$/, { from: 'rome', to: 'milan', expect: 'reachable' }],
  [/\/tolerations\/0\/(key|value)$/, { key: 'dedicated' }],
  [/^accept\/0\/cluster$/, { code: 'link/mtu-differs', reason: 'it is old' }],
  [/\/taints\/0\/(key|value)$/, { key: 'dedicated', effect: 'NoSchedule' }],
  [/^sharing\/0\/credentials\/(store|key|property)$/, { store: 'network', key: 'rome' }],
  [/\/apiServer\/ca$/, { address: 'rome.example.com:6443' }],
  [/\/template\/(server|client)\/(name|namespace)$/, { name: 'small' }],
];

interface Case {
  readonly path: Path;
  readonly value: string | number;
}

/** The text of the topology with one value replaced, and where that value or key is. */
function textWith({ path, value }: Case): { readonly text: string; readonly at: readonly [number, number] } {
  const document = new Document(JSON.parse(JSON.stringify(VALID)));
  const isKey = path.at(-1) === KEY;
  const owner = path.slice(0, -1);
  const siblings = SIBLINGS.find(([it]) => it.test(path.join('/')))?.[1];
  // A short form, or one that is not used, gives way to the form that the path needs.
  for (let i = 1; i < path.length; i++) {
    const here = document.getIn(path.slice(0, i), true);
    const wanted = typeof path[i] === 'number' ? [] : {};
    if (here === undefined || isScalar(here)) document.setIn(path.slice(0, i), document.createNode(wanted));
  }
  if (siblings) document.setIn(owner, document.createNode(siblings));
  if (isKey)
    document.setIn([...owner, value], owner[0] === 'clusters' && owner.length === 1 ? { podCIDR: '10.9.0.0/16' } : 'x');
  else document.setIn(path, value);
  const text = document.toString({ lineWidth: 0 });
  return { text, at: placeIn(text, isKey ? [...owner, value] : path, isKey) };
}

function placeIn(text: string, path: Path, isKey: boolean): readonly [number, number] {
  const document = parseDocument(text);
  if (!isKey) return rangeOf(document.getIn(path, true));
  const map = document.getIn(path.slice(0, -1), true);
  const pair = isMap(map) ? map.items.find((it) => isScalar(it.key) && it.key.value === path.at(-1)) : undefined;
  return rangeOf(pair?.key);
}

function rangeOf(node: unknown): readonly [number, number] {
  const range = isNode(node) ? node.range : undefined;
  if (!range) throw new Error('the value is not in the text');
  return [range[0], range[1]];
}

function errorsOf(text: string): readonly Diagnostic[] {
  const sources = { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined };
  return compile(sources, { relock: [], only: [] }).diagnostics.filter((it) => it.severity === 'error');
}

const marked = ALL.filter(([, it]) => it['x-weft-semantic'] === true);

const cases = marked.map(([path, schema]) => {
  const numbers = typesOf(schema).includes('integer');
  const values = [...brokenBy(schema)].filter((it) => typeof it === 'string' || numbers);
  return { name: path.join('/'), path, values };
});

describe('a key of the topology that a rule checks instead of the schema', () => {
  it('is broken by nothing in the topology that the cases are made from', () => {
    expect(errorsOf(new Document(VALID).toString())).toEqual([]);
    expect(marked.length).toBeGreaterThan(110);
  });

  it.each(cases)('$name', ({ path, values }) => {
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      const { text, at } = textWith({ path, value });
      const here = errorsOf(text).filter((it) => it.span.start >= at[0] && it.span.end <= at[1]);
      expect(
        here.map((it) => it.code),
        `${JSON.stringify(value)}\n${text}`,
      ).not.toEqual([]);
    }
  });
});

it('every pattern of a topology is marked, so that a rule words what is wrong', () => {
  const unmarked = ALL.filter(([, it]) => 'pattern' in it && it['x-weft-semantic'] !== true);
  expect(unmarked.map(([path]) => path.join('/'))).toEqual([]);
});

/** Texts of any kind: for people, for selectors, or for a tool that weft does not know. */
const FREE = [
  /^(defaults|clusters\/rome)\/labels\/rome$/,
  /^(defaults|clusters\/rome)\/gateway\/serviceAnnotations\/rome$/,
  /^(peerings|shortcuts)\/0\/serviceAnnotations\/rome$/,
  /^assertions\/0\/(from|to)\/rome$/,
  /^sharing\/0\/(consumer|provider)\/rome$/,
  /^sharing\/0\/(slices\/0\/)?virtualNode\/annotations\/rome$/,
  /^(defaults|clusters\/rome)\/virtualKubelet\/(args\/0|annotations\/rome|nodeAnnotations\/rome)$/,
  /^offloading\/0\/to\/rome$/,
];

it('every text of a topology has a pattern, is one of a list, or may be any text', () => {
  const texts = ALL.filter(([, it]) => typesOf(it).includes('string') && 'type' in it);
  const unchecked = texts.filter(([, it]) => !('enum' in it) && !('pattern' in it));
  const names = unchecked.map(([path]) => path.join('/'));
  expect(names.filter((it) => !FREE.some((free) => free.test(it)))).toEqual([]);
});
