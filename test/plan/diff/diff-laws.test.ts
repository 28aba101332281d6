import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hunksOf } from '../../../src/answers/report/diff/hunks-of.ts';
import { parseBundlePath } from '../../../src/base/core/bundle-path.ts';
import { inFolders } from '../../../src/base/core/folder-files.ts';
import { sameDocuments } from '../../../src/base/source/read-yaml-documents.ts';
import type { ClusterDiff } from '../../../src/plan/diff/file-diff.ts';
import { splitDocuments } from '../../../src/plan/diff/pairs.ts';
import { law } from '../../laws/law.ts';
import { planOf } from '../../support/plan-of.ts';
import { EDITS } from '../edits.ts';
import { runEdit } from '../run-edit.ts';
import { clustersOf, filesIn, requestOf } from './diff-between.ts';

const runs = new Map(EDITS.map((edit) => [edit.name, edit]));
const runOf = (name: string) => {
  const edit = runs.get(name);
  if (edit === undefined) throw new Error(`there is no edit ${name}`);
  return runEdit(edit);
};

/** The lines with one sign that are open, and those that are folded away. */
function linesIn(clusters: readonly ClusterDiff[]) {
  const lines = { open: [] as string[], folded: [] as string[] };
  for (const file of clusters.flatMap((it) => it.files)) {
    for (const hunk of hunksOf(file)) {
      for (const { sign, text } of hunk.lines()) {
        if (sign !== ' ') lines[hunk.fold === null ? 'open' : 'folded'].push(`${file.path} ${sign}${text}`);
      }
    }
  }
  return lines;
}

describe('the diff of an edit', () => {
  it('is about clusters by name, and then about the whole fleet', () => {
    const { plan, before, after } = runOf('change-a-pod-cidr');
    expect(clustersOf(requestOf(plan, before, after)).map((it) => it.cluster)).toEqual([...['europe', 'oslo'], null]);
  });

  it('follows a renamed cluster to its new folder, and its objects to their new names', () => {
    const { plan, before, after } = runOf('rename-a-cluster');
    const clusters = clustersOf(requestOf(plan, before, after));
    const renamed = clusters.filter((it) => it.change === 'rename');
    expect(renamed).toHaveLength(1);
    expect(renamed[0]?.files.filter((it) => it.formerPath === null)).toEqual([]);
    const files = clusters.flatMap((it) => it.files);
    expect(files.filter((it) => it.change !== 'change').map((it) => it.path)).toEqual([]);
    const objects = files.flatMap((it) => it.parts).filter((it) => it.old === null || it.now === null);
    expect(objects).toEqual([]);
  });

  it('says of a cluster that is new, or gone', () => {
    const added = runOf('add-a-leaf');
    const come = clustersOf(requestOf(added.plan, added.before, added.after));
    expect(come.filter((it) => it.change === 'add')).toHaveLength(1);
    const removed = runOf('take-out-a-retired-leaf');
    const gone = clustersOf(requestOf(removed.plan, removed.before, removed.after));
    expect(gone.filter((it) => it.change === 'remove')).toHaveLength(1);
  });
});

