import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64, utf8Bytes } from '../../../src/base/core/encodings.ts';
import { anyText } from '../../support/any-text.ts';

describe('utf8Bytes', () => {
  it.each(['', 'rome', 'città', '€', '😀', '\ud800', 'a\udc00b', '\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}'])(
    'of %j',
    (text) => {
      expect(utf8Bytes(text)).toEqual([...new TextEncoder().encode(text)]);
    },
  );

  it('are those of the platform, whatever the text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(utf8Bytes(text)).toEqual([...new TextEncoder().encode(text)]);
      }),
    );
  });
});

describe('base64', () => {
  it('is read and written as the platform does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 255 })), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(encodeBase64(bytes)).toBe(text);
        expect(decodeBase64(text)).toEqual({ kind: 'bytes', bytes });
      }),
    );
  });

  it.each([
    ['AAA', 'not-canonical', [0, 0]],
    ['AAB=', 'not-canonical', [0, 0]],
    ['A', 'not-canonical', []],
    ['A=A=', 'not-base64', []],
    ['AAAA====', 'not-base64', []],
    ['AA A', 'not-base64', []],
    ['AA-_', 'not-base64', []],
  ] as const)('%s is %s', (text, kind, bytes) => {
    expect(decodeBase64(text)).toEqual({ kind, bytes });
  });
});
