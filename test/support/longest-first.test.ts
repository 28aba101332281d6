import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LONGEST } from './longest-first.ts';

it.each(LONGEST)('%s exists', (path) => {
  expect(existsSync(new URL(`../../${path}`, import.meta.url))).toBe(true);
});