describe('what is folded away', () => {
  const { before } = runOf('nothing-changes');
  const texts = new Map(before.bundle);
  const paths = [...texts.keys()];
  const NOT_READ = new Set(['addresses', 'expected', 'gateway-rules', 'node-rules']);
  const isRead = (path: string): boolean => !NOT_READ.has(parseBundlePath(path)?.part ?? '');

  /** The diff between what was compiled and the same with other texts. */
  function diffWith(changed: ReadonlyMap<string, string>): readonly ClusterDiff[] {
    const head = new Map([...texts, ...changed]);
    const base = { files: before.bundle, lock: before.lock, known: null };
    const plan = planOf({ base, head: { ...base, files: inFolders(head) } });
    return clustersOf(requestOf(plan, before, { bundle: inFolders(head), lock: before.lock }));
  }

  law(
    'hides no edit of a line in a file that a reviewer reads, wherever it is and whatever is folded around it',
    300,
    fc.property(fc.nat(), fc.nat(), fc.constantFrom('x', ' # ok', '-', '"'), (file, place, more) => {
      const read = paths.filter(isRead);
      const path = read[file % read.length] as string;
      const lines = (texts.get(path) as string).split('\n');
      const at = place % (lines.length - 1);
      const edited = [...lines];
      edited[at] = `${lines[at]}${more}`;
      // Everywhere else, only headers and ignored files change.
      const others = paths
        .filter((it) => it !== path)
        .map((it) => [it, (texts.get(it) as string).replace('topology.yaml', 'fleet.yaml')] as const);
      const text = edited.join('\n');
      const { open, folded } = linesIn(diffWith(new Map([...others, [path, text]])));
      const is = (lines: readonly string[]): boolean =>
        lines.some((it) => it.startsWith(`${path} +`) && it.endsWith(more));
      // A comment changes no object.
      const isLayout = sameDocuments({ path, text: texts.get(path) as string }, { path, text });
      expect([is(open), is(folded)]).toEqual([!isLayout, isLayout]);
    }),
  );

  it('is the header, where only the name of the topology changes', () => {
    const renamed = new Map(paths.map((it) => [it, (texts.get(it) as string).replace('topology.yaml', 'fleet.yaml')]));
    const { open, folded } = linesIn(diffWith(renamed));
    expect(open).toEqual([]);
    expect(folded.length).toBeGreaterThan(50);
  });

  it.each([
    ['rome/kustomization.yaml', '  - peers/europe\n', '  - peers/europe\n  - ../oslo\n'],
    ['rome/kustomization.yaml', '  - peers/europe\n', ''],
    ['rome/kustomization.yaml', '  - peers/europe\n', '  - peers/europe\n  - https://evil.example/all.yaml\n'],
    ['rome/kustomization.yaml', '  - peers/europe\n', '  - peers/europe\n  - "../oslo"\n'],
    ['rome/peers/europe/kustomization.yaml', '  - europe.yaml\n', '  - europe.yaml\n  - kustomization.yaml\n'],
  ])('is no entry of %s whose file does not come or go with it', (path, from, to) => {
    const text = texts.get(path) as string;
    expect(text).toContain(from);
    expect(linesIn(diffWith(new Map([[path, text.replace(from, to)]]))).open).not.toEqual([]);
  });

  it('is an entry whose folder is new', () => {
    const { plan, before: was, after } = runOf('add-a-leaf');
    const { open, folded } = linesIn(clustersOf(requestOf(plan, was, after)));
    expect(folded.filter((it) => it.startsWith('europe/kustomization.yaml'))).toHaveLength(1);
    expect(open.filter((it) => it.startsWith('europe/kustomization.yaml'))).toEqual([]);
  });

  it('is an entry of the list for Flux, which is beside the folders of its entries', () => {
    const list = 'rome/unordered/kustomization.yaml';
    const [was, is] = [
      'resources:\n  - "../peers/europe"\n',
      'resources:\n  - "../peers/europe"\n  - "../peers/oslo"\n',
    ];
    const side = (...files: readonly (readonly [string, string])[]) => inFolders(new Map(files));
    const europe = ['rome/peers/europe/europe.yaml', 'a: 1\n'] as const;
    const oslo = ['rome/peers/oslo/oslo.yaml', 'a: 1\n'] as const;
    const changes = [
      { path: oslo[0], change: 'add' as const },
      { path: list, change: 'change' as const },
    ];
    const diff = (after: ReturnType<typeof side>, changed: typeof changes) =>
      linesIn(
        clustersOf({
          ...{ before: side(europe, [list, was]), after, changes: changed, renames: [] },
          lock: { path: 'l', before: null, after: null },
        }),
      );
    const row = `${list} +  - "../peers/oslo"`;
    expect(diff(side(europe, oslo, [list, is]), changes).folded).toEqual([row]);
    expect(diff(side(europe, [list, is]), changes.slice(1)).open).toEqual([row]);
  });

  it('is no edit that is close to one which has to be read', () => {
    const list = 'rome/kustomization.yaml';
    const side = (resources: string, ...files: readonly string[]) =>
      inFolders(new Map([[list, `resources:\n${resources}`], ...files.map((it) => [it, 'a: 1\n'] as const)]));
    const [europe, berlin] = ['rome/peers/europe/europe.yaml', 'rome/peers/berlin/berlin.yaml'];
    const clusters = clustersOf({
      before: side('  - peers/europe\n', europe),
      after: side('  - peers/berlin\n  - peers/europe\n  - ../milan\n', europe, berlin),
      changes: [
        { path: list, change: 'change' },
        { path: berlin, change: 'add' },
      ],
      ...{ renames: [], lock: { path: 'l', before: null, after: null } },
    });
    const { open } = linesIn(clusters);
    expect(open).toContain(`${list} +  - ../milan`);
    expect(open).toContain(`${list} +  - peers/berlin`);
  });

  it('is no file that weft does not write', () => {
    const { open } = linesIn(diffWith(new Map([['rome/expected/mine.yaml', 'a: 1\n']])));
    expect(open).toEqual(['rome/expected/mine.yaml +a: 1']);
  });
});

