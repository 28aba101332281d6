import { expect, it } from 'vitest';
import { mergeValues } from '../../../src/bundle/liqo/helm-values.ts';

it('merges maps key by key, and replaces lists and scalars', () => {
  const base = { a: { one: 1, two: [1, 2] }, b: 'kept', c: { below: 'map' } };
  expect(mergeValues(base, { a: { two: [3], three: 3 }, c: 'scalar', d: { new: true }, b: undefined })).toEqual({
    a: { one: 1, two: [3], three: 3 },
    b: 'kept',
    c: 'scalar',
    d: { new: true },
  });
  expect(base.a).toEqual({ one: 1, two: [1, 2] });
});
