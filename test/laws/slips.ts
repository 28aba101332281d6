import fc from 'fast-check';

/** A change of a text at random, whatever its meaning is. */
export interface Slip {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const WORDS = [
  '0',
  '-1',
  '/',
  '/0',
  '/33',
  '10.0.0.0/8',
  '0.0.0.0/0',
  'auto',
  '[]',
  '{}',
  '~',
  ':',
  '\n',
  '  ',
  '- ',
  '"',
  '#',
  '&a',
  '*a',
  '!!x',
  '\t',
  '99999',
  '1e9',
  'null',
  'true',
  'hub',
  'rome',
  '__proto__',
  'constructor',
  'é',
  '\u0000',
  '\ud800',
];

export const slip: fc.Arbitrary<Slip> = fc.record({
  at: fc.nat(),
  length: fc.oneof(fc.constant(0), fc.constant(1), fc.nat({ max: 12 })),
  text: fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 4 }), fc.constant('')),
});

export const slipped = (text: string, slips: readonly Slip[]): string =>
  slips.reduce((it, { at, length, text: put }) => {
    const place = at % (it.length + 1);
    return it.slice(0, place) + put + it.slice(place + length);
  }, text);

/** A few changes of one text. */
export const slips = fc.array(slip, { minLength: 1, maxLength: 4 });

/** A scalar of a text replaced by another: such texts come further than those with broken YAML. */
export function withOtherScalar(text: string, { at, text: put }: Slip): string {
  const scalars = [...text.matchAll(/(?<=[:-] )[^\s#{[][^\n]*$/gm)];
  const chosen = scalars[at % Math.max(1, scalars.length)];
  if (!chosen) return text;
  return text.slice(0, chosen.index) + put + text.slice(chosen.index + chosen[0].length);
}
