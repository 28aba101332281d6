import { describe, expect, it } from 'vitest';
import { Document, isMap, isNode, isScalar, parseDocument } from 'yaml';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { compile } from '../../../src/compile.ts';
import { FORMATS } from '../../../src/fleet/topology/check-texts.ts';
import type { TextFormat } from '../../../src/fleet/topology/formats/text-format.ts';
import { RUNS_ALL } from '../../support/drawn.ts';
import { KEY, makeRoom, neededBeside, type Path, PLACES, type Schema, VALID } from './every-place.ts';

/*
 * Keys that are marked with `x-weft-semantic` are not checked by the schema's validator but by a rule. For each of them,
 * found by walking the schema, a value is made up that breaks the pattern or the limit, and the rule must report it there; the
 * format that `x-weft-format` names, where there is one.
 */

const typesOf = (schema: Schema): readonly string[] => [schema['type'] ?? 'string'].flat() as string[];

/** So many texts are tried for each key; on a push, one finds a key that no rule reads. */
const MOST = RUNS_ALL ? 3 : 1;

/** Values that the marked keywords of a schema refuse. */
function* brokenBy(schema: Schema): Generator<string | number> {
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') {
    const isBroken = (it: string): boolean => !new RegExp(pattern, 'u').test(it);
    yield* ['A B', '-x', '--upload-pack=x', 'a b', '/a', 'a//:b ', '*', '', '1-2-3', 'abc', '10.0.0.0/', '--nodename=x']
      .filter(isBroken)
      .slice(0, MOST);
  }
  if (Array.isArray(schema['enum'])) yield* ['abc', 'A B', ''].slice(0, MOST);
  if (typeof schema['maxLength'] === 'number') yield 'a'.repeat(schema['maxLength'] + 1);
  if (typeof schema['minimum'] === 'number') yield schema['minimum'] - 1;
  if (typeof schema['maximum'] === 'number') yield schema['maximum'] + 1;
}

interface Case {
  readonly path: Path;
  readonly value: string | number;
}

/** The text of the topology with one value replaced, and where that value or key is. */
function textWith({ path, value }: Case): { readonly text: string; readonly at: readonly [number, number] } {
  const document = new Document(structuredClone(VALID));
  const isKey = path.at(-1) === KEY;
  const owner = path.slice(0, -1);
  const siblings = neededBeside(path);
  makeRoom(document, path);
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

/** The format of a text with this name; `undefined` where a map or a list is checked as a whole, or nothing is. */
function formatNamed(name: unknown): TextFormat | undefined {
  const format = Object.entries(FORMATS).find(([it]) => it === name)?.[1];
  return typeof format === 'function' ? undefined : format;
}

const marked = PLACES.filter(([, it]) => it['x-weft-semantic'] === true);

const cases = marked.map(([path, schema]) => {
  const numbers = typesOf(schema).includes('integer');
  const values = [...brokenBy(schema)].filter((it) => typeof it === 'string' || numbers);
  const [, list] = PLACES.find(([it]) => path.at(-1) === 0 && it.join('/') === path.slice(0, -1).join('/')) ?? [];
  return {
    name: path.join('/'),
    path,
    values,
    format: formatNamed(schema['x-weft-format'] ?? list?.['x-weft-format']),
  };
});

describe('a key of the topology that a rule checks instead of the schema', () => {
  it('is broken by nothing in the topology that the cases are made from', () => {
    expect(errorsOf(new Document(VALID).toString())).toEqual([]);
    expect(marked.length).toBeGreaterThan(110);
  });

  it.each(cases)('$name', ({ path, values, format }) => {
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      const { text, at } = textWith({ path, value });
      const here = errorsOf(text).filter((it) => it.span.start >= at[0] && it.span.end <= at[1]);
      const reported = here.map((it) => [it.code, it.message].join(' '));
      expect(reported, `${JSON.stringify(value)}\n${text}`).not.toEqual([]);
      if (format) expect(reported).toContainEqual(expect.stringContaining(` is not ${format.noun}: `));
    }
  });
});

/** Liqo renders templates of gateways as texts, in which a number in quotes is a number. */
const rendered = cases.filter(({ path }) => {
  const [, schema] = PLACES.find(([it]) => it.join('/') === path.join('/')) ?? [];
  const reached: unknown = schema?.['x-weft-reaches'];
  const isText = new RegExp(String(schema?.['pattern'] ?? '$^'), 'u').test('123');
  return path.includes('gateway') && Array.isArray(reached) && reached.includes('WgGatewayServerTemplate') && isText;
});

it.each(rendered)('$name, which Liqo renders into a gateway, is no number', ({ path }) => {
  const { text, at } = textWith({ path, value: '123' });
  const here = errorsOf(text).filter((it) => it.span.start >= at[0] && it.span.end <= at[1]);
  expect(here.map((it) => it.code)).toContain('topology/integer-like-value');
});

it('every pattern of a topology is marked, so that a rule words what is wrong', () => {
  const unmarked = PLACES.filter(([, it]) => 'pattern' in it && it['x-weft-semantic'] !== true);
  expect(unmarked.map(([path]) => path.join('/'))).toEqual([]);
});

it('every text of a topology has a pattern, is one of a list, or may be any text, which the schema says', () => {
  const texts = PLACES.filter(([, it]) => typesOf(it).includes('string') && 'type' in it);
  const unchecked = texts.filter(([, it]) => !('enum' in it) && !('pattern' in it));
  const forgotten = unchecked.filter(([, it]) => it['x-weft-format'] !== 'text');
  expect(forgotten.map(([path]) => path.join('/'))).toEqual([]);
  const any = PLACES.filter(([, it]) => it['x-weft-format'] === 'text');
  expect(any.length).toBeGreaterThan(12);
  expect(any.filter(([, it]) => 'pattern' in it || 'enum' in it)).toEqual([]);
});

it('one format has one pattern', () => {
  const patterns = new Map<unknown, unknown>();
  for (const [path, it] of PLACES) {
    const format = it['x-weft-format'];
    const [pattern] = [it, it['items'] as Schema | undefined].flatMap((one) => one?.['pattern'] ?? []);
    if (format === undefined || pattern === undefined) continue;
    expect(pattern, path.join('/')).toBe(patterns.get(format) ?? pattern);
    patterns.set(format, pattern);
  }
  expect(patterns.size).toBeGreaterThan(20);
});
