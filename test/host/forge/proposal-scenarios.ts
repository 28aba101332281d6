import { describe, expect, it } from 'vitest';
import { ForgeError } from '../../../src/host/forge/forge.ts';
import { proposeManifests } from '../../../src/host/forge/propose-manifests.ts';
import { RUNS_ALL } from '../../support/drawn.ts';
import type { RepositoryTools } from '../fake-github/repository-tools.ts';
import type { forgeOnGitHub } from '../github/forge-on-github.ts';
import { committed, proposal } from './proposal.ts';

const START = { 'README.md': 'hello', 'topologies/topology.yaml': 'one' };

/** Opens a forge with some files on its first branch; `truncated` where the forge may cut off what it answers about large trees. */
type OpenForge = (
  files: Readonly<Record<string, string>>,
  settings?: { readonly truncated?: boolean },
) => Promise<Omit<Awaited<ReturnType<typeof forgeOnGitHub>>, 'fake' | 'connect'> & { readonly fake: RepositoryTools }>;

/**
 * The scenarios in which forges differ: together they make every call of a forge. The others are about what weft does with
 * the answers, which is the same code for each.
 */
const FORGES_DIFFER = [
  'opens one pull request with one commit on the head of base, lock and out/ together',
  'closes the pull request, with a word, when base has it all',
  'opens none for the plan of a pull request that a person closed, until the plan changes',
  'turns a file into a folder and back',
  'go only when somebody says so',
  'are not lost when they come right before createBranch',
  'are not lost when they come right before moveBranch',
  'is merged in when its manifests changed, so that the pull request has no conflict',
  'has taken the pull request over (squash, branch deleted: true): the next edit opens another',
  'does not exist',
];

/**
 * The scenarios of proposals on any forge. The fake GitHub runs all of it on every push, the adapters of other forges
 * those in `FORGES_DIFFER`, and the rest of it in the nightly run.
 */
