import { expect, it } from 'vitest';
import { nightly } from '../../support/drawn.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { calling } from '../fake-github/injections.ts';
import { serverError } from '../fake-github/refusal.ts';
import type { SeenRequest } from '../fake-github/seen-request.ts';
import { BRANCH, fleetOnGitHub } from './contract.ts';

it('sends smaller pieces where GitHub answers 502 to a tree, and one commit all the same', async () => {
  const it = await fleetOnGitHub();
  const isLarge = ({ operation, body }: SeenRequest): boolean =>
    operation === 'git/create-tree' && (body as { readonly tree: readonly unknown[] }).tree.length > 10;
  it.fake.inject({ when: isLarge, times: Number.POSITIVE_INFINITY, effect: 'before', answer: serverError(502) });
  expect((await it.weftPr()).stderr).toContain('opened #1');
  expect(it.cloned(BRANCH)).toEqual(await it.compiled('main'));
  expect(it.fake.count('git/create-commit')).toBe(1);
  it.finish();
});

it('ends where GitHub answers 502 to every tree', async () => {
  const it = await fleetOnGitHub();
  it.fake.inject({
    ...{ when: calling('git/create-tree'), times: Number.POSITIVE_INFINITY },
    ...{ effect: 'before', answer: serverError(502) },
  });
  expect((await it.weftPr()).code).toMatch(/Server Error[\s\S]*nothing is incomplete/);
  expect(it.fake.count('git/create-tree')).toBeLessThan(25);
  expect(it.fake.headOf(BRANCH)).toBeNull();
  it.finish();
});

nightly('sends 1,200 files in pieces that GitHub takes, as one commit', async () => {
  const leaves = Array.from(
    { length: 94 },
    (_, i) => `  leaf-${i}: { podCIDR: 10.${i + 1}.0.0/16, externalCIDR: auto }\n`,
  );
  const many =
    TOPOLOGY.slice(0, TOPOLOGY.indexOf('shortcuts')).replace(/ {2}(rome|milan): .*\n/g, '') + leaves.join('');
  const it = await fleetOnGitHub({ settings: { largeTrees: 'bad-gateway' } }, many);
  expect((await it.weftPr()).code).toBe(0);
  const cloned = it.cloned(BRANCH);
  expect(Object.keys(cloned).length).toBeGreaterThan(1200);
  expect(cloned).toEqual(await it.compiled('main'));
  expect(it.fake.count('git/create-commit')).toBe(1);
  expect(it.fake.pulls[0]?.body?.length).toBeLessThan(60_000);
  it.finish();
});
