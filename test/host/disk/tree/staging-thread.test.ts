import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStagingThread, type ThreadUse } from '../../../../src/host/disk/tree/staging-thread.ts';
import { openTreeCache } from '../../../../src/host/disk/tree/tree-cache.ts';
import { sha256 } from '../../../../src/host/disk/tree/tree-path.ts';
import { type WriteOptions, writeTree } from '../../../../src/host/disk/tree/write-tree.ts';
import { drawn, runsOf } from '../../../support/drawn.ts';
import { makeRunner, type Runner } from './run-runner.ts';
import { filesOf, putFiles, readTree, STAGING_THREAD, withFolder, writtenTree } from './temp-folder.ts';

type Files = Readonly<Record<string, string>>;

let runner: Runner;
beforeAll(async () => {
  runner = await makeRunner();
});
afterAll(() => runner.close());

/** Folders with some files each, and one with more text than a batch has. */
const FILES: Files = {
  'addresses.json': '{}\n',
  '_flux/kustomization.yaml': 'list\n',
  ...Object.fromEntries(
    Array.from({ length: 120 }, (_, i) => [`c${i % 40}/peers/p${i}.yaml`, `äöü ${i}\n`.repeat(1 + i * 10)]),
  ),
  ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`large/deep/er/p${i}.yaml`, `${i}\n`.repeat(50_000)])),
};

const write = (root: string, options: WriteOptions = {}, files = FILES) =>
  writeTree(
    { root, files: new Map(Object.entries(files)), scope: null, lockFile: null },
    { waitMilliseconds: 0, thread: STAGING_THREAD, ...options },
  );

describe('a tree of which another thread stages the folders', () => {
  it('is the one that one thread writes, with the same result', () =>
    withFolder(async (folder) => {
      const [one, two] = [join(folder, 'one'), join(folder, 'two')];
      const steps: string[] = [];
      const results = [await write(one, { thread: null }), await write(two, { onStep: (it) => steps.push(it) })];
      expect(results[1]).toEqual(results[0]);
      expect(readTree(two)).toEqual(readTree(one));
      expect(readTree(two)).toEqual(writtenTree(FILES));
      // Its own files are those that are directly below root.
      expect(steps.filter((it) => it === 'file staged')).toHaveLength(1);
    }));

  it('gets new folders beside edited ones, and keeps what is there', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      const before = { 'c0/peers/p0.yaml': 'old\n', 'c1/peers/gone.yaml': 'old\n' };
      await write(root, {}, before);
      putFiles(root, { 'c2/notes.txt': 'mine\n' });
      const result = await write(root);
      expect(result).toMatchObject({ kind: 'written', changed: ['c0/peers/p0.yaml'], removed: ['c1/peers/gone.yaml'] });
      expect(filesOf(readTree(root))).toEqual({ ...filesOf(writtenTree(FILES)), 'c2/notes.txt': 'mine\n' });
    }));

  it('is remembered with the hashes of the other thread: a run that follows has nothing to write', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      const place = { folder: join(folder, 'cache'), root, program: 'weft' };
      const lockFile = join(folder, 'lock.yaml');
      writeFileSync(lockFile, '');
      const cache = openTreeCache(place);
      await write(root, { memory: cache.memory });
      cache.keep({ key: 'key', value: 'kept' });
      expect(await openTreeCache(place).recall('key', lockFile)).toBe('kept');
      const again = openTreeCache(place);
      expect(await write(root, { memory: again.memory })).toMatchObject({ created: [], changed: [] });
      again.keep(null);
      // A cluster that the cache does not know is new in a tree that it knows.
      const grown = { ...FILES, 'new/peers/a.yaml': 'new\n' };
      expect(await write(root, { memory: openTreeCache(place).memory }, grown)).toMatchObject({
        created: ['new/peers/a.yaml'],
      });
      expect(readTree(root)).toEqual(writtenTree(grown));
    }));

  it('has problems with the words of one thread, and changes nothing then', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      for (const [files, there] of [
        [{ ...FILES, 'z/a\\b': 'x\n' }, {}],
        [FILES, { 'c7/peers/p7.yaml': 'mine\n' }],
      ] as const) {
        putFiles(root, there);
        const results = [await write(root, { thread: null }, files), await write(root, {}, files)];
        expect(results[0]?.kind).toBe('refused');
        expect(results[1]).toEqual(results[0]);
        expect(existsSync(root) ? filesOf(readTree(root)) : {}).toEqual(there);
      }
    }));
});

