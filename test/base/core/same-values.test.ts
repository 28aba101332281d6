import { describe, expect, it } from 'vitest';
import { describeValues, sameValues } from '../../../src/base/core/collections.ts';

const areSame = (a: unknown, b: unknown): boolean => sameValues(() => undefined)(a, b);

const describeValue = describeValues(() => undefined);

/** Functions and objects of other classes are only equal to themselves, and no text shows that. */
const hasDescription = (it: unknown): boolean => typeof it !== 'function' && !(it instanceof Date);

describe('a comparison by all parts', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['texts', 'a', 'a'],
    ['numbers', Number.NaN, Number.NaN],
    ['nothing', null, null],
    ['lists', [1, ['a']], [1, ['a']]],
    ['records', { a: { b: 1 }, c: undefined }, { a: { b: 1 }, c: undefined }],
    ['maps', new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]])],
    ['sets', new Set(['a', 'b']), new Set(['a', 'b'])],
  ])('finds %s the same', (_, a, b) => {
    expect([areSame(a, b), areSame(b, a)]).toEqual([true, true]);
    expect(describeValue(a)).toBe(describeValue(b));
  });

  it.each<readonly [string, unknown, unknown]>([
    ['a text and a number', '1', 1],
    ['nothing and an empty record', null, {}],
    ['a text and a list of what it looks like', '1"a', ['a']],
    ['texts that end elsewhere', ['a', 'b'], ['a1"b']],
    ['a list and a record', ['a'], { 0: 'a' }],
    ['a list and a longer one', ['a'], ['a', 'b']],
    ['lists in another order', ['a', 'b'], ['b', 'a']],
    ['a key with nothing and no key', { a: undefined }, {}],
    ['other keys with the same values', { a: 1 }, { b: 1 }],
    ['keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
    [
      'maps in another order',
      new Map([[1, 1]].concat([[2, 2]]) as [number, number][]),
      new Map([
        [2, 2],
        [1, 1],
      ]),
    ],
    ['sets in another order', new Set(['a', 'b']), new Set(['b', 'a'])],
    ['a map and a set', new Map(), new Set()],
    ['two functions', () => 1, () => 1],
    ['objects of another class', new Date(0), new Date(0)],
    ['parts far below', { a: [{ b: new Map([['c', 1]]) }] }, { a: [{ b: new Map([['c', 2]]) }] }],
  ])('finds %s different', (_, a, b) => {
    expect([areSame(a, b), areSame(b, a)]).toEqual([false, false]);
    if (hasDescription(a)) expect(describeValue(a)).not.toBe(describeValue(b));
    else expect(() => describeValue(a)).toThrow('has no description');
  });

  it('asks the judge before it looks at parts, so that circles can be cut', () => {
    interface Named {
      readonly name: string;
      other?: Named;
    }
    const [a, b]: Named[] = [{ name: 'a' }, { name: 'a' }];
    if (a !== undefined) a.other = a;
    if (b !== undefined) b.other = b;
    const byName = sameValues((one, two) => ('name' in one && 'name' in two ? one.name === two.name : undefined));
    expect([byName([a], [b]), byName([a], [{ name: 'b' }])]).toEqual([true, false]);
  });

  it('looks at a large part of several values once', () => {
    const seen: object[] = [];
    const large = () => ({ at: 'both', parts: Array.from({ length: 20 }, (_, i) => ({ i })) });
    const shared = [large(), large()] as const;
    const compare = sameValues((one) => {
      seen.push(one);
      return undefined;
    });
    expect(compare([shared[0], shared[0]], [shared[1], shared[1]])).toBe(true);
    expect(seen.filter((it) => it === shared[0].parts)).toHaveLength(1);
  });
});
