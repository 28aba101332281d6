import { describe, expect, it } from 'vitest';
import { gitAttributes } from '../../src/host/app/start-fleet.ts';
import { drawn, nightly } from '../support/drawn.ts';
import { fleetRepository, type Merged } from './merge-in-git.ts';
import {
  BASE,
  type FleetTexts,
  NEIGHBOURS,
  PAIRS,
  type Pair,
  SAME_VIEW,
  SHARED_BASE,
  SHARING_PAIRS,
} from './parallel-edits.ts';

/** The number of conflicting files, and the result of `weft compile` after a merge without conflicts. */
async function mergeAll(
  attributes: string | null,
  pairs: readonly Pair[],
  base: FleetTexts = BASE,
): Promise<ReadonlyMap<string, Merged>> {
  const merge = await fleetRepository(base, attributes, base === SHARED_BASE);
  const merged = new Map<string, Merged>();
  for (const it of pairs) merged.set(it.name, await merge(it));
  return merged;
}

const conflictsOf = (merged: ReadonlyMap<string, Merged>) =>
  Object.fromEntries([...merged].flatMap(([name, { conflicts }]) => (conflicts.length > 0 ? [[name, conflicts]] : [])));

/** Every merge without a conflict is repaired by one compile, which `compile --check --frozen-lock` confirms. */
function expectRepaired(merged: ReadonlyMap<string, Merged>): void {
  for (const [name, it] of merged)
    if (it.conflicts.length === 0) expect({ name, ...it }).toMatchObject({ name, compiled: 0, checked: 0 });
}

/** Those that change most files next to each other, and those whose merge needs a compile. */
const isUnlikeOthers = ({ name }: Pair): boolean =>
  [
    CONTRADICTION,
    'rename / add',
    'key / key',
    'remove / remove a neighbour',
    'loan / remove a provider',
    'namespace / namespace',
  ].includes(name);

const CONTRADICTION = 'renumber / renumber the same';

describe('two branches with edits of one fleet, each compiled, merged by git', () => {
  it('conflict only where the edits contradict each other', async () => {
    const merged = await mergeAll(gitAttributes(), drawn(PAIRS, isUnlikeOthers));
    expectRepaired(merged);
    expect(Object.keys(conflictsOf(merged))).toEqual([CONTRADICTION]);
    expect(conflictsOf(merged)[CONTRADICTION]).toContain('topologies/topology.yaml');
  });

  nightly('conflict without attributes, as on GitHub, also at the end of one order', async () => {
    const merged = await mergeAll(null, PAIRS);
    expectRepaired(merged);
    const { [CONTRADICTION]: _, ...others } = conflictsOf(merged);
    // A renamed cluster replaces another one: it joins last, and so do its neighbours in the order of apply.
    expect(others).toEqual({
      'add / add': ['out/addresses.json'],
      'rename / add': ['out/addresses.json'],
    });
  });

  it('conflict with the attributes in no generated file, even if they edit neighbours in every list', async () => {
    const merged = await mergeAll(gitAttributes(), drawn(NEIGHBOURS, isUnlikeOthers));
    for (const { conflicts } of merged.values())
      expect(conflicts.filter((it) => !/topology(\.keys)?\.yaml$/.test(it))).toEqual([]);
    expectRepaired(merged);
  });

  it('conflict nowhere if both share more resources and make the keys for that', async () => {
    const merged = await mergeAll(gitAttributes(), drawn(SHARING_PAIRS, isUnlikeOthers), SHARED_BASE);
    expectRepaired(merged);
    expect(conflictsOf(merged)).toEqual({});
  });

  nightly('conflict in one record if both share more resources, without attributes', async () => {
    const merged = await mergeAll(null, SHARING_PAIRS, SHARED_BASE);
    expectRepaired(merged);
    // A namespace that every provider takes: git merges its file, but not the two hashes of it.
    const record = ['out/.weft/europe.sha256'];
    expect(conflictsOf(merged)).toEqual({
      'loan / loan of the same consumer': record,
      'loan / namespace': record,
      'loan / remove a provider': record,
    });
  });

  it('never decide two things twice in silence: git merges the locks, and weft names the command for the contradiction', async () => {
    const merged = (await mergeAll(gitAttributes(), [SAME_VIEW])).get(SAME_VIEW.name);
    expect(merged).toMatchObject({ conflicts: [], compiled: 1, checked: 1 });
    expect(merged?.stderr).toMatch(/error lock\/contradiction: in the lock file "europe" sees both .*"quito".*"dakar"/);
    expect(merged?.stderr).toMatch(/hint: .*weft compile --relock europe\/(dakar|quito)/);
  });
});