describe('a failure of the disk in the thread', () => {
  const failureOf = (root: string, options: WriteOptions, files: Files) =>
    write(root, options, files).then(
      () => 'written',
      ({ name, code, path, message, hint }) => ({
        name,
        code,
        path: path.replace(/staging\/\d+/, 'staging/N'),
        message,
        hint,
      }),
    );

  it('is the error of one thread, and leaves nothing', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      const files = { ...FILES, [`c39/${'long'.repeat(80)}`]: 'x\n' };
      const failures = [await failureOf(root, { thread: null }, files), await failureOf(root, {}, files)];
      expect(failures[0]).toMatchObject({ name: 'DiskError', code: 'ENAMETOOLONG' });
      expect(failures[1]).toEqual(failures[0]);
      expect(existsSync(root)).toBe(false);
    }));

  it.skipIf(!canMount())('is a full disk in words (skipped without the right to mount one)', () =>
    withFolder(async (folder) => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder]);
      try {
        const root = join(folder, 'out');
        for (const thread of [null, STAGING_THREAD]) {
          expect(await failureOf(root, { thread }, FILES)).toMatchObject({
            code: 'ENOSPC',
            message: 'no space left on the disk',
          });
          expect(readdirSync(folder)).toEqual([]);
        }
      } finally {
        execFileSync('umount', [folder]);
      }
    }),
  );
});

function canMount(): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a thread that ends', () => {
  it.each([
    ['before it begins', 'throw new Error("not today");'],
    ['with a program that is missing', null],
    ['at its first batch', 'parentPort.on("message", () => { throw new Error("not today"); });'],
    ['without an error', 'parentPort.on("message", () => process.exit());'],
    [
      'after it has staged a file',
      'parentPort.on("message", ({ parts: [{ at }] }) => { mkdirSync(at + "/peers", { recursive: true }); writeFileSync(at + "/peers/p0.yaml", ""); throw new Error("no"); });',
    ],
  ])('%s leaves its work to the other one', (_, text) =>
    withFolder(async (folder) => {
      const program = join(folder, 'program.mjs');
      const imports =
        'import { mkdirSync, writeFileSync } from "node:fs"; import { parentPort } from "node:worker_threads";';
      if (text !== null) writeFileSync(program, `${imports}\n${text}\n`);
      const root = join(folder, 'out');
      const result = await write(root, { thread: { program, fromFolders: 1 } });
      expect(result).toMatchObject({ kind: 'written', created: Object.keys(FILES).sort() });
      expect(readTree(root)).toEqual(writtenTree(FILES));
    }),
  );

  it('because it cannot be started leaves its work to the other one', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      // `new Worker` throws, as it does where Node or the system allows no threads.
      expect(await write(root, { thread: { program: 'no-path.js', fromFolders: 1 } })).toMatchObject({
        kind: 'written',
      });
      expect(readTree(root)).toEqual(writtenTree(FILES));
    }));

  it('when it is told to writes nothing after that', () =>
    withFolder(async (folder) => {
      const thread = startStagingThread(STAGING_THREAD.program);
      const at = join(folder, '0');
      mkdirSync(at);
      const files = new Map(Array.from({ length: 4000 }, (_, i) => [`big/p${i}.yaml`, 'text\n'.repeat(100)]));
      await thread.add({ folder: 'big', at, record: null, files });
      while (readdirSync(at).length === 0) await sleep(1);
      thread.end();
      const left = readdirSync(at).length;
      await sleep(100);
      expect(readdirSync(at)).toHaveLength(left);
      expect(left).toBeLessThan(4000);
    }));

  it('takes no more than a few batches before it has written them', () =>
    withFolder(async (folder) => {
      const program = join(folder, 'program.mjs');
      writeFileSync(program, 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {});\n');
      const thread = startStagingThread(program);
      const text = 'x'.repeat(1 << 18);
      let added = 0;
      const adding = (async () => {
        for (; added < 50; added++)
          await thread.add({
            folder: `f${added}`,
            at: join(folder, 'f'),
            record: null,
            files: new Map([['f/a', text]]),
          });
      })();
      await Promise.race([adding, sleep(300)]);
      thread.end();
      expect(added).toBeGreaterThan(1);
      expect(added).toBeLessThan(10);
    }));

  it('hashes every byte that it stages, and prints the record', () =>
    withFolder(async (folder) => {
      const thread = startStagingThread(STAGING_THREAD.program);
      const at = join(folder, '0');
      const files = new Map([
        ['rome/b', 'ä\n'],
        ['rome/a', ''],
      ]);
      await thread.add({ folder: 'rome', at, record: `${at}.sha256`, files });
      expect(await thread.finish()).toEqual([]);
      const [staged] = thread.staged();
      thread.end();
      expect(staged).toMatchObject({ paths: ['rome/b', 'rome/a'], hashes: [sha256('ä\n'), sha256('')] });
      expect(execFileSync('tail', ['-n', '+2', `${at}.sha256`], { encoding: 'utf8' })).toBe(
        `${sha256('')}  rome/a\n${sha256('ä\n')}  rome/b\n`,
      );
    }));
});

