import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, linesOf, textOfLines } from '../../../src/plan/diff/file-diff.ts';
import { law } from '../../laws/law.ts';

type Lines = readonly string[];

function applied(old: Lines, now: Lines): Lines {
  const lines: string[] = [];
  let at = 0;
  for (const it of diffLines(old, now)) {
    lines.push(...old.slice(at, it.oldStart), ...now.slice(it.newStart, it.newEnd));
    at = it.oldEnd;
  }
  return [...lines, ...old.slice(at)];
}

/** Few different lines, so that most of them are repeated; and many, most of which are there once. */
const short = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });
const long = fc
  .tuple(
    fc.array(fc.nat(900), { minLength: 200, maxLength: 500 }),
    fc.array(fc.nat(900), { minLength: 200, maxLength: 500 }),
  )
  .map(([a, b]) => [a.map(String), b.map(String)] as const);

describe('the edits of lines', () => {
  law(
    'make the new lines of the old ones, whatever both are',
    2_000,
    fc.property(short, short, (old, now) => {
      expect(applied(old, now)).toEqual(now);
    }),
  );

  law(
    'do so for long lists, which are divided at what is unique',
    100,
    fc.property(long, ([old, now]) => {
      expect(applied(old, now)).toEqual(now);
    }),
  );

  law(
    'are in order, apart from each other, and none of them is empty',
    1_000,
    fc.property(short, short, (old, now) => {
      let [oldAt, newAt] = [-1, -1];
      for (const it of diffLines(old, now)) {
        expect(it.oldStart).toBeGreaterThan(oldAt);
        expect(it.newStart).toBeGreaterThan(newAt);
        expect(it.oldEnd - it.oldStart + it.newEnd - it.newStart).toBeGreaterThan(0);
        [oldAt, newAt] = [it.oldEnd, it.newEnd];
      }
    }),
  );

  law(
    'are none for equal lines',
    200,
    fc.property(short, (lines) => {
      expect(diffLines(lines, [...lines])).toEqual([]);
    }),
  );

  it('are few where few lines of many differ, also where all lines are repeated', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => [`- name: ${i}`, '  kind: pod', '  state: ok']).flat();
    const now = rows.map((line, i) => (i % 3_000 === 2 ? '  state: gone' : line));
    expect(diffLines(rows, now).map((it) => it.oldEnd - it.oldStart)).toEqual(Array(20).fill(1));
  });

  it('replace everything where nothing is alike, and stop early', () => {
    const [old, now] = [Array(5_000).fill('a'), Array(5_000).fill('b')];
    expect(diffLines(old, now)).toEqual([{ oldStart: 0, oldEnd: 5_000, newStart: 0, newEnd: 5_000 }]);
    const [mixed, other] = [old.map((_, i) => `${i % 7}`), old.map((_, i) => `${i % 11}`)];
    const started = performance.now();
    expect(applied(mixed, other)).toEqual(other);
    // Looking for the shortest list of these takes minutes.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('lines of a text', () => {
  law(
    'are the text again, with and without a line break at its end',
    1_000,
    fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '\\ No newline at end of file', ' ')), (pieces) => {
      const text = pieces.join('');
      expect(textOfLines(linesOf(text))).toBe(text);
    }),
  );

  it('differ where only the last line break is missing', () => {
    expect(diffLines(linesOf('a\nb\n'), linesOf('a\nb'))).toHaveLength(1);
  });
});
