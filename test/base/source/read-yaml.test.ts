import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { documentDiagnostics } from '../../../src/base/diagnostics/document-diagnostics.ts';
import { type DocumentNode, nodeAt, plainOf } from '../../../src/base/source/document-node.ts';
import { readDocument } from '../../../src/base/source/read-document.ts';
import type { Source } from '../../../src/base/source/source.ts';
import { checker } from '../../support/check-diagnostics.ts';
import { nightly } from '../../support/drawn.ts';

const readYaml = (source: Source) => readDocument(source, { language: 'yaml' });
const sourceOf = (text: string): Source => ({ path: 'topology.yaml', text });

function rootOf(text: string): DocumentNode {
  const reading = readYaml(sourceOf(text));
  if (!reading.ok) throw new Error(reading.problems.map((one) => one.message).join('; '));
  return reading.root;
}

const plain = (text: string): unknown => plainOf(rootOf(text));

const textAt = (root: DocumentNode, ...path: (string | number)[]): string | undefined => {
  const span = nodeAt(root, path)?.span;
  return span?.source.text.slice(span.start, span.end);
};

const check = checker((source) => {
  const reading = readYaml(source);
  return reading.ok ? [] : documentDiagnostics(reading.problems);
});

describe('what a text means', () => {
  it('reads the core schema of YAML 1.2', () => {
    expect(
      plain('a: no\nb: on\nc: yes\nd: true\ne: 12\nf: 0x1F\ng: 0o17\nh: 017\ni: 1_000\nj: 1:30\nk: ~\nl: 2024-01-01\n'),
    ).toEqual({
      a: 'no',
      b: 'on',
      c: 'yes',
      d: true,
      e: 12,
      f: 31,
      g: 15,
      h: 17,
      i: '1_000',
      j: '1:30',
      k: null,
      l: '2024-01-01',
    });
  });

  it('reads numbers that are too large for an integer as numbers', () => {
    expect(plain('a: 9007199254740993\nb: .inf\nc: .nan\nd: -.inf\ne: 1e400\n')).toEqual({
      a: 9007199254740992,
      b: Number.POSITIVE_INFINITY,
      c: Number.NaN,
      d: Number.NEGATIVE_INFINITY,
      e: Number.POSITIVE_INFINITY,
    });
  });

  it('keeps a key that looks like a number as it is written', () => {
    expect(plain('042: a\n0x10: b\n1.10: c\ntrue: d\n"7": e\n')).toEqual({
      '042': 'a',
      '0x10': 'b',
      '1.10': 'c',
      true: 'd',
      7: 'e',
    });
  });

  it('makes an ordinary key of __proto__', () => {
    const value = plain('__proto__: { polluted: true }\nconstructor: x\n') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('reads a byte order mark, CRLF, comments, a %YAML 1.2 line and document marks', () => {
    expect(plain('\ufeffa: 1\r\nb: [x, y]\r\n')).toEqual({ a: 1, b: ['x', 'y'] });
    expect(plain('%YAML 1.2\n---\n# c\na: 1 # d\n...\n')).toEqual({ a: 1 });
  });

  it('accepts tabs where YAML allows them', () => {
    expect(plain('a:\tb\nc: d\t# e\n\t\n\t# f\n')).toEqual({ a: 'b', c: 'd' });
  });

  it('reads JSON', () => {
    expect(plain('{"a": [1, null, {"b": "c"}], "d": {}}')).toEqual({ a: [1, null, { b: 'c' }], d: {} });
  });
});

describe('the place of a part', () => {
  it('ends a block at its last part, before the comments that follow', () => {
    const root = rootOf('a:\n  b: 1\n  c: [x, "y"]  # comment\n\n# more\nd:\n  - e\n  - f: g\n\n');
    expect(textAt(root, 'a')).toBe('b: 1\n  c: [x, "y"]');
    expect(textAt(root, 'a', 'c')).toBe('[x, "y"]');
    expect(textAt(root, 'a', 'c', 1)).toBe('"y"');
    expect(textAt(root, 'd')).toBe('- e\n  - f: g');
    expect(textAt(root, 'd', 1)).toBe('f: g');
    expect(textAt(root)).toBe('a:\n  b: 1\n  c: [x, "y"]  # comment\n\n# more\nd:\n  - e\n  - f: g');
  });

  it('includes the quotes of a key, and exists for a missing value', () => {
    const root = rootOf('"a b": 1\nc:\nd: {e, f: }\n');
    const entries = root.kind === 'map' ? [...root.entries.values()] : [];
    expect(entries.map(({ key }) => key.source.text.slice(key.start, key.end))).toEqual(['"a b"', 'c', 'd']);
    expect(nodeAt(root, ['c'])).toMatchObject({ kind: 'scalar', value: null, span: { start: 11, end: 11 } });
    expect(nodeAt(root, ['d', 'e'])).toMatchObject({ kind: 'scalar', value: null });
    expect(nodeAt(root, ['d', 'f'])).toMatchObject({ kind: 'scalar', value: null });
  });
});

describe('what weft does not support', () => {
  check('a key twice', 'clusters:\n  ‹rome›: {}\n  milan: {}\n  «rome»: {}\n', {
    code: 'source/duplicate-key',
    message: '"rome" appears twice in the same map',
    related: 'the first "rome"',
  });
  check('a key twice, once in quotes', '{ ‹a›: 1, «"a"»: 2 }', { code: 'source/duplicate-key' });
  check('a number and its text as keys', '‹1›: a\n«"1"»: b\n', { code: 'source/duplicate-key' });
  check('an anchor', 'defaults: «&base» { a: 1 }\n', { code: 'source/anchor', message: /^"&base" is an anchor/ });
  check('an alias', 'defaults: [«*base»]\n', { code: 'source/anchor', message: /^"\*base" is an alias/ });
  check('a merge key', 'rome:\n  «<<»: { a: 1 }\n', { code: 'source/anchor', message: /^"<<" is a merge key/ });
  check('a tag', 'name: «!!str» 5\n', { code: 'source/tag', message: '"!!str" is a tag, which weft does not support' });
  check('a custom tag', 'name:\n  - «!foo» { a: 1 }\n', { code: 'source/tag' });
  check('YAML 1.1', '«%YAML 1.1»\n---\na: no\n', { code: 'source/yaml-syntax', message: /directive/ });
  check('a second document', 'a: 1\n«---»\nb: 2\n', { code: 'source/several-documents' });
  check('an empty file', '«»', { code: 'source/empty', message: 'the file is empty' });
  check('a file of comments', '«»# nothing\n\n# here\n', { code: 'source/empty' });
  check('a document mark alone', '«»---\n', { code: 'source/empty' });
  check('plain text', '«hello there»\n', {
    code: 'source/not-a-map',
    message: 'the file must be a map of keys, not a single value',
  });
  check('a list', '«- a»\n- b\n', { code: 'source/not-a-map', message: 'the file must be a map of keys, not a list' });
  check('a JSON list', '«[1, 2]»', { code: 'source/not-a-map' });
  check('a missing space', '«version:1»\n', { code: 'source/not-a-map', hint: 'write `version: 1`' });
  check('null as a key', 'a:\n  «~»: b\n', { code: 'source/key-not-a-string', hint: 'quote it: "~"' });
  check('a key that is not there', 'a:\n  «»: b\n', {
    code: 'source/key-not-a-string',
    message: 'a key is missing before the ":"',
  });
  check('a list as a key', '«[a, b]»: c\n', { code: 'source/key-not-a-string' });
});

describe('merge conflicts', () => {
  check(
    'as git leaves them',
    `
      decisions:
      «<<<<<<< HEAD»
        a/b/join: 1
      =======
        a/c/join: 1
      ‹>>>>>>> other branch›
    `,
    { code: 'source/merge-conflict', related: 'the conflict ends here' },
  );
  check('with the base shown (diff3)', '«<<<<<<< HEAD»\na: 1\n||||||| base\na: 0\n=======\na: 2\n‹>>>>>>> x›\n', {
    code: 'source/merge-conflict',
  });
  check('a marker left behind', 'a: 1\n«=======»\nb: 2\n', { code: 'source/merge-conflict' });
  check('an end left behind', 'a: 1\n«>>>>>>> main»\n', { code: 'source/merge-conflict' });
  check('CRLF lines', '«<<<<<<< HEAD»\r\na: 1\r\n=======\r\n‹>>>>>>> x›\r\n', { code: 'source/merge-conflict' });

  it('reports each of several', () => {
    const one = '<<<<<<< a\nx: 1\n=======\nx: 2\n>>>>>>> b\n';
    const reading = readYaml(sourceOf(`${one}${one}`));
    expect(reading.ok ? [] : reading.problems.map((it) => it.span.start)).toEqual([0, one.length]);
  });

  it('ignores indented markers', () => {
    expect(plain('a: |\n  <<<<<<< x\n  =======\n')).toEqual({ a: '<<<<<<< x\n=======\n' });
  });
});

describe('tabs as indentation', () => {
  const code = 'source/tab-indentation';
  check('instead of spaces', 'a:\n«\t»b: 1\n\tc: 2\n', { code, hint: 'indent with spaces' });
  check('after spaces', 'a:\n  b: 1\n  «\t\t»c: 2\n', { code });
  check('in the first line', '«\t»a: 1\n', { code });
  check('before an entry of a list', 'a:\n  - b\n«\t»- c\n', { code });
  check('after a dash', '- a\n-«\t»b: 1\n', { code });
  check('inside brackets', 'a: [\n«\t»b,\n]\n', { code: 'source/tab-indentation' });
});

describe('broken YAML', () => {
  const code = 'source/yaml-syntax';
  check('indentation that fits no line above', 'a:\n   b: 1\n  «c:» 2\n', { code, message: /not indented like/ });
  check('an open bracket', 'a: «[»1, 2\nb: 3\n', { code, message: 'this [ is never closed' });
  check('an open brace', 'clusters: «{» rome: {}\n', { code, message: 'this { is never closed' });
  check('an open quote', 'a: «"»x\nb: 1\n', { code, message: 'this " is never closed' });
  check('an open quote behind a backslash', 'a: «"»x\\"\n', { code, message: 'this " is never closed' });
  check('an open apostrophe', "a: «'»it''\n", { code, message: "this ' is never closed" });
  check('a bracket too many', 'a: [1]«]»\n', { code, message: '"]" does not belong here' });
  check('two colons in a line', 'a: «b:» c\n', { code, hint: 'quote the value: `a: "b: c"`' });
  check('a value that starts with @', 'a: «@b»\n', {
    code,
    message: 'a value cannot start with "@"',
    hint: 'quote the value',
  });
  check('a backslash', 'a: "C:«\\q»"\n', { code, hint: /backslash twice/ });
  check('a line without a colon', 'a: 1\n«foo»\n', {
    code,
    message: '"foo" is not a key with a value',
    hint: 'write `foo:`',
  });
  check('a colon without a space', '«version:1»\nname: x\n', { code, hint: 'write `version: 1`' });
  check('an equals sign', 'a: 1\n«foo = bar»\n', { code, hint: 'write `foo: bar`' });
  check('a line without a colon above others', 'a:\n  «foo»\n    b: 1\n    c: 2\n', { code, hint: 'write `foo:`' });
  check('a key too far to the right', 'a:\n  ‹b›: 1\n\n   «c»: 2\n', {
    code,
    message: '"c" is indented more than "b" above it, which has a value already',
    related: '"b" begins in column 3',
    hint: 'start "b" and "c" in the same column',
  });
  check('a key too far to the left', 'a:\n  b: 1\n «c:» 2\n', {
    code,
    hint: 'indent it by 2 spaces like "b" in line 2, or by none like "a" in line 1',
  });
  check('no-break spaces in front of a key', 'a:\n  b: 1\n«\u00a0\u00a0»c: 2\n  d: 3\n', {
    code,
    message: 'this line is indented with a no-break space (U+00A0), which is no space for YAML',
    hint: 'indent with spaces',
  });
  check('a quote that is never closed', 'a: «"»1.2\n', { code, hint: 'write "1.2"' });
  check('a bracket that is never closed', 'a: «[»b, c # two\n', { code, hint: 'write [b, c]' });
  check('a list of lists that is never closed', 'a: «[»[b, c]\n', { code, hint: 'put the ] where the value ends' });
  check('a comment without a space', 'a: "b"«#c»\n', { code, message: 'a space is missing before "#"' });
  check('words after a quote', "a: 'b' «c»\n", { code, message: '"c" does not belong here' });
  check('a list inside a map', 'a: 1\n«-» b\n', { code });

  it('reports at most five mistakes, one a line', () => {
    const reading = readYaml(sourceOf('a: @\n'.repeat(20)));
    expect(reading.ok ? 0 : reading.problems.length).toBe(5);
  });
});

describe('hostile texts', () => {
  const bombs: Record<string, string> = {
    brackets: '['.repeat(100_000),
    'closed brackets': `a: ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    braces: `a: ${'{ a: '.repeat(100_000)}`,
    dashes: '- '.repeat(100_000),
    questions: '? '.repeat(100_000),
    indentation: Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    'documents and brackets': '---\n['.repeat(100_000),
  };
  for (const [name, text] of Object.entries(bombs)) {
    it(`reports ${name} without end in one sentence`, () => {
      const reading = readYaml(sourceOf(text));
      expect(reading.ok ? [] : reading.problems).toHaveLength(1);
    });
  }

  it('reads nesting of a realistic depth', () => {
    expect(rootOf(`a: ${'['.repeat(40)}${']'.repeat(40)}\n`).kind).toBe('map');
  });

  it('reports the first mistakes of a large broken file without reading all of it', () => {
    const broken = 'GET /index.html 200 "Mozilla: x"\n  at: [ foo\n'.repeat(1 << 16);
    const reading = readYaml(sourceOf(broken));
    expect(reading.ok).toBe(false);
    if (reading.ok) return;
    expect(reading.problems.length).toBeLessThanOrEqual(5);
    expect(reading.problems.every((it) => it.span.start < 1 << 17)).toBe(true);
  });

  nightly('reads large valid files in every style', () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => [`cluster-${i}`, { podCIDR: '10.0.0.0/16' }] as const);
    const json = JSON.stringify({ clusters: Object.fromEntries(rows), pad: 'x'.repeat(1 << 17) });
    const flow = `clusters: {\n${rows.map(([name]) => `  ${name}: { podCIDR: 10.0.0.0/16 },\n`).join('')}}\n`;
    const quotes = `text: "${'many words\n  '.repeat(1 << 17)}"\n`;
    const comments = `${'# many words\n'.repeat(1 << 17)}a: 1\n`;
    for (const text of [json, flow, quotes, comments]) {
      expect(text.length).toBeGreaterThan(1 << 20);
      expect(readYaml(sourceOf(text)).ok).toBe(true);
    }
  });

  it('reads any text, or reports problems that have a place', () => {
    const broken = fc.array(fc.constantFrom(...' \n\t\r:-?[]{},#&*!|>%@`\'"ab01~<=.\0\u2028'), { maxLength: 60 });
    fc.assert(
      fc.property(broken, (characters) => {
        const source = sourceOf(characters.join(''));
        const reading = readYaml(source);
        if (reading.ok) return;
        expect(reading.problems.length).toBeGreaterThan(0);
        for (const { span, message } of reading.problems) {
          expect(message).not.toBe('');
          expect(0 <= span.start && span.start <= span.end && span.end <= source.text.length).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('laws', () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('no', '0x10', '~', '1_000', 'a: b', '- x'),
  );
  // A key that is printed as a merge key is refused, which has its own example above.
  const key = fc.string().filter((it) => it !== '<<');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }));

  it('has the values that the yaml package printed', () => {
    fc.assert(
      fc.property(fc.dictionary(key, tree, { minKeys: 1, maxKeys: 5 }), fc.boolean(), (value, flow) => {
        const text = flow ? JSON.stringify(value) : stringify(value, { aliasDuplicateObjects: false });
        expect(JSON.parse(JSON.stringify(plain(text)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 200 },
    );
  });

  it('gives every part a place inside its parent', () => {
    const inside = (node: DocumentNode): void => {
      const parts =
        node.kind === 'scalar'
          ? []
          : node.kind === 'list'
            ? node.items
            : [...node.entries.values()].map((it) => it.value);
      for (const part of parts) {
        expect(node.span.start <= part.span.start && part.span.end <= node.span.end).toBe(true);
        inside(part);
      }
    };
    fc.assert(
      fc.property(fc.dictionary(key, tree, { minKeys: 1, maxKeys: 5 }), (value) => {
        inside(rootOf(stringify(value, { aliasDuplicateObjects: false })));
      }),
      { numRuns: 200 },
    );
  });
});