describe('a process that ends while its thread stages files', () => {
  const trees = [
    FILES,
    Object.fromEntries(
      Object.entries(FILES).map(([path, text]) => (/^[cl]/.test(path) ? [`n${path}`, `${text}new\n`] : [path, text])),
    ),
  ] as const;

  it('by kill -9, at any moment, leaves whole files, and the next run finishes the work', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      const job = { root, scope: null, lockFile: null, thread: STAGING_THREAD };
      const endings: unknown[] = [];
      let span = 400;
      const moments = runsOf(30, 6);
      for (let moment = 0; moment < moments; moment++) {
        const [next, other] = moment % 2 === 0 ? trees : [trees[1], trees[0]];
        const { child, ended } = runner.start({ ...job, files: next });
        while (!existsSync(join(root, '.weft/lock')) && child.exitCode === null) await sleep(1);
        const began = performance.now();
        const timer = setTimeout(() => child.kill('SIGKILL'), (moment * span) / moments);
        const { status, errors } = await ended;
        clearTimeout(timer);
        expect(errors).toBe('');
        endings.push(status);
        if (status !== 'SIGKILL') span = Math.min(span, performance.now() - began);
        for (const [path, text] of Object.entries(filesOf(readTree(root))))
          expect([next[path], other[path]], path).toContain(text);
        const thread: ThreadUse | null = moment % 3 === 0 ? null : STAGING_THREAD;
        expect((await write(root, { thread }, next)).kind).toBe('written');
        expect(readTree(root)).toEqual(writtenTree(next));
      }
      expect(endings.filter((it) => it === 'SIGKILL').length).toBeGreaterThan(2);
    }));

  // Both signals have one handler, and without a thread a push sends both: kill-during-write.
  it.each(drawn(['SIGINT', 'SIGTERM'] as const))(
    'by %s says that nothing has changed, and lets go of the lock',
    (signal) =>
      withFolder(async (folder) => {
        const root = join(folder, 'out');
        const { child, ended } = runner.start({
          ...{ root, scope: null, lockFile: null, thread: STAGING_THREAD },
          // So many that they are not staged before the signal comes.
          files: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`c${i % 900}/p${i}`, `${i}\n`])),
        });
        while (!existsSync(join(root, '.weft/staging/3'))) await sleep(1);
        child.kill(signal);
        expect(await ended).toMatchObject({ status: signal, errors: 'unchanged' });
        expect(readdirSync(root)).toEqual(['.weft']);
        expect(readdirSync(join(root, '.weft'))).toEqual(['staging']);
        expect(await write(root)).toMatchObject({ kind: 'written' });
        expect(readTree(root)).toEqual(writtenTree(FILES));
      }),
  );
});
