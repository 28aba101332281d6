import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upsertComment } from '../../../src/host/forge/upsert-comment.ts';
import type { Exchange } from '../fake-gitea/checked-fetch.ts';
import { proposalScenarios } from '../forge/proposal-scenarios.ts';
import { forgeOnRealGitea } from './forge-on-real-gitea.ts';
import { GITEA, type RealGitea, startGitea } from './real-gitea.ts';

/** The tests of the fake on a real server: build one with Go, and set WEFT_TEST_GITEA to the path of its binary. */
describe.skipIf(GITEA === '')('a real Gitea (skipped without WEFT_TEST_GITEA)', () => {
  let real: RealGitea;
  const seen: Exchange[] = [];
  beforeAll(async () => {
    real = await startGitea();
  });
  afterAll(async () => {
    await real.stop();
    const calls = new Set(seen.map((it) => it.operation));
    process.stdout.write(`${seen.length} requests of ${calls.size} calls were answered as Gitea describes them\n`);
  });

  proposalScenarios((files) => forgeOnRealGitea(real, files, seen));

  const withPull = async () => {
    const it = await forgeOnRealGitea(real, {}, seen);
    await it.pushForeign('weft/europe', { 'out/a.yaml': 'A' });
    const pull = await it.forge.createPull({
      branch: 'weft/europe',
      base: 'main',
      title: 'M',
      body: 'b',
      isDraft: true,
    });
    if (pull === 'nothing-between') throw new Error('there is something between');
    return { ...it, pull };
  };

  it('has drafts, labels, assignees and reviews', async () => {
    const it = await withPull();
    await it.forge.addLabels(it.pull.number, ['network', 'liqo']);
    await it.forge.addLabels(it.pull.number, ['network']);
    expect(await it.forge.addAssignees(it.pull.number, ['ADA', 'nobody'])).toEqual(['ada']);
    await it.forge.requestReviews(it.pull.number, { people: ['ada'], teams: [] });
    await expect(it.forge.requestReviews(it.pull.number, { people: ['nobody'], teams: [] })).rejects.toThrow(
      "User 'nobody' not exist",
    );
    expect(it.fake.pulls[0]).toMatchObject({
      title: 'WIP: M',
      draft: true,
      labels: [{ name: 'liqo' }, { name: 'network' }],
      requested_reviewers: [{ login: 'ada' }],
    });
  });

  it('finds the same pull request again, and none where nothing is between', async () => {
    const it = await withPull();
    const again = { branch: 'weft/europe', base: 'main', title: 'M', body: 'b', isDraft: false };
    expect(await it.forge.createPull(again)).toEqual(it.pull);
    expect(await it.forge.openPulls('weft/europe')).toEqual([it.pull]);
    await it.fake.branch('empty');
    expect(await it.forge.createPull({ ...again, branch: 'empty' })).toBe('nothing-between');
  });

  it('names the head that was merged, whatever came to the branch later', async () => {
    const it = await withPull();
    real.call('ada', 'PATCH', `/repos/acme/${it.forge.repository.name}/pulls/${it.pull.number}`, { title: 'M' });
    const head = it.headOf('weft/europe');
    await it.fake.merge(it.pull.number, 'squash');
    await it.pushForeign('weft/europe', { 'note.md': 'later' });
    expect(await it.forge.mergedHeads('weft/europe', 'main')).toEqual([head]);
  });

  it('has one comment of weft, which is updated', async () => {
    const it = await withPull();
    const sticky = {
      pull: it.pull.number,
      marker: '<!-- weft:plan -->',
      isMarker: (line: string) => line.includes('weft'),
    };
    expect(await upsertComment(it.forge, { ...sticky, body: 'one' })).toMatchObject({ change: 'created' });
    expect(await upsertComment(it.forge, { ...sticky, body: 'two' })).toMatchObject({ change: 'updated' });
    expect(await upsertComment(it.forge, { ...sticky, body: 'two' })).toMatchObject({ change: 'unchanged' });
    expect(await it.forge.listComments(it.pull.number)).toMatchObject([{ author: 'weft', byBot: false }]);
  });
});
