import { chmodSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTree } from '../../../../src/host/disk/tree/write-tree.ts';
import { runsOf } from '../../../support/drawn.ts';
import { makeRunner, type Runner } from './run-runner.ts';
import { filesOf, putFiles, readTree, withFolder, writtenTree } from './temp-folder.ts';

type Files = Readonly<Record<string, string>>;

let runner: Runner;
beforeAll(async () => {
  runner = await makeRunner();
});
afterAll(() => runner.close());

const many = (count: number, text: (i: number) => string, prefix = 'c'): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i % 10}/peers/p${i}.yaml`, text(i)]));

/** Every kind of change: kept, changed, new and stale files, stale folders, a file that becomes a folder and back. */
const BEFORE: Files = {
  ...many(30, (i) => `old ${i}\n`),
  ...many(8, () => 'gone\n', 'gone/'),
  turn: 'file\n',
  'back/a': 'x\n',
};
const AFTER: Files = {
  ...many(30, (i) => (i % 3 === 0 ? `old ${i}\n` : `new ${i}\n`.repeat(i * 200))),
  ...many(8, () => 'fresh\n', 'fresh/'),
  'turn/into/folder': 'y\n',
  back: 'file\n',
};
const FOREIGN: Files = { 'README.md': 'mine\n', 'gone/notes.txt': 'mine\n' };

/** The files on disk after `files` replaced `BEFORE`, with the files of other users. */
const expected = (files: Files): Files => ({ ...writtenTree(files), ...FOREIGN, 'gone/': '' });

interface Place {
  readonly root: string;
  readonly lock: string;
}

async function prepare(folder: string): Promise<Place> {
  const place = { root: join(folder, 'out'), lock: join(folder, 'topology.lock.yaml') };
  putFiles(place.root, FOREIGN);
  await write(place, BEFORE, 'old lock\n');
  return place;
}

const write = ({ root, lock }: Place, files: Files, text: string) =>
  writeTree(
    { root, files: new Map(Object.entries(files)), scope: null, lockFile: { path: lock, text } },
    { waitMilliseconds: 0 },
  );

/** Nothing is half-written: every file is that of before or that of after, and foreign files are as they were. */
function expectWhole({ root, lock }: Place, before: Files, after: Files): void {
  for (const [path, text] of Object.entries(filesOf(readTree(root))))
    expect([before[path], after[path], FOREIGN[path]], path).toContain(text);
  for (const [path, text] of Object.entries(before))
    if (after[path] === text) expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  expect(['old lock\n', 'new lock\n']).toContain(readFileSync(lock, 'utf8'));
}

/** One more run gives what an uninterrupted one would have given: the tree, `.weft`, and what lies beside the lock. */
async function expectHealed(folder: string, place: Place, files: Files): Promise<void> {
  expect((await write(place, files, 'new lock\n')).kind).toBe('written');
  expect(readTree(place.root)).toEqual(expected(files));
  expect(Object.keys(readTree(folder)).filter((it) => !it.startsWith('out/'))).toEqual(['topology.lock.yaml']);
  expect(readFileSync(place.lock, 'utf8')).toBe('new lock\n');
}

const STEPS = [
  'process lock taken',
  'file staged',
  'inspected',
  'leftovers swept',
  'lock file staged',
  'journal written',
  'lock file written',
  'file removed',
  'folder removed',
  'folders made',
  'folder placed',
  'file placed',
  'record written',
  'journal settled',
  'staging removed',
  'process lock released',
];

describe('kill -9 while a tree is written', () => {
  it('knows every step of a run', () =>
    withFolder(async (folder) => {
      const place = await prepare(folder);
      const seen = new Set<string>();
      await writeTree(
        {
          root: place.root,
          files: new Map(Object.entries(AFTER)),
          scope: null,
          lockFile: { path: place.lock, text: 'new lock\n' },
        },
        { onStep: (step) => seen.add(step) },
      );
      expect([...seen]).toEqual(STEPS);
      expect(readTree(place.root)).toEqual(expected(AFTER));
    }));

  it('at each step leaves whole files, and the next run finishes the work without waiting', () =>
    withFolder(async (template) => {
      await prepare(template);
      const points = STEPS.flatMap((step) => (/^fi/.test(step) ? [1, 7] : [1]).map((count) => ({ step, count })));
      for (const kill of points) {
        await withFolder(async (folder) => {
          cpSync(template, folder, { recursive: true });
          const place = { root: join(folder, 'out'), lock: join(folder, 'topology.lock.yaml') };
          const lockFile = { path: place.lock, text: 'new lock\n' };
          const ran = await runner.start({ root: place.root, files: AFTER, scope: null, lockFile, kill }).ended;
          expect(ran, kill.step).toEqual({ status: 'SIGKILL', output: '', errors: '' });
          expectWhole(place, BEFORE, AFTER);
          await expectHealed(folder, place, AFTER);
        });
      }
    }));

  it('at moments spread over a run of some hundred files leaves whole files, too', () =>
    withFolder(async (folder) => {
      const trees = [
        { ...many(100, (i) => `old ${i}\n`.repeat(100)), ...many(60, () => 'fresh\n', 'fresh/') },
        { ...many(100, (i) => `new ${i}\n`.repeat(150)), ...many(60, () => 'other\n', 'other/') },
      ] as const;
      const place = { root: join(folder, 'out'), lock: join(folder, 'topology.lock.yaml') };
      await write(place, trees[0], 'lock 0\n');
      let span = (await killAfter(place, trees[1], 'lock 1\n', null)).milliseconds;
      const endings: unknown[] = [];
      const moments = runsOf(40, 8);
      for (let moment = 0; moment < moments; moment++) {
        const [next, other] = moment % 2 === 0 ? trees : [trees[1], trees[0]];
        const lockText = `lock ${moment % 2}\n`;
        const ran = await killAfter(place, next, lockText, (moment * span) / moments);
        endings.push(ran.status);
        // The machine was busier when the span was measured.
        if (ran.status !== 'SIGKILL') span = Math.min(span, ran.milliseconds);
        const left = Object.entries(filesOf(readTree(place.root)));
        expect(left.filter(([path, text]) => text !== next[path] && text !== other[path])).toEqual([]);
        expect(['lock 0\n', 'lock 1\n']).toContain(readFileSync(place.lock, 'utf8'));
        expect((await write(place, next, lockText)).kind).toBe('written');
        expect(readTree(place.root)).toEqual(writtenTree(next));
        expect(Object.keys(readTree(folder)).filter((it) => !it.startsWith('out/'))).toEqual(['topology.lock.yaml']);
      }
      // Were the runs over before the kill, this would prove nothing.
      expect(endings.filter((it) => it === 'SIGKILL').length).toBeGreaterThan(3);
    }));
});

/** Writes in another process and kills it some time after it has taken the lock. The time is what the writing took. */
async function killAfter(place: Place, files: Files, text: string, delayMilliseconds: number | null) {
  const lockFile = { path: place.lock, text };
  const { child, ended } = runner.start({ root: place.root, files, scope: null, lockFile });
  while (!existsSync(join(place.root, '.weft/lock')) && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 1));
  const began = performance.now();
  const timer = delayMilliseconds === null ? undefined : setTimeout(() => child.kill('SIGKILL'), delayMilliseconds);
  const { status, errors } = await ended;
  clearTimeout(timer);
  expect(errors).toBe('');
  return { status, milliseconds: performance.now() - began };
}

describe('a folder that may not be written', () => {
  it.skipIf(process.platform === 'win32')('is one clear error before anything has changed', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      const before = { 'milan/a': 'old\n', 'rome/a': 'old\n' };
      await writeTree({ root, files: new Map(Object.entries(before)), scope: null, lockFile: null });
      for (const open of ['', 'out', 'out/.weft', 'out/milan']) chmodSync(join(folder, open), 0o777);
      chmodSync(join(root, 'rome'), 0o555);
      const files = { 'milan/a': 'new\n', 'rome/a': 'old\n', 'rome/new/b': 'new\n' };
      // Root may write everywhere, so another user tries.
      const uid = process.getuid?.() === 0 ? 65534 : undefined;
      const { output } = await runner.start({ root, files, scope: null, lockFile: null }, uid).ended;
      expect(JSON.parse(output)).toEqual({
        kind: 'disk-error',
        code: 'EACCES',
        path: join(root, 'rome'),
        hint: 'check the owner and the permissions',
      });
      expect(readTree(root)).toEqual(writtenTree(before));
      chmodSync(join(root, 'rome'), 0o755);
    }),
  );
});

describe('a process that a signal ends', () => {
  /** So many files that the process looks for signals while it places them. */
  const manyBefore = many(900, () => 'old\n');
  const manyAfter = many(900, () => 'new\n');

  it.each([
    ['Ctrl-C before the first change', 'file staged', 'SIGINT', 'unchanged', manyBefore],
    ['Ctrl-C in the midst of it', 'file placed', 'SIGINT', 'written', manyAfter],
    ['SIGTERM in the midst of it', 'file placed', 'SIGTERM', 'partly-new', null],
  ] as const)('leaves nothing half new on %s, or says so', (_, step, signal, tree, files) =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      const lockFile = { path: join(folder, 'topology.lock.yaml'), text: 'new lock\n' };
      const wanted = { root, scope: null, lockFile };
      await writeTree({ ...wanted, files: new Map(Object.entries(manyBefore)) });
      const job = { ...wanted, files: manyAfter, kill: { step, count: 1, signal } };
      const { status, errors } = await runner.start(job).ended;
      expect([status, errors]).toEqual([signal, tree]);
      const there = filesOf(readTree(root));
      const texts = new Set(Object.keys(manyAfter).map((it) => there[it]));
      expect(texts).toEqual(new Set(files === null ? ['old\n', 'new\n'] : Object.values(files)));
      await writeTree({ ...wanted, files: new Map(Object.entries(manyAfter)) });
      expect(readTree(root)).toEqual(writtenTree(manyAfter));
    }),
  );
});
