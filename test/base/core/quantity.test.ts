import { describe, expect, it } from 'vitest';
import { canonicalQuantity, parseQuantity } from '../../../src/base/core/quantity.ts';

// Answers of Go's resource.MustParse(text).String().
describe('a quantity is written as Kubernetes writes it', () => {
  it.each([
    ['4', '4'],
    ['0', '0'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['2.5', '2500m'],
    ['2500m', '2500m'],
    ['4000m', '4'],
    ['8Gi', '8Gi'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1536Mi', '1536Mi'],
    ['512', '512'],
    ['1000', '1k'],
    ['2000', '2k'],
    ['110', '110'],
    ['8G', '8G'],
    ['1e3', '1e3'],
    ['1E3', '1e3'],
    ['100e1', '1e3'],
    ['0.5Ki', '512'],
    ['0.0005Ki', '512m'],
    ['1Ki', '1Ki'],
    ['1000Ki', '1000Ki'],
    ['+4', '4'],
    ['1n', '1n'],
    ['0.1n', '1n'],
  ])('%s is %s', (text, canonical) => expect(canonicalQuantity(text)).toBe(canonical));

  it.each(['', '4 Gi', '-1', '1gb', 'Gi', '4ki', '1.2.3', '1e', '٤', '.', '0x4', '1Kib'])('%j is none', (text) =>
    expect(parseQuantity(text)).toBe(undefined),
  );

  it('counts billionths', () => {
    expect(parseQuantity('2500m')?.nanos).toBe(2_500_000_000n);
    expect(parseQuantity('1Ki')?.nanos).toBe(1_024_000_000_000n);
    expect(parseQuantity('1e-3')?.nanos).toBe(1_000_000n);
  });
});
