import { describe, expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { calling } from '../fake-github/injections.ts';
import { notPermitted, saying } from '../fake-github/refusal.ts';
import { BRANCH, fleetOnGitHub, WITHOUT_SHORTCUT } from './contract.ts';

describe('what is refused', () => {
  it('is explained: pull requests by Actions', async () => {
    const it = await fleetOnGitHub();
    it.fake.forbidPullsByActions();
    const { code } = await it.weftPr();
    expect(code).toContain('https://github.com/acme/fleet/compare/main...weft/europe?expand=1');
    expect(code).toContain('Allow GitHub Actions to create and approve pull requests');
    expect(it.cloned(BRANCH)).toEqual(await it.compiled('main'));
    it.finish();
  });

  it('is explained: a token that only reads', async () => {
    const it = await fleetOnGitHub();
    const reader = it.fake.signUp({
      login: 'reader[bot]',
      kind: 'bot',
      grants: { '*': { contents: 'read', pulls: 'read' } },
    });
    expect((await it.weftPr({ as: reader })).code).toMatch(
      /Resource not accessible by integration[\s\S]*`contents: write`/,
    );
    it.finish();
  });

  it('is explained: a token that nobody knows', async () => {
    const it = await fleetOnGitHub();
    const nobody = { ...it.fake.bot, token: 'ghs_unknown' };
    expect((await it.weftPr({ as: nobody })).code).toMatch(/Bad credentials[\s\S]*WEFT_TOKEN/);
    it.finish();
  });

  it.each(['protected-branch', 'ruleset'] as const)('is explained: a branch under a %s', async (guard) => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    it.fake.protect(BRANCH, guard);
    await it.edit(WITHOUT_SHORTCUT);
    expect((await it.weftPr()).code).toMatch(/the rule of the repository that protects this branch/);
    it.finish();
  });

  it.each([
    ['403', notPermitted(), /Resource not accessible/],
    ['422', saying(422, 'Something that nobody has seen'), /Something that nobody has seen \(422\)/],
  ] as const)('is told as it is: %s', async (_, answer, words) => {
    const it = await fleetOnGitHub();
    it.fake.inject({ when: calling('git/create-tree'), effect: 'before', answer });
    expect((await it.weftPr()).code).toMatch(words);
    expect(it.fake.headOf(BRANCH)).toBeNull();
    it.finish();
  });

  it('is a topology with errors: nothing is sent, by any mode', async () => {
    const it = await fleetOnGitHub({}, TOPOLOGY.replace('hub: europe', 'hub: europa'));
    for (const mode of ['check', 'comment', 'open'] as const) {
      const { code, summary } = await it.weftPr({ mode, pull: { number: 1, branch: 'main' } });
      expect(code).toBe(1);
      expect(summary).toContain('nothing is planned, written or sent');
    }
    expect(it.fake.log).toEqual([]);
    it.finish();
  });
});
