import { cpSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../../src/host/disk/tree/bundle-record.ts';
import { compareTree } from '../../../../src/host/disk/tree/inspect-tree.ts';
import type { ThreadUse } from '../../../../src/host/disk/tree/staging-thread.ts';
import { foldersOver, topOf } from '../../../../src/host/disk/tree/tree-path.ts';
import { writeTree } from '../../../../src/host/disk/tree/write-tree.ts';
import { runsOf } from '../../../support/drawn.ts';
import { filesOf, putFiles, readTree, recordedPaths, STAGING_THREAD, withFolder } from './temp-folder.ts';

type Files = Readonly<Record<string, string>>;

const segment = fc.constantFrom('a', 'b', 'c');
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((it) => it.join('/'));
const text = fc.constantFrom('one\n', 'two\n', 'six\n', 'longer than the others\n', '');

/** Files of which none is the folder of another. */
const files: fc.Arbitrary<Files> = fc
  .dictionary(path, text, { maxKeys: 8, noNullPrototype: true })
  .map((all) =>
    Object.fromEntries(Object.entries(all).filter(([it]) => !foldersOver(it).some((folder) => folder in all))),
  );

const scope = fc.option(fc.uniqueArray(segment, { minLength: 1, maxLength: 2 }), { nil: null, freq: 2 });

type Act =
  | { readonly kind: 'write'; readonly files: Files; readonly scope: readonly string[] | null }
  | { readonly kind: 'put'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), files, scope }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('put' as const), path, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
);

/** A model of the tree: files on disk, and the files of weft. */
interface Model {
  readonly disk: Map<string, string>;
  readonly record: Map<string, string>;
}

interface Outcome {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly keptEdited: readonly string[];
}

const within = (act: Extract<Act, { kind: 'write' }>): Files =>
  Object.fromEntries(Object.entries(act.files).filter(([it]) => act.scope === null || act.scope.includes(topOf(it))));

/** The lists of a result, or `refused`; the model is changed only when it is not refused. */
function modelWrite(model: Model, wanted: Files, scope: readonly string[] | null): Outcome | 'refused' {
  const covered = (it: string) => scope === null || scope.includes(topOf(it));
  const stale = [...model.record].filter(([it]) => covered(it) && !(it in wanted));
  const removed = stale.filter(([it, written]) => model.disk.get(it) === written).map(([it]) => it);
  const keptEdited = stale.map(([it]) => it).filter((it) => model.disk.has(it) && !removed.includes(it));
  const left = new Map([...model.disk].filter(([it]) => !removed.includes(it)));
  for (const [it, text] of Object.entries(wanted)) {
    if (left.has(it) && left.get(it) !== text && !model.record.has(it)) return 'refused';
    if (foldersOver(it).some((folder) => left.has(folder))) return 'refused';
    if ([...left.keys()].some((other) => other.startsWith(`${it}/`))) return 'refused';
  }
  const differing = Object.keys(wanted).filter((it) => left.get(it) !== wanted[it]);
  const created = differing.filter((it) => !left.has(it));
  const changed = differing.filter((it) => left.has(it));
  for (const it of removed) model.disk.delete(it);
  for (const it of model.record.keys()) if (covered(it)) model.record.delete(it);
  for (const [it, text] of Object.entries(wanted)) {
    model.disk.set(it, text);
    model.record.set(it, text);
  }
  return { created: created.sort(), changed: changed.sort(), removed: removed.sort(), keptEdited: keptEdited.sort() };
}

function putByHand(root: string, model: Model, it: Extract<Act, { kind: 'put' }>): void {
  const clashes = [...model.disk.keys()].some(
    (other) => other.startsWith(`${it.path}/`) || it.path.startsWith(`${other}/`),
  );
  if (clashes) return;
  putFiles(root, { [it.path]: it.text });
  model.disk.set(it.path, it.text);
}

function deleteByHand(root: string, model: Model, path: string): void {
  if (!model.disk.delete(path)) return;
  rmSync(join(root, path));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    if ([...model.disk.keys()].some((it) => it.startsWith(`${folder}/`))) break;
    rmdirSync(join(root, folder));
  }
}

const inodes = (root: string, paths: Iterable<string>) => [...paths].map((it) => [it, statSync(join(root, it)).ino]);

const sorted = (all: Iterable<readonly [string, string]>) =>
  Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));

