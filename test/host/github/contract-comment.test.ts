import { describe, expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { calling } from '../fake-github/injections.ts';
import { fleetOnGitHub, openPulls, WITHOUT_SHORTCUT } from './contract.ts';

describe('one comment', () => {
  async function withPull() {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.fake.merge(1);
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    await it.weftPr({ pull: { number: 99, branch: 'edit' } });
    const number = openPulls(it)[0]?.number ?? 0;
    return { ...it, run: () => it.weftPr({ mode: 'comment', pull: { number, branch: 'edit' } }), number };
  }

  it('is made once, and updated in place', async () => {
    const it = await withPull();
    const before = it.fake.comments.length;
    for (let run = 1; run <= 10; run++) expect((await it.run()).code).toBe(0);
    expect(it.fake.count('issues/update-comment')).toBe(0);
    await it.edit(TOPOLOGY.replace('203.0.113.30', '203.0.113.31'), 'edit');
    await it.run();
    expect(it.fake.comments.length).toBe(before + 1);
    expect(it.fake.comments.at(-1)?.body).toMatch(/^<!-- weft:plan id=europe topology=topologies\/topology.yaml -->\n/);
    expect(it.fake.comments.at(-1)?.body).toContain('203.0.113.31');
    it.finish();
  });

  it('names the diff and links the run that keeps it, and names none where nothing changes', async () => {
    const it = await withPull();
    const options = { diff: 'review' };
    const run = (text?: string) =>
      it.weftPr({
        mode: 'comment',
        options: text === undefined ? {} : options,
        pull: { number: it.number, branch: 'edit' },
      });
    await run();
    expect(it.fake.comments.at(-1)?.body).not.toContain('Manifest diff');
    const count = it.fake.comments.length;
    await run('with the diff');
    expect(it.fake.comments).toHaveLength(count);
    expect(it.fake.comments.at(-1)?.body).toMatch(
      /\n\*\*Manifest diff\*\*: \+\d+ \u2212\d+ lines to read in \d+ files? of \d clusters?, .* folded away in .*\. It is in `weft-diff\.html` and `weft-diff\.md` among the artifacts of \[this run\]\(https:\/\/github\.com\/acme\/fleet\/actions\/runs\/\d+\)\.\n\nPlan id: /,
    );
    await it.edit(TOPOLOGY, 'edit');
    await run('with the diff');
    expect(it.fake.comments.at(-1)?.body).not.toContain('Manifest diff');
    it.finish();
  });

  it('names the page with the fleet before and after, and is there without it', async () => {
    const it = await withPull();
    const run = (report: string) =>
      it.weftPr({ mode: 'comment', options: { report }, pull: { number: it.number, branch: 'edit' } });
    await run('review');
    expect(it.fake.comments.at(-1)?.body).toMatch(
      /\n\n\*\*Before and after\*\*: the fleet as a page, `weft-report\.html` among the artifacts of \[this run\]\(https:\/\/github\.com\/acme\/fleet\/actions\/runs\/\d+\)\.\n\nPlan id: /,
    );
    const failed = await run('out/review');
    expect(failed.code).toBe(0);
    expect(failed.stderr).toContain('warning: there is no report: the page cannot be written to out/review/');
    expect(it.fake.comments.at(-1)?.body).not.toContain('Before and after');
    expect(it.fake.comments.at(-1)?.body).toContain('Blast radius');
    it.finish();
  });

  it('is found behind hundreds of others, and not confused with one that only looks like it', async () => {
    const it = await withPull();
    it.fake.comment(it.number, it.fake.user, '<!-- weft:plan id=europe -->\nnot the one');
    await it.run();
    const count = it.fake.comments.length;
    for (let i = 0; i < 230; i++) it.fake.comment(it.number, it.fake.user, `comment ${i}`);
    const other = await it.run();
    expect(other.stderr).toContain('the comment is up to date');
    expect(it.fake.comments.length).toBe(count + 230);
    it.finish();
  });

  it('is one although two runs make it at the same time', async () => {
    const it = await withPull();
    const before = it.fake.comments.length;
    const created = it.fake.count('issues/create-comment');
    it.fake.meanwhile({
      when: calling('issues/create-comment'),
      run: async () => {
        await it.run();
      },
    });
    expect((await it.run()).code).toBe(0);
    expect(it.fake.count('issues/create-comment') - created).toBe(2);
    expect(it.fake.comments.length).toBe(before + 1);
    expect((await it.run()).stderr).toContain('the comment is up to date');
    it.finish();
  });

  it('is one again where an earlier release left two', async () => {
    const it = await withPull();
    const before = it.fake.comments.length;
    for (let i = 0; i < 2; i++) it.fake.comment(it.number, it.fake.bot, '<!-- weft:plan id=europe -->\nold');
    expect((await it.run()).code).toBe(0);
    expect(it.fake.comments.slice(before).map(({ body }) => body)).toEqual([expect.not.stringMatching(/\nold$/)]);
    it.finish();
  });

  it.each(['before', 'after'] as const)('is one although the connection breaks %s its effect', async (effect) => {
    const it = await withPull();
    const before = it.fake.comments.length;
    it.fake.inject({ when: calling('issues/create-comment'), effect, answer: 'dropped' });
    expect((await it.run()).code).toBe(0);
    expect(it.fake.comments.length).toBe(before + 1);
    it.finish();
  });
});
