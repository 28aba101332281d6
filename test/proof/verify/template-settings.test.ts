import { expect, it } from 'vitest';
import { TEMPLATE_SETTINGS } from '../../../src/base/releases/gateways.ts';
import { fleetWith, SET, SETTINGS } from '../../support/template-settings.ts';
import { verifyFiles } from './verify-golden.ts';

/** Both clusters have a template of weft, whatever else is set. */
const CUSTOM = { nodeSelector: { pool: 'gateways' } };

/** The mistakes that verify finds by itself, without comparing the files with those that were compiled. */
const verified = (asked: ReturnType<typeof fleetWith>, written = asked): readonly string[] =>
  verifyFiles({ inputs: asked.inputs, bundle: written.bundle }, new Map(written.bundle)).map(
    (it) => `${it.code} ${it.span.source.path.split('/')[1]}`,
  );

it.each(SETTINGS)('verify knows which templates %s needs', (key) => {
  expect(verified(fleetWith(SET[key]))).toEqual([]);
});

it.each(SETTINGS)('verify misses %s in a template', (key) => {
  const found = new Set(verified(fleetWith(CUSTOM, SET[key]), fleetWith(CUSTOM)));
  const ends = TEMPLATE_SETTINGS[key] === 'pods' ? ['milan', 'rome'] : ['rome'];
  expect([...found].sort()).toEqual(ends.map((it) => `verify/template ${it}`));
});