export function proposalScenarios(open: OpenForge, runs: 'all' | 'where forges differ' = 'all'): void {
  const left = new Set(FORGES_DIFFER);
  const scenario = (name: string, run: () => Promise<void>): void => {
    if (left.delete(name) || RUNS_ALL || runs === 'all') it(name, run);
  };

  describe('proposing manifests', () => {
    scenario('opens one pull request with one commit on the head of base, lock and out/ together', async () => {
      const it = await open(START);
      const main = it.headOf('main');
      const done = await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      expect(done).toMatchObject({ kind: 'proposed', change: 'opened', pull: { number: 1, base: 'main' } });
      expect(it.filesOf('weft/europe')).toEqual({ ...START, ...committed({ 'rome/a.yaml': 'A' }) });
      expect(it.historyOf('weft/europe')).toEqual([it.headOf('weft/europe'), main]);
      expect(it.fake.messagesOf('weft/europe')[0]).toBe(
        `Compile europe\n\nWeft-Topology: topologies/topology.yaml\nWeft-Topology-Digest: sha256:${'a'.repeat(64)}`,
      );
      expect(it.headOf('main')).toBe(main);
    });

    scenario('changes nothing in nine further runs', async () => {
      const it = await open(START);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      const head = it.headOf('weft/europe');
      it.calls.length = 0;
      for (let run = 2; run <= 10; run++) {
        expect(await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }))).toMatchObject({
          change: 'unchanged',
          commit: null,
        });
      }
      expect(it.headOf('weft/europe')).toBe(head);
      expect(it.fake.pulls).toHaveLength(1);
      expect(it.calls.filter((call) => /write|create|update|move/.test(call))).toEqual([]);
    });

    scenario('does not push line ends: files and inputs with those of Windows are as good', async () => {
      const wanted = committed({ 'rome/a.yaml': 'A\nB\n' });
      const crlf = Object.fromEntries(
        Object.entries(wanted).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]),
      );
      const topology = { 'topologies/topology.yaml': 'one\ntwo\n' };
      const [lf, windows] = [await open({ ...START, ...crlf, ...topology }), await open({ ...START, ...wanted })];
      const inputs = (text: string) => ({ inputs: new Map([['topologies/topology.yaml', text]]) });
      expect(await proposeManifests(lf.forge, proposal({ 'rome/a.yaml': 'A\nB\n' }, inputs('one\r\ntwo\r\n')))).toEqual(
        {
          kind: 'nothing-to-do',
          closed: [],
          branch: 'untouched',
        },
      );
      expect(
        await proposeManifests(lf.forge, proposal({ 'rome/a.yaml': 'A\n' }, inputs('one\ntwo\r\n'))),
      ).toMatchObject({
        kind: 'proposed',
      });
      expect(await proposeManifests(windows.forge, proposal({}, inputs('one\ntwo\n')))).toMatchObject({
        kind: 'outdated',
      });
    });

    scenario('updates on an edit, and deletes what only an earlier proposal had', async () => {
      const it = await open(START);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A', 'milan/b.yaml': 'B' }));
      const first = it.headOf('weft/europe');
      const done = await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }));
      expect(done).toMatchObject({
        kind: 'proposed',
        change: 'refreshed',
        pull: { number: 1, body: 'plan of rome/a.yaml' },
      });
      expect(it.filesOf('weft/europe')).toEqual({ ...START, ...committed({ 'rome/a.yaml': 'A2' }) });
      expect(it.historyOf('weft/europe').slice(0, 2)).toEqual([it.headOf('weft/europe'), first]);
      expect(it.fake.pulls).toHaveLength(1);
    });

    scenario('closes the pull request, with a word, when base has it all', async () => {
      const it = await open({ ...START, ...committed({ 'rome/a.yaml': 'A' }) });
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }));
      const done = await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      expect(done).toMatchObject({ kind: 'nothing-to-do', closed: [{ number: 1 }] });
      expect(it.fake.pulls[0]?.state).toBe('closed');
      expect(it.fake.comments.map(({ pull, body }) => ({ pull, body }))).toEqual([
        { pull: 1, body: '<!-- weft:closed -->\nNothing is left to do.' },
      ]);
      expect(await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }))).toEqual({
        kind: 'nothing-to-do',
        closed: [],
        branch: 'untouched',
      });
      expect(it.fake.comments).toHaveLength(1);
    });

    scenario('opens none for the plan of a pull request that a person closed, until the plan changes', async () => {
      const it = await open(START);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      await it.forge.updatePull(1, { state: 'closed' });
      const declined = { kind: 'closed-by-hand', pull: { number: 1 } };
      // An edit of a comment in the topology.
      const again = proposal({ 'rome/a.yaml': 'A' }, { digest: 'b'.repeat(64) });
      expect(await proposeManifests(it.forge, again)).toMatchObject(declined);
      await it.forge.deleteBranch('weft/europe', it.headOf('weft/europe'));
      expect(await proposeManifests(it.forge, again)).toMatchObject(declined);
      expect(it.fake.branches()).toEqual(['main']);
      const forced = await proposeManifests(it.forge, { ...again, force: true });
      expect(forced).toMatchObject({ kind: 'proposed', change: 'opened' });
      await it.forge.updatePull(2, { state: 'closed' });
      expect(await proposeManifests(it.forge, proposal({ 'rome/b.yaml': 'B' }))).toMatchObject({ change: 'opened' });
    });

    scenario('opens another after one that weft closed, with the same plan', async () => {
      const it = await open({ ...START, ...committed({ 'rome/a.yaml': 'A' }) });
      const edit = proposal({ 'rome/a.yaml': 'A2' });
      await proposeManifests(it.forge, edit);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      expect(await proposeManifests(it.forge, edit)).toMatchObject({ kind: 'proposed', change: 'opened' });
    });

    scenario('opens none when nothing changes, and makes no branch', async () => {
      const it = await open({ ...START, ...committed({ 'rome/a.yaml': 'A' }) });
      expect(await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }))).toMatchObject({
        kind: 'nothing-to-do',
      });
      expect(it.fake.branches()).toEqual(['main']);
      expect(it.fake.pulls).toEqual([]);
    });

    scenario('deletes what base has and nobody wants, but not what somebody made their own', async () => {
      const before = committed({ 'rome/a.yaml': 'A', 'milan/b.yaml': 'B', 'milan/edited.yaml': 'mine' });
      const it = await open({ ...START, ...before, 'out/README.md': 'by hand' });
      const wanted = { ...proposal({ 'rome/a.yaml': 'A' }).wanted, keep: new Set(['out/milan/edited.yaml']) };
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }, { wanted }));
      const files = it.filesOf('weft/europe');
      expect(files['out/milan/b.yaml']).toBeUndefined();
      expect(files).toMatchObject({
        'out/milan/edited.yaml': 'mine',
        'out/README.md': 'by hand',
        'out/rome/a.yaml': 'A',
      });
    });

    scenario('turns a file into a folder and back', async () => {
      const it = await open({ ...START, ...committed({ rome: 'file' }) });
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      expect(it.filesOf('weft/europe')['out/rome/a.yaml']).toBe('A');
      expect(it.filesOf('weft/europe')['out/rome']).toBeUndefined();
    });
  });

  describe('commits of others', () => {
    scenario('stay, with what they changed', async () => {
      const it = await open(START);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      const foreign = await it.pushForeign('weft/europe', { 'notes.md': 'mind this', 'out/README.md': 'and this' });
      const done = await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }));
      expect(done).toMatchObject({ kind: 'proposed', overwritten: [], kept: [] });
      expect(it.historyOf('weft/europe')).toContain(foreign);
      expect(it.filesOf('weft/europe')).toEqual({
        ...START,
        ...committed({ 'rome/a.yaml': 'A2' }),
        'notes.md': 'mind this',
        'out/README.md': 'and this',
      });
    });

    scenario('stay in the history where they edited a generated file, and the run says which', async () => {
      const it = await open(START);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A', 'milan/b.yaml': 'B' }));
      const foreign = await it.pushForeign('weft/europe', {
        'out/rome/a.yaml': 'edited',
        'out/milan/b.yaml': 'edited too',
      });
      const done = await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      expect(done).toMatchObject({ overwritten: ['out/rome/a.yaml'], kept: ['out/milan/b.yaml'] });
      expect(it.historyOf('weft/europe')).toContain(foreign);
      expect(it.filesOf('weft/europe')).toMatchObject({ 'out/rome/a.yaml': 'A', 'out/milan/b.yaml': 'edited too' });
    });

    scenario('go only when somebody says so', async () => {
      const it = await open(START);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      const foreign = await it.pushForeign('weft/europe', { 'notes.md': 'mind this' });
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }, { force: true }));
      expect(it.historyOf('weft/europe')).not.toContain(foreign);
      expect(it.filesOf('weft/europe')).toEqual({ ...START, ...committed({ 'rome/a.yaml': 'A2' }) });
      const head = it.headOf('weft/europe');
      expect(await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }, { force: true }))).toMatchObject({
        commit: null,
      });
      expect(it.headOf('weft/europe')).toBe(head);
    });

    for (const call of ['createBranch', 'moveBranch'] as const)
      scenario(`are not lost when they come right before ${call}`, async () => {
        const it = await open(START);
        if (call === 'moveBranch') await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
        let foreign = '';
        it.between.set(call, async () => {
          if (call === 'createBranch') await it.fake.branch('weft/europe', 'main');
          foreign = await it.pushForeign('weft/europe', { 'notes.md': 'just now' });
        });
        const done = await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }));
        expect(done.kind).toBe('proposed');
        expect(it.historyOf('weft/europe')).toContain(foreign);
        expect(it.filesOf('weft/europe')).toEqual({
          ...START,
          ...committed({ 'rome/a.yaml': 'A2' }),
          'notes.md': 'just now',
        });
      });

    scenario('make weft give up, and not force, when they never end', async () => {
      const it = await open(START);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      let count = 0;
      const again = async (): Promise<void> => {
        await it.pushForeign('weft/europe', { 'notes.md': `${count++}` });
        it.between.set('moveBranch', again);
      };
      it.between.set('moveBranch', again);
      await expect(proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }))).rejects.toThrow(/6 times in a row/);
      expect(it.filesOf('weft/europe')['notes.md']).toBe('5');
    });

    scenario('are kept by two runs of weft at once', async () => {
      const it = await open(START);
      await Promise.all([1, 2, 3].map((n) => proposeManifests(it.forge, proposal({ 'rome/a.yaml': `A${n}` }))));
      expect(it.filesOf('weft/europe')['out/rome/a.yaml']).toMatch(/^A[123]$/);
      // Start and at least one commit of each run that found something to change.
      expect(it.historyOf('weft/europe').length).toBeGreaterThanOrEqual(3);
    });
  });

  describe('a base that goes on', () => {
    scenario('is merged in when its manifests changed, so that the pull request has no conflict', async () => {
      const it = await open({ ...START, ...committed({ 'rome/a.yaml': 'A' }) });
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2', 'milan/b.yaml': 'B' }));
      await it.pushForeign('weft/europe', { 'notes.md': 'mine' });
      const main = await it.pushForeign('main', { ...committed({ 'rome/a.yaml': 'A3' }), 'README.md': 'news' });
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A4' }));
      expect(it.historyOf('weft/europe')).toContain(main);
      expect(it.filesOf('weft/europe')).toEqual({
        ...START,
        ...committed({ 'rome/a.yaml': 'A4' }),
        'README.md': 'news',
        'notes.md': 'mine',
      });
      expect(it.fake.pulls).toHaveLength(1);
      const head = it.headOf('weft/europe');
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A4' }));
      expect(it.headOf('weft/europe')).toBe(head);
    });

    scenario('is left alone when it changed other things', async () => {
      const it = await open(START);
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
      const head = it.headOf('weft/europe');
      await it.pushForeign('main', { 'README.md': 'news' });
      expect(await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }))).toMatchObject({ change: 'unchanged' });
      expect(it.headOf('weft/europe')).toBe(head);
    });

    scenario(
      'conflicts with a foreign commit in a file of theirs: a person has to look, and weft goes on',
      async () => {
        const it = await open({ ...START, ...committed({ 'rome/a.yaml': 'A' }) });
        await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }));
        await it.pushForeign('weft/europe', { 'README.md': 'mine' });
        await it.pushForeign('main', { 'README.md': 'theirs', 'out/rome/a.yaml': 'A3' });
        const done = await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A4' }));
        expect(done).toMatchObject({ kind: 'proposed', conflicts: ['README.md'] });
        expect(it.filesOf('weft/europe')).toMatchObject({ 'README.md': 'mine', 'out/rome/a.yaml': 'A4' });
      },
    );

    for (const [how, gone] of [
      ['merge', false],
      ['merge', true],
      ['squash', false],
      ['squash', true],
    ] as const)
      scenario(
        `has taken the pull request over (${how}, branch deleted: ${gone}): the next edit opens another`,
        async () => {
          const it = await open(START);
          await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }));
          await it.pushForeign('weft/europe', { 'notes.md': 'mine' });
          await it.fake.merge(1, how);
          if (gone) await it.fake.deleteBranch('weft/europe');
          expect(await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A' }))).toMatchObject({
            kind: 'nothing-to-do',
          });
          const done = await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }));
          expect(done).toMatchObject({ kind: 'proposed', change: 'opened', conflicts: [], pull: { number: 2 } });
          expect(it.filesOf('weft/europe')).toEqual({
            ...START,
            ...committed({ 'rome/a.yaml': 'A2' }),
            'notes.md': 'mine',
          });
          expect(it.historyOf('weft/europe')).toContain(it.headOf('main'));
        },
      );

    scenario('has other inputs than were compiled: a newer run has the say', async () => {
      const it = await open(START);
      const inputs = new Map([['topologies/topology.yaml', 'two']]);
      expect(await proposeManifests(it.forge, proposal({ a: 'A' }, { inputs }))).toEqual({
        kind: 'outdated',
        path: 'topologies/topology.yaml',
      });
      expect(
        await proposeManifests(it.forge, proposal({ a: 'A' }, { inputs: new Map([['README.md', null]]) })),
      ).toMatchObject({
        kind: 'outdated',
      });
      expect(it.fake.branches()).toEqual(['main']);
    });

    scenario('does not exist', async () => {
      const it = await open(START);
      const failed = proposeManifests(it.forge, proposal({ a: 'A' }, { base: 'trunk' }));
      await expect(failed).rejects.toThrow(ForgeError);
      await expect(failed).rejects.toThrow(
        'cannot read the branch trunk of acme/fleet: it does not exist, or the token may not read it',
      );
    });
  });

  scenario('reads only the folders it needs where the repository is too large for one answer', async () => {
    const [small, large] = [await open(START), await open(START, { truncated: true })];
    for (const it of [small, large]) {
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A', 'rome/deep/b.yaml': 'B' }));
      await it.pushForeign('weft/europe', { 'notes.md': 'mine' });
      await it.pushForeign('main', { 'out/rome/a.yaml': 'A3', 'docs/x.md': 'x' });
      await proposeManifests(it.forge, proposal({ 'rome/a.yaml': 'A2' }));
    }
    expect(large.filesOf('weft/europe')).toEqual(small.filesOf('weft/europe'));
    expect(large.filesOf('weft/europe')).toEqual({
      ...START,
      ...committed({ 'rome/a.yaml': 'A2' }),
      'notes.md': 'mine',
      'docs/x.md': 'x',
    });
  });

  scenario('sends a large change in pieces of a hundred, as one commit', async () => {
    const it = await open(START);
    const files = Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`c${i % 40}/${i}.yaml`, `${i}`]));
    await proposeManifests(it.forge, proposal(files));
    expect(it.calls.filter((call) => call === 'writeTree')).toHaveLength(13);
    expect(it.calls.filter((call) => call === 'writeCommit')).toHaveLength(1);
    expect(it.filesOf('weft/europe')).toEqual({ ...START, ...committed(files) });
  });

  it('has every scenario in which forges differ', () => expect([...left]).toEqual([]));
}
