import { expect, it } from 'vitest';
import { releaseOf } from '../../../src/base/releases/release.ts';
import { refusedKeyForm } from '../../../src/base/releases/traits.ts';

it.each([
  ['1.0.0-rc.2', 'pem', 1, 'pem'],
  ['1.0.0', 'pem', 1, 'pem'],
  ['1.0.0', 'raw', 1, undefined],
  ['1.0.0', 'raw', 0, 'ends-in-zero'],
  ['1.0.1', 'raw', 0, 'ends-in-zero'],
  ['1.0.2', 'raw', 0, undefined],
  ['1.0', 'pem', 1, undefined],
  ['1.1.0', 'raw', 0, undefined],
  ['1.2', 'pem', 0, undefined],
] as const)('%s with a %s key that ends in %i: %s', (version, form, lastByte, refused) => {
  const release = releaseOf(version);
  if (release === undefined) throw new Error(version);
  expect(refusedKeyForm(release, { form, lastByte })).toBe(refused);
});
