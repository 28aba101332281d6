import { expect } from 'vitest';
import { hunksOf } from '../../../src/answers/report/diff/hunks-of.ts';
import type { Compiled } from '../../../src/compile.ts';
import { type DiffRequest, diffFleet } from '../../../src/plan/diff/diff-fleet.ts';
import { type ClusterDiff, type FileDiff, type PartDiff, textOfLines } from '../../../src/plan/diff/file-diff.ts';
import type { Plan } from '../../../src/plan/plan-changes.ts';

type Side = Pick<Compiled, 'bundle' | 'lock'>;

/** The request for the diff of a plan, as `weft plan --diff` makes it. */
export const requestOf = (plan: Plan, before: Side, after: Side): DiffRequest => ({
  before: before.bundle,
  after: after.bundle,
  changes: plan.files,
  renames: plan.changes.flatMap((it) => (it.kind === 'cluster-renamed' ? [{ from: it.from, to: it.cluster }] : [])),
  lock: { path: 'topologies/topology.lock.yaml', ...plan.lock },
});

export const clustersOf = (request: DiffRequest): readonly ClusterDiff[] => [...diffFleet(request).clusters()];

/** Every file of both sides that a diff has, put together again from its parts; `null` where it is not there. */
export interface Rebuilt {
  readonly path: string;
  readonly formerPath: string;
  readonly old: string | null;
  readonly now: string | null;
}

export const rebuilt = (clusters: readonly ClusterDiff[]): readonly Rebuilt[] =>
  clusters.flatMap(({ files }) => files.map(rebuild));

function rebuild(file: FileDiff): Rebuilt {
  const { path, change } = file;
  const isYaml = /\.ya?ml$/.test(path) && file.fold !== 'lock';
  const join = (parts: readonly (readonly string[])[]): string => {
    if (!isYaml) return textOfLines(parts.flat());
    const [header = [], ...documents] = parts;
    return textOfLines([...header, ...documents.flatMap((it, i) => (i === 0 ? it : ['---', ...it]))]);
  };
  // An object that comes from another file has the lines of that one on its old side.
  const olds = file.parts.filter((it) => it.old !== null && !(it.otherFile !== null && it.now !== null));
  const sorted = [...olds].sort(
    (a, b) => (a.old?.start ?? 0) - (b.old?.start ?? 0) || (a.old?.end ?? 0) - (b.old?.end ?? 0),
  );
  return {
    path,
    formerPath: file.formerPath ?? path,
    old: change === 'add' ? null : join(sorted.map((it) => it.old?.of.slice(it.old.start, it.old.end) ?? [])),
    // Not read from the new side: the edits are applied to the old one.
    now: change === 'remove' ? null : join(file.parts.filter((it) => it.now !== null).map(applyEdits)),
  };
}

/** The new lines of a part, from its old ones and its edits. */
function applyEdits({ old, now, edits }: PartDiff): readonly string[] {
  const lines: string[] = [];
  let at = old?.start ?? 0;
  for (const it of edits) {
    lines.push(...(old?.of.slice(at, it.oldStart) ?? []), ...(now?.of.slice(it.newStart, it.newEnd) ?? []));
    at = it.oldEnd;
  }
  return [...lines, ...(old?.of.slice(at, old.end) ?? [])];
}

/** The required content of the diff, from the two sides themselves. */
export function expectedFiles({ before, after, changes, lock }: DiffRequest): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { path, change } of changes) {
    if (change !== 'add') texts.set(`old ${path}`, before.get(path) ?? '(none)');
    if (change !== 'remove') texts.set(`new ${path}`, after.get(path) ?? '(none)');
  }
  if (lock.before !== lock.after) {
    if (lock.before !== null) texts.set(`old ${lock.path}`, lock.before);
    if (lock.after !== null) texts.set(`new ${lock.path}`, lock.after);
  }
  return new Map([...texts].sort());
}

export const filesIn = (clusters: readonly ClusterDiff[]): ReadonlyMap<string, string> =>
  new Map(
    rebuilt(clusters)
      .flatMap((it): readonly (readonly [string, string])[] => [
        ...(it.old === null ? [] : [[`old ${it.formerPath}`, it.old] as const]),
        ...(it.now === null ? [] : [[`new ${it.path}`, it.now] as const]),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The old files with the edits of a diff are the new ones, no file is missing, and every edit is in one hunk. */
export function expectWholeDiff(plan: Plan, before: Side, after: Side): void {
  const request = requestOf(plan, before, after);
  const clusters = clustersOf(request);
  expect(filesIn(clusters)).toEqual(expectedFiles(request));
  for (const file of clusters.flatMap((it) => it.files)) {
    const edits = file.parts.flatMap((it) => it.edits);
    const hunks = [...hunksOf(file)];
    expect(sum(hunks.map((it) => it.removed))).toBe(sum(edits.map((it) => it.oldEnd - it.oldStart)));
    expect(sum(hunks.map((it) => it.added))).toBe(sum(edits.map((it) => it.newEnd - it.newStart)));
    for (const hunk of hunks) {
      const signs = [...hunk.lines()].map((it) => it.sign);
      expect(signs.filter((it) => it === '-')).toHaveLength(hunk.removed);
      expect(signs.filter((it) => it === '+')).toHaveLength(hunk.added);
      const [, old, now] = /^@@ -\d+,(\d+) \+\d+,(\d+) @@/.exec(hunk.title) ?? [];
      expect(signs.filter((it) => it !== '+')).toHaveLength(Number(old));
      expect(signs.filter((it) => it !== '-')).toHaveLength(Number(now));
    }
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
