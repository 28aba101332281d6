import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/answers/report/layout.ts';
import { colourPaint, plainPaint } from '../../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { type Diagnostic, diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { acceptedBy, drawn } from './drawn.ts';

const print = (it: readonly Diagnostic[], verbose = false) => printDiagnostics(it, { paint: plainPaint, verbose });
const unknown = (text: string) => diagnostic('topology/unknown-cluster', drawn(text), 'no cluster is called "rom"');

/** The source line and the marks below it. */
function frame(text: string): readonly [string, string] {
  const [, line = '', marks = ''] = print([unknown(text)]).split('\n');
  return [line, marks];
}

describe('the text form of diagnostics', () => {
  it('says place, severity, code and message first, then shows the place, the other end and the hint', () => {
    const source = drawn('version: 1\nclusters: { rome: {} }\nshortcuts:\n  - [rome, «rom»]\n');
    const first = {
      ...source,
      start: source.source.text.indexOf('rome: {}'),
      end: source.source.text.indexOf('rome: {}') + 4,
    };
    const found = diagnostic('topology/unknown-cluster', source, 'no cluster is called "rom"', {
      hint: 'did you mean "rome"?',
      related: [{ message: '"rome" is declared here', span: first }],
    });
    expect(print([found])).toBe(
      [
        'topologies/topology.yaml:4:12: error topology/unknown-cluster: no cluster is called "rom"',
        ' 4 |   - [rome, rom]',
        '   |            ^^^',
        '  topologies/topology.yaml:2:13: "rome" is declared here',
        ' 2 | clusters: { rome: {} }',
        '   |             ----',
        '  hint: did you mean "rome"?',
        '',
        '1 error; run "weft explain CODE" for details',
        '',
      ].join('\n'),
    );
  });

  it('says nothing when there is nothing to say', () => {
    expect(print([])).toBe('');
  });

  it('puts one mark where a place has no width, at the end of a line too', () => {
    expect(frame('hub: a«»\nx: 1')).toEqual([' 1 | hub: a', '   |       ^']);
  });

  it('marks a place of several lines to the end of its first', () => {
    expect(frame('a:\n  «b: 1\n  c: 2»\n')).toEqual([' 2 |   b: 1', '   |   ^^^^']);
  });

  it('draws tabs as spaces, so that the marks stand below the place', () => {
    expect(frame('\ta:\t«rom»')).toEqual([' 1 |     a:  rom', '   |         ^^^']);
  });

  it.each([
    ['hub: 東京 «rom»', 10],
    ['hub: 🚀🚀 «rom»', 10],
    ['hub: e\u0301 «rom»', 7],
  ])('counts cells, not characters, in %s', (text, cells) => {
    const [line, marks] = frame(text);
    expect(marks.indexOf('^')).toBe(5 + cells);
    expect(displayWidth(line.slice(0, line.indexOf('rom')))).toBe(5 + cells);
  });

  it('cuts a long line around the place', () => {
    const [line, marks] = frame(`a: [${'rome, '.repeat(100)}«rom»${', milan'.repeat(100)}]`);
    expect(displayWidth(line)).toBeLessThanOrEqual(120);
    expect(line).toMatch(/^ 1 \| ….*…$/);
    const at = marks.indexOf('^');
    expect(line.slice(at, at + 4)).toBe('rom,');
    expect(marks.slice(at)).toBe('^^^');
  });

  it('is quick with a line of megabytes', () => {
    const [line] = frame(`a: ${'x'.repeat(5_000_000)}«rom»${'y'.repeat(5_000_000)}`);
    expect(line.length).toBeLessThan(130);
  });

  it('shows control characters and marks of direction instead of obeying them', () => {
    const found = diagnostic(
      'topology/bad-name',
      drawn('hub: «\u001b[31mx»\u202e'),
      'a cluster cannot be called "\u001b[31mx"',
      {
        hint: 'line\nbreak',
      },
    );
    const printed = print([found]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(printed).not.toMatch(/[\u001b\u202e]/);
    expect(printed).toContain('hint: line␊break');
  });

  it('folds notes and warnings beyond the third of a code, and no error', () => {
    const notes = Array.from({ length: 15 }, (_, i) =>
      diagnostic('topology/nothing-reserved', drawn('clusters: «rome»'), `"c${i}" reserves nothing`, {
        about: [[`c${i}`]],
      }),
    );
    const errors = Array.from({ length: 5 }, () => unknown('hub: «rom»'));
    const printed = print([...notes, ...errors]);
    expect(printed.match(/reserves nothing/g)).toHaveLength(3);
    expect(printed).toContain(
      '... and 12 more like this (topology/nothing-reserved): c3, c4, c5, c6, c7 and 7 more; -v shows all',
    );
    expect(printed.match(/error topology\/unknown-cluster/g)).toHaveLength(5);
    expect(printed).toMatch(/\n5 errors, 15 notes; run "weft explain CODE" for details\n$/);
    expect(print(notes, true).match(/reserves nothing/g)).toHaveLength(15);
  });

  it('shows errors first, then warnings, then notes, each in the order in which they were found', () => {
    const codes = ['topology/nothing-reserved', 'keys/missing', 'link/mtu-differs', 'topology/bad-name'] as const;
    const printed = print(codes.map((it) => diagnostic(it, drawn('«a»'), 'found')));
    expect([...printed.matchAll(/^\S+ \w+ (\S+): found$/gm)].map((it) => it[1])).toEqual([
      'topology/bad-name',
      'keys/missing',
      'topology/nothing-reserved',
      'link/mtu-differs',
    ]);
  });

  it('counts what is accepted, and shows it with its reason when it is asked to', () => {
    const warning = diagnostic('keys/missing', drawn('«a»'), 'no key');
    const accepted = acceptedBy(warning, 'keys come later');
    expect(print([accepted])).toBe('1 warning accepted (-v shows why)\n');
    expect(print([accepted, warning])).toMatch(
      /\n1 warning; 1 warning accepted \(-v shows why\); run "weft explain CODE" for details\n$/,
    );
    expect(print([accepted], true)).toBe(
      [
        'topologies/topology.yaml:1:1: accepted warning keys/missing: no key',
        ' 1 | a',
        '   | ^',
        '  accepted at topologies/topology.yaml:2:5: keys come later',
        '',
        '1 warning accepted',
        '',
      ].join('\n'),
    );
  });

  it('has no frame for an empty file', () => {
    const found = diagnostic(
      'source/empty',
      { source: { path: 'a.yaml', text: '' }, start: 0, end: 0 },
      'the file is empty',
    );
    expect(print([found])).toBe(
      'a.yaml:1:1: error source/empty: the file is empty\n\n1 error; run "weft explain CODE" for details\n',
    );
  });

  it('adds colour and nothing else', () => {
    const found = [unknown('hub: «rom»')];
    const coloured = printDiagnostics(found, { paint: colourPaint, verbose: false });
    expect(coloured).toContain('\u001b[1;31merror');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken off again.
    expect(coloured.replace(/\u001b\[[0-9;]*m/g, '')).toBe(print(found));
  });

  it('marks the place whatever the text around it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 }).map((it) => it.replace(/[«»\r\n\u2028\u2029]/g, ' '));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [line, marks] = frame(`${before}«rom»${after}`);
        expect(displayWidth(line)).toBeLessThanOrEqual(120);
        const at = displayWidth(marks.slice(0, marks.indexOf('^')));
        let cells = 0;
        const here = [...line].filter((character) => {
          const isBehind = cells >= at;
          cells += displayWidth(character);
          return isBehind;
        });
        expect(here.join('').replace(/^\p{M}+|^\p{Cf}+/gu, '')).toMatch(/^rom/);
        expect(marks.trim().endsWith('^^^')).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
