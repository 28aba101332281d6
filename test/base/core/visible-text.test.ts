import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../../src/base/core/secrets.ts';
import { visibleFields, visibleJson, visibleText } from '../../../src/base/core/visible-text.ts';
import { anyText } from '../../support/any-text.ts';
import { HOSTILE } from '../../support/hostile-text.ts';
import { lineFaults } from '../../support/line-faults.ts';

describe('visible text', () => {
  it.each(Object.entries(HOSTILE))('is harmless: %s', (_, text) => {
    for (const line of [visibleText(text), `${visibleText(text)}:1:1`, `# ${visibleText(text)}`]) {
      expect(lineFaults(line)).toEqual([]);
    }
  });

  it('has no faults, as many characters as the text, and is its own visible text', () => {
    const piece = fc.oneof(fc.constantFrom(...Object.values(HOSTILE)), anyText(), fc.constantFrom(':', '#', '['));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const text = pieces.join('');
        const shown = visibleText(text);
        expect(lineFaults(shown).filter((it) => !/at the start|a format|without a shape/.test(it))).toEqual([]);
        expect([...shown]).toHaveLength([...text].length);
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });

  it('leaves what people write as it is', () => {
    for (const text of [
      'Málaga → 北京 🌐',
      '❤️ ⚠️ 👩‍💻',
      'fd00::a, fd00::1 and ::1',
      'a::b',
      '# [x]',
      'ssh://git@example.com',
      '10.0.0.0/8',
    ]) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it('shows control characters, spaces and marks by a picture each', () => {
    expect(visibleText('a\tb\nc\u001b[0m\u007f')).toBe('a␉b␊c␛[0m␡');
    expect(visibleText('a\u00a0b\u202ec\u{e0041}')).toBe('a␣b\ufffdc\ufffd');
    expect(visibleText('::error::x ##[group]')).toBe(':∶error:∶x #♯[group]');
  });

  it('reaches every string of a value', () => {
    expect(visibleFields({ a: ['b\n', { c: 'd\u202e' }], e: 1, f: null })).toEqual({
      a: ['b␊', { c: 'd\ufffd' }],
      e: 1,
      f: null,
    });
  });

  it('of JSON is JSON with the same value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...Object.values(HOSTILE)), anyText()), (text) => {
        const json = visibleJson(JSON.stringify({ [text]: text }, null, 2));
        expect(JSON.parse(json)).toEqual({ [text]: text });
        expect(lineFaults(json).filter((it) => !/a secret|a format|without a shape/.test(it))).toEqual([]);
      }),
    );
  });
});

describe('secrets in a text', () => {
  const KEY = `abcd${'E'.repeat(39)}=`;

  it.each([
    ['https://user:pa@ss@example.com/x', 'https://**********@example.com/x'],
    ['HTTPS://token@example.com', 'HTTPS://*****@example.com'],
    ['"\\nhttps://token@example.com"', '"\\nhttps://*****@example.com"'],
    ['git:pass@example.com:fleet', 'git:****@example.com:fleet'],
    ['ssh://git:pass@example.com', 'ssh://git:****@example.com'],
    ['https://example.com/a?x=1&private_token=abc&y=2', 'https://example.com/a?x=1&private_token=***&y=2'],
    [`token ghp_${'a'.repeat(36)}.`, `token ${'*'.repeat(40)}.`],
    [`privateKey: ${KEY} # x`, `privateKey: abcd${'*'.repeat(40)} # x`],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it('leaves other texts as they are', () => {
    const digest = 'a'.repeat(64);
    for (const text of [
      'ssh://git@example.com/a@b',
      'liqo:v1.2.0@sha256:abc',
      'https://example.com/@a',
      'git@example.com:a/b',
      'https://example.com/token?page=2',
      digest,
      `${KEY}=`,
    ])
      expect(maskSecrets(text)).toBe(text);
  });

  it('are found in linear time', () => {
    const long = `${'a.'.repeat(1 << 20)}://${'x'.repeat(1 << 20)}`;
    expect(maskSecrets(long) === long).toBe(true);
  });
});
