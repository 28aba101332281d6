import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { documentDiagnostics } from '../../../src/base/diagnostics/document-diagnostics.ts';
import { nodeAt, plainOf } from '../../../src/base/source/document-node.ts';
import { readYamlStream } from '../../../src/base/source/read-yaml-documents.ts';
import { placeAt, type Source } from '../../../src/base/source/source.ts';
import { checker } from '../../support/check-diagnostics.ts';

const sourceOf = (text: string): Source => ({ path: 'stdin', text });
const plains = (text: string): readonly unknown[] => {
  const { roots, problems } = readYamlStream(sourceOf(text));
  expect(problems).toEqual([]);
  return roots.map(plainOf);
};

describe('a stream of documents', () => {
  it.each([
    ['one document', 'a: 1\n', [{ a: 1 }]],
    ['lines between documents', '---\na: 1\n---\nb: 2\n---\n# nothing\n', [{ a: 1 }, { b: 2 }]],
    ['a document that is ended', 'a: 1\n...\n---\nb: 2\n...\n', [{ a: 1 }, { b: 2 }]],
    ['a comment in front', '# from the hub\n---\na: 1\n', [{ a: 1 }]],
    ['line ends of Windows', 'a: 1\r\n---\r\nb: 2\r\n', [{ a: 1 }, { b: 2 }]],
    ['a byte order mark', '\ufeffa: 1\n', [{ a: 1 }]],
    [
      'JSON values one after another',
      '{"a": "} {"}\n{\n"b": ["\\"", 2]}{"c": 3}\n',
      [{ a: '} {' }, { b: ['"', 2] }, { c: 3 }],
    ],
    ['YAML in flow style', '{a: 1}\n---\n{b: 2}\n', [{ a: 1 }, { b: 2 }]],
    ['dashes inside a scalar', 'a: |\n  ---\n  x\nb: ---x\n', [{ a: '---\nx\n', b: '---x' }]],
    ['nothing', '\n# nothing\n---\n', []],
  ])('reads %s', (_, text, expected) => {
    expect(plains(text)).toEqual(expected);
  });

  it('keeps the places of the whole text', () => {
    const source = sourceOf('a: 1\n---\nb:\n  - c: rome\n');
    const span = nodeAt(readYamlStream(source).roots[1] as never, ['b', 0, 'c'])?.span;
    expect(span?.source).toBe(source);
    expect(placeAt(source, span?.start ?? 0)).toEqual({ line: 4, column: 8 });
  });

  it('reads back what is printed, as YAML and as JSON, whatever the values are', () => {
    const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.boolean(), (values, json) => {
        const texts = values.map((it) => (json ? `${JSON.stringify(it, null, 2)}\n` : `---\n${stringify(it)}`));
        expect(plains(texts.join(''))).toEqual(values);
      }),
      { numRuns: 200 },
    );
  });
});

it('reads braces that are YAML, and no JSON, as YAML', () => {
  expect(plains('{a: no, "b": [1,],} # x\n---\nc: 1\n')).toEqual([{ a: 'no', b: [1] }, { c: 1 }]);
});

const check = checker((source) => documentDiagnostics(readYamlStream(source).problems));

describe('a stream with mistakes', () => {
  check('a mistake in a later document', 'a: 1\n---\nb: «[»1, 2\n', { code: 'source/yaml-syntax' });
  check('a key that appears twice in a later document', 'a: 1\n---\n‹b›: 1\n«b»: 2\n', {
    code: 'source/duplicate-key',
  });
  check('JSON with a key that appears twice', '{"a": {‹"b"›: 1, «"b"»: 2}}', { code: 'source/duplicate-key' });
  check('JSON that is cut off', '{"a": 1}\n«{»"b": [1]', { code: 'source/yaml-syntax' });
  it('reports those of every document', () => {
    expect(readYamlStream(sourceOf('a: *x\n---\nb: 1\n---\nc: *y\n')).problems.map((it) => it.span.start)).toEqual([
      3, 22,
    ]);
  });
});
