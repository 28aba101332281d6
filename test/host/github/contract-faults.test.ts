import { describe, expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { calling } from '../fake-github/injections.ts';
import { primaryLimit, secondaryLimit, serverError } from '../fake-github/refusal.ts';
import { BRANCH, fleetOnGitHub, openPulls, TOPOLOGY_PATH, WITHOUT_SHORTCUT } from './contract.ts';

describe('a bad day at GitHub', () => {
  const WRITES = ['git/create-tree', 'git/create-commit', 'git/create-ref', 'pulls/create'] as const;
  const BREAKS = [
    ...WRITES.flatMap((call) => [[call, 'before', 'dropped'] as const, [call, 'after', 'dropped'] as const]),
    ['git/create-ref', 'after', 'half'] as const,
    ['pulls/create', 'after', 'half'] as const,
  ];

  it.each(BREAKS)(
    'ends as a good one when the connection breaks at %s, %s its effect (%s)',
    async (call, effect, answer) => {
      const it = await fleetOnGitHub();
      it.fake.inject({ when: calling(call), effect, answer });
      expect((await it.weftPr()).code).toBe(0);
      expect(openPulls(it)).toHaveLength(1);
      expect(it.cloned(BRANCH)).toEqual(await it.compiled('main'));
      expect((await it.weftPr()).stderr).toContain('nothing new for #1');
      it.finish();
    },
  );

  it.each(['before', 'after'] as const)('ends as a good one when updating breaks %s its effect', async (effect) => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.edit(WITHOUT_SHORTCUT);
    for (const call of ['git/update-ref', 'pulls/update'])
      it.fake.inject({ when: calling(call), effect, answer: 'dropped' });
    expect((await it.weftPr()).code).toBe(0);
    expect(it.cloned(BRANCH)).toEqual({ ...(await it.compiled('main')), [TOPOLOGY_PATH]: TOPOLOGY });
    expect((await it.weftPr()).stderr).toContain('nothing new for #1');
    it.finish();
  });

  it.each([
    ['a secondary limit', secondaryLimit(30)],
    ['a secondary limit that says nothing', secondaryLimit(null)],
    ['429', secondaryLimit(5, 429)],
    ['502', serverError(502)],
    ['503', serverError(503)],
  ] as const)('waits for %s to pass, at every call', async (_, answer) => {
    const it = await fleetOnGitHub();
    for (const call of ['git/get-ref', ...WRITES, 'pulls/list'])
      it.fake.inject({ when: calling(call), effect: 'before', answer });
    expect((await it.weftPr()).code).toBe(0);
    expect(openPulls(it)).toHaveLength(1);
    it.finish();
  });

  it('is not silent: the log names what weft waits for, and why', async () => {
    const it = await fleetOnGitHub({ settings: { latencyMilliseconds: 45_000 } });
    const { code, stderr } = await it.weftPr();
    expect(code).toBe(0);
    expect(stderr).toContain('still waiting for GitHub after 10 seconds: read acme/fleet\n');
    expect(stderr).toMatch(/still waiting for GitHub after 30 seconds: send \d+ files to acme\/fleet\n/);
    expect((await it.weftPr({ options: { quiet: true } })).stderr).not.toContain('waiting');
    it.finish();
  });

  it('counts the seconds of a limit in the log', async () => {
    const it = await fleetOnGitHub();
    it.fake.inject({ when: calling('git/create-tree'), effect: 'before', answer: secondaryLimit(90) });
    const { stderr } = await it.weftPr();
    expect(stderr).toContain('GitHub limits the requests of this token; the next attempt is in 90 seconds\n');
    expect(stderr).toMatch(/still waiting for GitHub after 60 seconds: send \d+ files to acme\/fleet\n/);
    it.finish();
  });

  it('says when a limit ends that is too long to wait for, and goes on from there', async () => {
    const it = await fleetOnGitHub();
    const resetsAt = Math.floor(it.fake.clock.now() / 1000) + 3600;
    it.fake.inject({ when: calling('git/create-commit'), effect: 'before', answer: primaryLimit(resetsAt) });
    expect((await it.weftPr()).code).toMatch(/rate limit exceeded[\s\S]*run it again after the limit/);
    expect(it.fake.headOf(BRANCH)).toBeNull();
    it.fake.clock.advance(3_700_000);
    expect((await it.weftPr()).code).toBe(0);
    it.finish();
  });

  it('reads only the folders it needs where a tree is cut off', async () => {
    const it = await fleetOnGitHub({ settings: { treeEntries: 10 } });
    await it.weftPr();
    await it.fake.commit(BRANCH, { 'notes.md': 'mine\n' });
    await it.edit(WITHOUT_SHORTCUT);
    await it.weftPr();
    expect(it.cloned(BRANCH)).toEqual({
      ...(await it.compiled('main')),
      [TOPOLOGY_PATH]: TOPOLOGY,
      'notes.md': 'mine\n',
    });
    it.finish();
  });
});
