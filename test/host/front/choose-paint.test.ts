import { expect, it } from 'vitest';
import { colourPaint } from '../../../src/answers/report/paint.ts';
import { choosePaint } from '../../../src/host/front/show.ts';

const coloured = (when: string | undefined, env: Record<string, string>, isTTY: boolean) =>
  choosePaint(when, env, { isTTY, write: async () => true }) === colourPaint;

it.each([
  ['a terminal', undefined, {}, true, true],
  ['a pipe', undefined, {}, false, false],
  ['--color always in a pipe', 'always', { NO_COLOR: '1', TERM: 'dumb' }, false, true],
  ['--color never on a terminal', 'never', { FORCE_COLOR: '1' }, true, false],
  ['--color auto', 'auto', {}, true, true],
  ['FORCE_COLOR over NO_COLOR', undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0', undefined, { FORCE_COLOR: '0' }, true, false],
  ['NO_COLOR', undefined, { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR', undefined, { NO_COLOR: '' }, true, true],
  ['a dumb terminal', undefined, { TERM: 'dumb' }, true, false],
] as const)('%s', (_, when, env, isTTY, expected) => {
  expect(coloured(when, env, isTTY)).toBe(expected);
});
