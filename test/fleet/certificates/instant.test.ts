import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Bytes } from '../../../src/base/core/encodings.ts';
import { printDer, readDer, readInstant, secondsOf, TAG } from '../../../src/fleet/certificates/der.ts';

const read = (tag: number, text: string) => readInstant(readDer(printDer(tag, utf8Bytes(text))));

describe('times of certificates', () => {
  it.each([
    [TAG.utcTime, '260101000000Z', '2026-01-01T00:00:00Z'],
    [TAG.utcTime, '491231235959Z', '2049-12-31T23:59:59Z'],
    [TAG.utcTime, '500101000000Z', '1950-01-01T00:00:00Z'],
    [TAG.generalizedTime, '21260101000000Z', '2126-01-01T00:00:00Z'],
    [TAG.generalizedTime, '99991231235959Z', '9999-12-31T23:59:59Z'],
    [TAG.utcTime, '2601010000Z', undefined],
    [TAG.utcTime, '260101000000+0100', undefined],
    [TAG.generalizedTime, '260101000000Z', undefined],
    [TAG.integer, '260101000000Z', undefined],
  ])('%i %s is %s', (tag, text, instant) => {
    expect(read(tag, text)).toBe(instant);
  });

  it('are the seconds that the platform counts', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1950-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const text = `${date.toISOString().slice(0, 19)}Z`;
          expect(secondsOf(text)).toBe(Math.floor(date.getTime() / 1000));
        },
      ),
      { numRuns: 2000 },
    );
    expect(secondsOf('tomorrow')).toBeNaN();
  });
});

describe('a value of any length', () => {
  it.each([TAG.utcTime, TAG.generalizedTime, TAG.sequence])('with tag %i is no time', (tag) =>
    expect(read(tag, '2'.repeat(200_000))).toBeUndefined(),
  );
});
