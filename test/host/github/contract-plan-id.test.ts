import { describe, expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { fleetOnGitHub, openPulls, TOPOLOGY_PATH, WITHOUT_SHORTCUT } from './contract.ts';

const idIn = (text: string | null | undefined): string => /^Plan id: `([0-9a-f]{32})`$/m.exec(text ?? '')?.[1] ?? '';

/** A fleet whose bundles are on main, and a pull request that removes its shortcut, with its comment. */
async function reviewed() {
  const it = await fleetOnGitHub();
  await it.weftPr();
  await it.fake.merge(1);
  await it.edit(WITHOUT_SHORTCUT, 'edit');
  const { number } = await it.fake.openPull({ branch: 'edit', author: it.fake.user });
  const { stdout } = await it.weftPr({
    mode: 'comment',
    pull: { number, branch: 'edit' },
    options: { output: 'json' },
  });
  const id = idIn(it.fake.comments.at(-1)?.body);
  expect(JSON.parse(stdout)).toMatchObject({ planId: id });
  return { ...it, number, id };
}

describe('the id of a plan', () => {
  it('is the same for the review and for what lands', async () => {
    const it = await reviewed();
    expect(it.id).not.toBe('');
    await it.fake.merge(it.number, 'squash');
    const opened = await it.weftPr({ options: { 'plan-id': it.id } });
    expect(opened).toMatchObject({ code: 0, stderr: expect.stringContaining('opened #') });
    expect(idIn(openPulls(it)[0]?.body)).toBe(it.id);
    it.finish();
  });

  it('is another one when another edit lands, which then is neither checked nor sent', async () => {
    const it = await reviewed();
    await it.fake.merge(it.number, 'squash');
    await it.edit(TOPOLOGY.replace('203.0.113.30', '203.0.113.31'));
    const written = it.fake.count();
    for (const mode of ['check', 'open'] as const) {
      const { code, stderr } = await it.weftPr({ mode, options: { 'plan-id': it.id } });
      expect([mode, code]).toEqual([mode, 1]);
      expect(stderr).toContain(`and the reviewed one is ${it.id}`);
    }
    expect(it.fake.count()).toBe(written);
    expect((await it.weftPr({ options: { 'plan-id': 'a b' } })).code).toContain('"a b" is not the id of a plan');
    it.finish();
  });

  it('does not depend on files of others', async () => {
    const it = await reviewed();
    await it.fake.commit('main', { 'README.md': 'changed\n', [TOPOLOGY_PATH]: `${WITHOUT_SHORTCUT}# a comment\n` });
    await it.weftPr();
    expect(idIn(openPulls(it).at(-1)?.body)).toBe(it.id);
    it.finish();
  });
});
