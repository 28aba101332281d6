import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainOf } from '../../../src/base/source/document-node.ts';
import { readYamlDocuments } from '../../../src/base/source/read-yaml-documents.ts';
import { nftTokenAt, parseNft } from '../../../src/proof/verify/parse-nft.ts';
import { anyText } from '../../support/any-text.ts';

const source = (text: string) => ({ path: 'file', text });

describe('parseNft', () => {
  const chain = (rule: string) =>
    `table ip t {\n  chain c {\n    type nat hook prerouting priority -100; policy accept;\n    ${rule}\n  }\n}\n`;

  it('reads a rule with the place of each part', () => {
    const text = chain('ip daddr 10.1.0.0/16 iifname != "eth0" dnat ip prefix to 10.2.0.0/16 comment "x"');
    const reading = parseNft(source(text));
    if (!reading.ok) throw new Error(reading.message);
    const [rule] = reading.file.tables[0]?.chains[0]?.rules ?? [];
    expect(rule?.matches.map((it) => [it.key, it.negated, text.slice(it.at.start, it.at.end)])).toEqual([
      ['daddr', false, 'ip daddr 10.1.0.0/16'],
      ['iifname', true, 'iifname != "eth0"'],
    ]);
    expect(rule?.nat).toMatchObject({ kind: 'dnat', keepsHost: true, to: { base: 0x0a020000, length: 16 } });
    expect(reading.file.tables[0]?.chains[0]).toMatchObject({ hook: 'prerouting', priority: -100, policy: 'accept' });
  });

  it.each([
    ['an unknown word', 'ip dadr 10.1.0.0/16 dnat to 10.2.0.1', 'dadr'],
    ['host bits', 'ip daddr 10.1.0.1/16 dnat to 10.2.0.1', '10.1.0.1/16'],
    ['a network instead of an address', 'ip daddr 10.1.0.0/16 dnat to 10.2.0.0/16', '10.2.0.0/16'],
    ['a rule with more after its end', 'ip daddr 10.1.0.0/16 dnat to 10.2.0.1 ip saddr 10.0.0.0/8', 'ip'],
    ['a string that is never closed', 'iifname "eth0 dnat to 10.2.0.1', '"'],
    ['a statement that weft never writes', 'masquerade', 'masquerade'],
  ])('refuses %s', (_, rule, place) => {
    const text = chain(rule);
    const reading = parseNft(source(text));
    if (reading.ok) throw new Error('it was read');
    expect(text.slice(reading.at.start, reading.at.end)).toBe(place);
  });

  it('refuses a file that ends too soon', () => {
    expect(parseNft(source('table ip t {\n'))).toMatchObject({
      ok: false,
      message: expect.stringMatching(/the file ends$/),
    });
  });

  it('ends for any text', () => {
    const words = fc.constantFrom(
      'table',
      'ip',
      '{',
      '}',
      'chain',
      'type',
      ';',
      '\n',
      'dnat',
      'to',
      '10.0.0.0/8',
      '"',
      '#',
    );
    fc.assert(
      fc.property(fc.array(words), (parts) => {
        expect(typeof parseNft(source(parts.join(' '))).ok).toBe('boolean');
      }),
      { numRuns: 300 },
    );
  });
});

describe('nftTokenAt', () => {
  /** Spaces and comments; words; strings; marks; semicolons; line breaks; anything else alone. */
  const GRAMMAR = /[ \t]+|#[^\n]*|([A-Za-z0-9_./:-]+)|"([^"\n]*)"|(!=|[{}])|(;)|(\n)|([\s\S])/g;
  const KINDS = ['word', 'string', 'mark', 'semicolon', 'line', 'unknown'];

  function* tokensOf(text: string) {
    for (let token = nftTokenAt(text, 0); token.kind !== 'end'; token = nftTokenAt(text, token.end)) yield token;
  }

  function* tokensByGrammar(text: string) {
    for (const { 0: all, index: start, ...groups } of text.matchAll(GRAMMAR)) {
      const which = KINDS.findIndex((_, i) => groups[i + 1] !== undefined);
      if (which !== -1) yield { kind: KINDS[which], text: groups[which + 1], start, end: start + all.length };
    }
  }

  it('reads the tokens of the grammar in any text', () => {
    const pieces = fc.constantFrom(
      'a',
      'Z9_./:-',
      '@',
      ',',
      '"',
      '"x y"',
      '#',
      ' ',
      '\t',
      '\n',
      '!',
      '=',
      '!=',
      '{',
      '}',
      ';',
      '\r',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces).map((it) => it.join('')),
          anyText(),
        ),
        (text) => {
          expect([...tokensOf(text)]).toEqual([...tokensByGrammar(text)]);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('readYamlDocuments', () => {
  it('reads every document, and a place for each part', () => {
    const text = 'a: 1\n---\nb: [x, "2", no]\n';
    const reading = readYamlDocuments(source(text));
    if (!reading.ok) throw new Error(reading.problem.message);
    expect(reading.documents.map(plainOf)).toEqual([{ a: 1 }, { b: ['x', '2', 'no'] }]);
  });

  it.each([
    ['an anchor', 'a: &x 1\nb: *x\n', 'anchor'],
    ['an alias in a list', 'a: &x [1]\nb:\n- *x\n', 'anchor'],
    ['a tag', 'a: !!str 1\n', 'tag'],
    ['a key that appears twice', 'a: 1\na: 2\n', 'duplicate-key'],
    ['a list as a key', '? [a]\n: 1\n', 'key-not-a-string'],
    ['broken YAML', 'a: [1\n', 'syntax'],
    ['a bomb of brackets', `a: ${'['.repeat(100_000)}`, 'syntax'],
  ])('refuses %s', (_, text, kind) => {
    expect(readYamlDocuments(source(text))).toMatchObject({ ok: false, problem: { kind } });
  });
});
