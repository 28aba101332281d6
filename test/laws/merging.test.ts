import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Diagnostic } from '../../src/base/diagnostics/diagnostic.ts';
import type { RelockTarget } from '../../src/compile.ts';
import { ADDITIONS, addCluster, arbitraryEdit, CHANGES, type Fleet, REMOVALS } from './arbitrary-topology.ts';
import { compiled, decisionsIn, explained, tryCompile, undirected } from './compile-spec.ts';
import { arbitraryStory, type State, statesOf } from './history.ts';
import { law } from './law.ts';
import type { TopologySpec } from './topology-spec.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-merging-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Merged {
  /** With conflict markers, if there are conflicts. */
  readonly text: string;
  readonly conflicts: number;
}

/** The merge by git of two versions of a file with a common ancestor. */
function mergeFiles(base: string, ours: string, theirs: string): Merged {
  const paths = Object.entries({ ours, base, theirs }).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...paths], { encoding: 'utf8' });
  return { text: stdout, conflicts: status ?? -1 };
}

const withoutMarkers = (text: string): string => text.replace(/^(<<<<<<<|=======|>>>>>>>).*\n/gm, '');

function mergedSpec(base: TopologySpec, ours: TopologySpec, theirs: TopologySpec): TopologySpec {
  const links = (key: 'peerings' | 'shortcuts') => {
    const all = [...(ours[key] ?? []), ...(theirs[key] ?? []).slice(base[key]?.length ?? 0)];
    return all.length > 0 ? { [key]: all } : {};
  };
  return { ...base, clusters: { ...ours.clusters, ...theirs.clusters }, ...links('peerings'), ...links('shortcuts') };
}

function relockTargets(diagnostics: readonly Diagnostic[]): readonly RelockTarget[] {
  return diagnostics
    .filter((it) => it.severity === 'error')
    .map((it) => {
      expect(it.code).toBe('lock/contradiction');
      const named = /"weft compile --relock ([^/"]+)(?:\/([^"]+))?"/.exec(it.hint ?? '');
      expect(named, `a hint that names a relock: ${it.hint}`).not.toBeNull();
      return { cluster: named?.[1] as string, peer: named?.[2] ?? null };
    });
}

const isJoin = (key: string): boolean => key.split('/')[2] === 'join';

/** The decisions that a relock may change. */
function isRelocked(key: string, targets: readonly RelockTarget[]): boolean {
  const [first, second, what, decider] = key.split('/');
  return targets.some(({ cluster, peer }) => {
    if (what === undefined) return first === cluster && peer === null;
    return decider === cluster && (peer === null || peer === first || peer === second);
  });
}

interface Branches {
  readonly base: State;
  readonly ours: Fleet;
  readonly theirs: Fleet;
}

/** Names that are next to each other in the lock, where branches conflict, and distant names. */
const NEWCOMERS = [
  ['m1', 'm2'],
  ['0a', '0b'],
  ['zz1', 'zz2'],
  ['0a', 'zz2'],
] as const;

const arbitraryDrafts = fc.tuple(
  arbitraryStory([...ADDITIONS, ...REMOVALS, ...CHANGES], 2),
  arbitraryEdit(['add-cluster']),
  arbitraryEdit(['add-cluster']),
  fc.constantFrom(...NEWCOMERS),
  fc.boolean(),
);

type Drafts = typeof arbitraryDrafts extends fc.Arbitrary<infer T> ? T : never;

function branchesOf([story, one, other, [name, otherName], sameLinks]: Drafts): Branches {
  const base = statesOf(story).at(-1) as State;
  return {
    base,
    ours: addCluster(base.fleet, name, one),
    theirs: addCluster(base.fleet, otherName, sameLinks ? { ...other, links: one.links } : other),
  };
}

describe('two branches that each add a cluster', () => {
  law(
    'merge with one conflict at most, and the relocks in the hints resolve every contradiction',
    100,
    fc.property(arbitraryDrafts, (drafts) => {
      const { base, ours, theirs } = branchesOf(drafts);
      const before = base.decided.lock;
      fc.pre(!before.includes('{}'));
      const lockOfOurs = compiled(ours.spec, before, { only: [] }).lock;
      const lockOfTheirs = compiled(theirs.spec, before, { only: [] }).lock;
      const spec = mergedSpec(base.fleet.spec, ours.spec, theirs.spec);
      fc.pre(tryCompile(spec, undefined, { only: [] }).ok);
      const merged = mergeFiles(before, lockOfOurs, lockOfTheirs);
      expect(merged.conflicts, merged.text).toBeLessThanOrEqual(1);
      const lock = withoutMarkers(merged.text);
      expect(decisionsIn(lock).size).toBe(
        new Set([...decisionsIn(lockOfOurs).keys(), ...decisionsIn(lockOfTheirs).keys()]).size,
      );
      const targets: RelockTarget[] = [];
      let result = tryCompile(spec, lock, { only: [] });
      for (let round = 0; round < 5 && !result.ok; round++) {
        fc.pre(result.diagnostics.every((it) => it.severity !== 'error' || it.code === 'lock/contradiction'));
        targets.push(...relockTargets(result.diagnostics));
        result = tryCompile(spec, lock, { only: [], relock: targets });
      }
      fc.pre(result.diagnostics.every((it) => it.severity !== 'error' || it.code === 'lock/contradiction'));
      expect(result.ok).toBe(true);
      if (!result.ok) return;
      const now = undirected(result.value.lock);
      // A branch may name a port in its topology that weft assigned in the other: then the topology wins, with a warning.
      const excused = explained(lock, result.diagnostics);
      const gone = new Set(targets.filter((it) => it.peer === null).map((it) => it.cluster));
      expect([...excused].filter((it) => !it.includes('/port/'))).toEqual([]);
      for (const [key, value] of undirected(lock)) {
        if (isJoin(key) || isRelocked(key, targets) || excused.has(key)) continue;
        // The block that a cluster no longer uses is not in the model.
        const ofGone =
          now.get(key) === undefined &&
          gone.size > 0 &&
          /\/external\//.test(key) &&
          [...gone].some((it) => key.split('/').slice(0, 2).includes(it));
        if (!ofGone) expect(now.get(key), key).toBe(value);
      }
      const joins = [...now].filter(([key]) => isJoin(key));
      expect(new Set(joins.map(([, join]) => join)).size).toBe(joins.length);
      for (const [key, value] of undirected(before)) if (isJoin(key)) expect(now.get(key), key).toBe(value);
    }),
  );
});
