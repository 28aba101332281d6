import { expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { BRANCH, fleetOnGitHub } from './contract.ts';

it('sends 1,200 files in pieces that GitHub takes, as one commit', async () => {
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
