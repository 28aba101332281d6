import fc from 'fast-check';
import { expect } from 'vitest';
import type { Forge } from '../../../src/host/forge/forge.ts';
import { proposeManifests } from '../../../src/host/forge/propose-manifests.ts';
import { law } from '../../laws/law.ts';
import { expectNoViolations } from '../fake-github/expect-no-violations.ts';
import type { FakeGitHub } from '../fake-github/fake-github.ts';
import type { RepositoryTools } from '../fake-github/repository-tools.ts';
import { committed, proposal } from './proposal.ts';

const BRANCH = 'weft/europe';

/** The events in a repository between two runs of weft. */
type Event =
  | { readonly kind: 'edit' | 'run' | 'runs at once' | 'news on main' | 'delete the branch' }
  | { readonly kind: 'merge'; readonly how: 'merge' | 'squash' | 'rebase' }
  | { readonly kind: 'note on the branch' | 'remove a note from main' };

const some = (events: readonly Event[], maxLength: number): fc.Arbitrary<readonly Event[]> =>
  fc.array(fc.constantFrom(...events), { maxLength });

/** An edit with its pull request, which another user may extend and merge, and the later events. */
const ROUND: fc.Arbitrary<readonly Event[]> = fc
  .tuple(
    fc.constantFrom<Event>({ kind: 'run' }, { kind: 'runs at once' }),
    some([{ kind: 'note on the branch' }, { kind: 'news on main' }, { kind: 'edit' }, { kind: 'run' }], 3),
    fc.array(fc.record({ kind: fc.constant('merge' as const), how: fc.constantFrom('merge', 'squash', 'rebase') }), {
      maxLength: 1,
    }),
    some([{ kind: 'remove a note from main' }, { kind: 'news on main' }, { kind: 'note on the branch' }], 3),
    some([{ kind: 'delete the branch' }, { kind: 'run' }], 1),
  )
  .map(([run, before, merge, after, last]) => [{ kind: 'edit' }, run, ...before, ...merge, ...after, ...last]);

interface Model {
  version: number;
  events: number;
  /** Notes of another user on the branch, which main does not have yet. */
  readonly pending: Set<string>;
  readonly onMain: Set<string>;
}

type LawFake = RepositoryTools & Pick<FakeGitHub, 'violations' | 'unmet'>;

/** A forge of a fake, for as long as one example takes. */
type LentForge = (use: (fake: LawFake, forge: Forge) => Promise<void>) => Promise<void>;

/** The laws of proposals on any forge, for all events between two runs. */
export function proposalLaws(examples: number, lend: LentForge): void {
  law(
    'one pull request brings the manifests and what others added to it, and nothing that main has removed',
    examples,
    fc.asyncProperty(fc.array(ROUND, { minLength: 2, maxLength: 4 }), (rounds) =>
      lend(async (fake, forge) => {
        const model: Model = { version: 1, events: 0, pending: new Set(), onMain: new Set() };
        const wanted = () => ({ 'rome/a.yaml': `${model.version}`, [`milan/${model.version}.yaml`]: 'B' });
        const open = () => fake.pulls.filter((it) => it.state === 'open');

        const check = async (): Promise<void> => {
          expect(open().length).toBeLessThanOrEqual(1);
          const [pull] = open();
          const files = pull === undefined ? fake.filesAt('main') : fake.filesAfterMerge(pull.number);
          for (const [path, text] of Object.entries(committed(wanted())))
            expect([path, files.get(path)]).toEqual([path, text]);
          expect([...files.keys()].filter((it) => it.startsWith('out/')).sort()).toEqual(
            Object.keys(committed(wanted()))
              .filter((it) => it.startsWith('out/'))
              .sort(),
          );
          const notes = [...files.keys()].filter((it) => it.startsWith('note-')).sort();
          const expected = pull === undefined ? model.onMain : new Set([...model.pending, ...model.onMain]);
          expect(notes).toEqual([...expected].sort());
        };
        const runs = async (count: number): Promise<void> => {
          await Promise.all(Array.from({ length: count }, () => proposeManifests(forge, proposal(wanted()))));
          await check();
        };

        for (const event of rounds.flat()) {
          model.events += 1;
          const note = `note-${model.events}.md`;
          switch (event.kind) {
            case 'edit':
              model.version += 1;
              break;
            case 'run':
              await runs(1);
              break;
            case 'runs at once':
              await runs(2);
              break;
            case 'news on main':
              await fake.commit('main', { 'news.md': `${model.events}\n` });
              break;
            case 'note on the branch':
              if (fake.headOf(BRANCH) === null) break;
              await fake.commit(BRANCH, { [note]: 'mine\n' });
              model.pending.add(note);
              break;
            case 'remove a note from main': {
              const [first] = model.onMain;
              if (first === undefined) break;
              await fake.commit('main', { [first]: null });
              model.onMain.delete(first);
              break;
            }
            case 'delete the branch':
              if (fake.headOf(BRANCH) === null || open().length > 0) break;
              await fake.deleteBranch(BRANCH);
              model.pending.clear();
              break;
            case 'merge': {
              const [pull] = open();
              // The button is grey where the branch conflicts. A rebase leaves merges out and repeats what came before them:
              // weft could only prevent that by rewriting the commits of others.
              if (pull === undefined || !fake.canMerge(pull.number, event.how)) break;
              if (event.how === 'rebase' && fake.hasMerges(pull.number)) break;
              await fake.merge(pull.number, event.how);
              for (const it of model.pending) model.onMain.add(it);
              model.pending.clear();
            }
          }
        }
        await runs(1);
        expectNoViolations(fake);
      }),
    ),
  );
}
