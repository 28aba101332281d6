import { describe, expect, it } from 'vitest';
import {
  countOf,
  firstLines,
  firstOf,
  listOf,
  moreLine,
  quotedNames,
  shortened,
  shortenedBoth,
  shownOf,
  someOf,
} from '../../../src/base/core/words.ts';

const names = (count: number): readonly string[] => ['alba', 'bari', 'como', 'domo', 'elba'].slice(0, count);

describe('two long texts', () => {
  const long = 'a'.repeat(100);

  it.each([
    ['as they are, if they are short', 'one', 'another', 'one', 'another'],
    ['around the difference', `${long}x${long}`, `${long}y${long}`, '…aaaaaxaaaaa…', '…aaaaayaaaaa…'],
    ['with a whole difference', '', `b${long}c`, '', `b${long}c`],
    ['to both ends of a longer one', '', `b${long}${long}c`, '', `b${'a'.repeat(59)}…(82 more)…${'a'.repeat(59)}c`],
    ['from the start of both', `x${long}`, `y${long}`, 'xaaaaa…', 'yaaaaa…'],
  ])('are shown %s', (_, one, other, was, is) => expect(shortenedBoth(one, other, 40)).toEqual([was, is]));
});

describe('words of messages', () => {
  it.each([
    [0, ''],
    [1, 'alba'],
    [2, 'alba and bari'],
    [3, 'alba, bari and como'],
  ])('lists %i names', (count, text) => expect(listOf(names(count))).toBe(text));

  it.each([
    [2, 'alba, bari'],
    [3, 'alba, bari and 1 more'],
    [5, 'alba, bari and 3 more'],
  ])('names the first two of %i', (count, text) => expect(firstOf(names(count), 2)).toBe(text));

  it.each([
    [2, 'alba; bari'],
    [3, 'alba; bari; como'],
    [4, 'alba; bari and 2 more'],
  ])('names some of %i, and never counts one alone', (count, text) => expect(someOf(names(count), 2, '; ')).toBe(text));

  it('ends a list that is cut off with a line, and no other', () => {
    expect(moreLine(3, ': see the log.')).toEqual(['... and 3 more: see the log.']);
    expect(moreLine(0)).toEqual([]);
    expect(moreLine(1, '.', 'cluster')).toEqual(['... and 1 more cluster.']);
    expect(moreLine(2, '', 'folder')).toEqual(['... and 2 more folders']);
  });

  it.each([
    [0, 0],
    [2, 2],
    [3, 3],
    [4, 2],
  ])('shows of %i things, where two fit, %i', (count, shown) => expect(shownOf(count, 2)).toBe(shown));

  it.each([
    [2, ['alba', 'bari']],
    [3, ['alba', 'bari', '1 left']],
  ])('shows the first two lines of %i', (count, lines) =>
    expect(firstLines(names(count), 2, (left) => `${left} left`)).toEqual(lines),
  );

  it('counts, quotes and shortens', () => {
    expect([countOf(1, 'file'), countOf(0, 'file'), countOf(2, 'entry', 'entries')]).toEqual([
      '1 file',
      '0 files',
      '2 entries',
    ]);
    expect(quotedNames(['rome', 'milan'])).toBe('"rome", "milan"');
    expect([shortened('rome', 4), shortened('milan', 4)]).toEqual(['rome', 'mila…']);
  });
});
