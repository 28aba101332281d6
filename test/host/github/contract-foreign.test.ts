import { describe, expect, it } from 'vitest';
import { calling } from '../fake-github/injections.ts';
import { BRANCH, fleetOnGitHub, openPulls, WITHOUT_SHORTCUT } from './contract.ts';

describe('commits of others', () => {
  it('are never lost', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    const foreign = await it.fake.commit(BRANCH, { 'notes.md': 'mind this\n', 'out/README.md': 'by hand\n' });
    await it.edit(WITHOUT_SHORTCUT);
    await it.weftPr();
    expect(it.fake.messagesOf(foreign)[0]).toContain('was here');
    expect(it.fake.messagesOf(BRANCH)).toContain('Somebody Else was here');
    expect(it.cloned(BRANCH)).toMatchObject({ 'notes.md': 'mind this\n', 'out/README.md': 'by hand\n' });
    it.finish();
  });

  it.each(['git/update-ref', 'git/create-ref'])('are not lost when they come right before %s', async (call) => {
    const it = await fleetOnGitHub();
    if (call === 'git/update-ref') {
      await it.weftPr();
      await it.edit(WITHOUT_SHORTCUT);
    }
    it.fake.meanwhile({
      when: calling(call),
      run: async () => {
        await it.fake.commit(BRANCH, { 'notes.md': 'just now\n' });
      },
    });
    expect((await it.weftPr()).code).toBe(0);
    expect(it.cloned(BRANCH)).toMatchObject({ 'notes.md': 'just now\n' });
    expect(it.cloned(BRANCH)['out/addresses.json']).toBe((await it.compiled('main'))['out/addresses.json']);
    expect(openPulls(it)).toHaveLength(1);
    it.finish();
  });

  it('by other runs of weft are not lost either, and one pull request comes of them', async () => {
    const it = await fleetOnGitHub();
    const answers = await Promise.all([it.weftPr(), it.weftPr(), it.weftPr()]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(openPulls(it)).toHaveLength(1);
    expect(it.cloned(BRANCH)).toEqual(await it.compiled('main'));
    it.finish();
  });

  it('are merged with what main has changed', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.fake.merge(1, 'squash');
    await it.edit(WITHOUT_SHORTCUT);
    await it.weftPr();
    await it.fake.commit(BRANCH, { 'notes.md': 'mind this\n' });
    await it.fake.commit('main', {
      'out/rome/kustomization.yaml': 'resources: [edited.yaml]\n',
      'README.md': 'news\n',
    });
    await it.weftPr();
    expect(it.cloned(BRANCH)).toMatchObject({ 'notes.md': 'mind this\n', 'README.md': 'news\n' });
    const [pull] = openPulls(it);
    await it.fake.merge(pull?.number ?? 0);
    const { 'notes.md': notes, ...main } = it.cloned('main');
    expect(notes).toBe('mind this\n');
    expect(main).toEqual(
      Object.fromEntries(Object.entries(await it.compiled('main')).filter(([path]) => path !== 'notes.md')),
    );
    it.finish();
  });
});