async function writeAndCheck(
  root: string,
  model: Model,
  { act, thread }: { readonly act: Extract<Act, { kind: 'write' }>; readonly thread: ThreadUse | null },
): Promise<void> {
  const wanted = within(act);
  const request = { root, files: new Map(Object.entries(wanted)), scope: act.scope, lockFile: null };
  const before = readTree(root);
  const untouched = [...model.disk].filter(([it, text]) => wanted[it] === text || !(it in wanted)).map(([it]) => it);
  const oldInodes = inodes(root, untouched);
  const expected = modelWrite(model, wanted, act.scope);
  const compared = await compareTree(request);
  expect(readTree(root)).toEqual(before);
  const result = await writeTree(request, { waitMilliseconds: 0, thread });
  if (expected === 'refused') {
    expect([compared.kind, result.kind]).toEqual(['refused', 'refused']);
    expect(readTree(root)).toEqual(before);
    return;
  }
  expect(compared).toMatchObject({ kind: 'compared', ...expected });
  expect(result).toMatchObject({ kind: 'written', ...expected });
  expectTree(root, model);
  expect(
    inodes(
      root,
      untouched.filter((it) => model.disk.has(it)),
    ),
  ).toEqual(oldInodes.filter(([it]) => model.disk.has(String(it))));
  const after = readTree(root);
  expect(await compareTree(request)).toMatchObject({ kind: 'compared', isCurrent: true });
  expect(await writeTree(request, { waitMilliseconds: 0, thread })).toMatchObject({
    created: [],
    changed: [],
    removed: [],
    keptEdited: [],
  });
  expect(readTree(root)).toEqual(after);
}

/** Disk and record are those of the model, and no empty folder and nothing of a run is left. */
function expectTree(root: string, model: Model): void {
  const tree = readTree(root);
  expect(filesOf(tree)).toEqual(sorted(model.disk));
  expect(recordedPaths(root)).toEqual(Object.keys(sorted(model.record)));
  const folders = new Set([...model.disk.keys()].flatMap(foldersOver));
  expect(
    Object.keys(tree)
      .filter((it) => it.endsWith('/') && it !== '.weft/')
      .sort(),
  ).toEqual([...folders].map((it) => `${it}/`).sort());
  expect(Object.keys(tree).filter((it) => /^\.weft\/./.test(it) && !isRecord(it))).toEqual([]);
}

describe.each([
  ['in one thread', null, 1],
  ['while another thread stages new folders', STAGING_THREAD, 1 / 4],
] as const)('laws of writing a tree %s', (_, thread, share) => {
  it('whatever was written, edited and deleted before: the disk is what the rules say, and writing twice changes nothing', () =>
    fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 6 }), (acts) =>
        withFolder(async (root) => {
          const model: Model = { disk: new Map(), record: new Map() };
          for (const it of acts) {
            if (it.kind === 'put') putByHand(root, model, it);
            else if (it.kind === 'delete') deleteByHand(root, model, it.path);
            else await writeAndCheck(root, model, { act: it, thread });
          }
        }),
      ),
      { numRuns: runsOf(100 * share, 32 * share) },
    ));

  it('killed twice, anywhere, over other trees and scopes: the next full run gives what an uninterrupted one would', () =>
    fc.assert(
      fc.asyncProperty(files, fc.tuple(files, scope), fc.tuple(files, scope), files, fc.nat(), fc.nat(), (...given) =>
        withFolder(async (folder) => {
          const [first, second, third, last, stopSecond, stopThird] = given;
          const foreign = { 'mine.txt': 'mine\n', 'd/mine.txt': 'mine\n' };
          const roots = ['0', '1', '2'].map((it) => join(folder, it)) as [string, string, string];
          putFiles(roots[0], foreign);
          const options = { waitMilliseconds: 0, thread };
          await writeTree(
            { root: roots[0], files: new Map(Object.entries(first)), scope: null, lockFile: null },
            options,
          );
          await snapshotAt([roots[0], roots[1]], second, { stop: stopSecond, thread });
          expectWhole(roots[1], [first, second[0], foreign]);
          await snapshotAt([roots[1], roots[2]], third, { stop: stopThird, thread });
          expectWhole(roots[2], [first, second[0], third[0], foreign]);
          const request = { root: roots[2], files: new Map(Object.entries(last)), scope: null, lockFile: null };
          expect(await writeTree(request, options)).toMatchObject({ kind: 'written', keptEdited: [] });
          const model = {
            disk: new Map(Object.entries({ ...foreign, ...last })),
            record: new Map(Object.entries(last)),
          };
          expectTree(roots[2], model);
        }),
      ),
      { numRuns: runsOf(60 * share, 20 * share) },
    ));
});

/** Every file holds all of one of its texts. */
function expectWhole(root: string, texts: readonly Files[]): void {
  for (const [path, text] of Object.entries(filesOf(readTree(root))))
    expect(texts.map((it) => it[path])).toContain(text);
}

/** Writes a tree, and leaves in `to` what a kill at one of the steps would have left; which one, `stop` says. */
async function snapshotAt(
  [root, to]: readonly [string, string],
  [files, scope]: readonly [Files, readonly string[] | null],
  { stop, thread }: { readonly stop: number; readonly thread: ThreadUse | null },
) {
  const request = {
    root,
    files: new Map(Object.entries(within({ kind: 'write', files, scope }))),
    scope,
    lockFile: null,
  };
  const probe = `${root}-probe`;
  cpSync(root, probe, { recursive: true });
  let steps = 0;
  await writeTree({ ...request, root: probe }, { waitMilliseconds: 0, thread, onStep: () => steps++ });
  let step = 0;
  mkdirSync(to);
  const onStep = () => {
    if (step++ === stop % steps) cpSync(root, to, { recursive: true });
  };
  const result = await writeTree(request, { waitMilliseconds: 0, thread, onStep });
  expect(result.kind).toBe('written');
}
