import { expect, it } from 'vitest';
import { oldKeys } from '../../../src/fleet/keys/old-keys.ts';
import { FLEET, link } from '../../bundle/liqo/fixtures.ts';

const since = (day: string | null) => {
  const one = link('rome', 'europe');
  const keyPair = { ...one.server.keyPair, since: day };
  return { ...one, server: { ...one.server, keyPair } };
};

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;

const found = (day: string | null, now: string) =>
  oldKeys({ fleet: FLEET, links: [since(day)] }, at(now)).map(({ code, message, hint }) => [code, message, hint]);

it('public-keys/old: keys of more than a year are a note, and keys without a day are none', () => {
  const { server, client } = since(null);
  const message = `1 gateway has had the same key for more than a year: "${server.cluster.name}" towards "${client.cluster.name}" since 2025-01-31`;
  expect(found('2025-01-31', '2026-01-31')).toEqual([]);
  expect(found('2025-01-31', '2026-02-01')).toEqual([
    ['public-keys/old', message, 'run "weft keys rotate --older-than 365d"'],
  ]);
  expect(found(null, '2030-01-01')).toEqual([]);
});