describe('objects of a file', () => {
  const NAMES = ['kind: A', 'kind: B', 'metadata:', '  name: x', '  namespace: y', '---', '# c', 'a: 1', ''];

  law(
    'and its header have every line of it, but for the lines between two of them',
    1_000,
    fc.property(fc.array(fc.constantFrom(...NAMES), { maxLength: 20 }), (lines) => {
      const { headerEnd, documents } = splitDocuments(lines);
      const parts = documents.map((it) => lines.slice(it.start, it.end));
      const joined = parts.flatMap((it, i) => (i === 0 ? it : ['---', ...it]));
      expect([...lines.slice(0, headerEnd), ...joined]).toEqual(lines);
    }),
  );

  const object = (name: string, value: string): string =>
    `apiVersion: v1\nkind: Thing\nmetadata:\n  name: ${name}\nvalue: ${value}\n`;
  const diffOf = (was: Readonly<Record<string, string>>, is: Readonly<Record<string, string>>) => {
    const paths = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
    const changes = paths
      .filter((it) => was[it] !== is[it])
      .map((path) => ({
        path,
        change:
          was[path] === undefined
            ? ('add' as const)
            : is[path] === undefined
              ? ('remove' as const)
              : ('change' as const),
      }));
    const sides = { before: inFolders(new Map(Object.entries(was))), after: inFolders(new Map(Object.entries(is))) };
    return clustersOf({ ...sides, changes, renames: [], lock: { path: 'l', before: null, after: null } });
  };

  it('are compared with themselves where they move in their file', () => {
    const [a, b, c] = [object('a', '1'), object('b', '1'), object('c', '1')];
    const clusters = diffOf(
      { 'rome/x.yaml': [a, b, c].join('---\n') },
      { 'rome/x.yaml': [c, a, b.replace('value: 1', 'value: 2')].join('---\n') },
    );
    expect(linesIn(clusters).open).toEqual(['rome/x.yaml -value: 1', 'rome/x.yaml +value: 2']);
    expect(clusters[0]?.files[0]?.isReordered).toBe(true);
  });

  it('are compared with themselves where they move to another file', () => {
    const [a, b] = [object('a', '1'), object('b', '1')];
    const clusters = diffOf(
      { 'rome/x.yaml': [a, b].join('---\n') },
      { 'rome/x.yaml': a, 'rome/y.yaml': b.replace('value: 1', 'value: 2') },
    );
    expect(linesIn(clusters).open).toEqual(['rome/y.yaml -value: 1', 'rome/y.yaml +value: 2']);
    const moved = clusters
      .flatMap((it) => it.files)
      .flatMap((it) => it.parts.filter((part) => part.otherFile !== null));
    expect(moved.map((it) => [it.object, it.otherFile])).toEqual([
      ['Thing b', 'rome/y.yaml'],
      ['Thing b', 'rome/x.yaml'],
    ]);
  });

  it('are one where the only object of its kind gets another name', () => {
    const clusters = diffOf({ 'rome/x.yaml': object('a', '1') }, { 'rome/x.yaml': object('b', '1') });
    expect(linesIn(clusters).open).toEqual(['rome/x.yaml -  name: a', 'rome/x.yaml +  name: b']);
  });

  law(
    'lose no line, whatever moves where',
    500,
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('1', '2')), { maxLength: 6 }),
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('1', '2')), { maxLength: 6 }),
      fc.nat(6),
      fc.nat(6),
      (was, is, cut, otherCut) => {
        const sideOf = (list: typeof was, at: number) => ({
          'rome/x.yaml': list
            .slice(0, at)
            .map((it) => object(...it))
            .join('---\n'),
          'rome/y.yaml': list
            .slice(at)
            .map((it) => object(...it))
            .join('---\n'),
        });
        const [old, now] = [sideOf(was, cut), sideOf(is, otherCut)];
        const files = filesIn(diffOf(old, now));
        for (const path of ['rome/x.yaml', 'rome/y.yaml'] as const) {
          if (old[path] === now[path]) continue;
          expect(files.get(`old ${path}`)).toBe(old[path]);
          expect(files.get(`new ${path}`)).toBe(now[path]);
        }
      },
    ),
  );
});
