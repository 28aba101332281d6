import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskError } from '../../../../src/host/disk/disk-error.ts';
import { takeProcessLock } from '../../../../src/host/disk/tree/process-lock.ts';
import { writeTree } from '../../../../src/host/disk/tree/write-tree.ts';
import { makeRunner, type Runner, type RunnerJob } from './run-runner.ts';
import { putFiles, readTree, withFolder, withoutWriting, writtenTree } from './temp-folder.ts';

let runner: Runner;
beforeAll(async () => {
  runner = await makeRunner();
});
afterAll(() => runner.close());

const job = (root: string, more: Partial<RunnerJob> = {}): RunnerJob => ({
  root,
  files: { a: 'x\n' },
  scope: null,
  lockFile: null,
  ...more,
});

/** The id of a process that has ended: one that says its version ends before it starts anything. */
const deadPid = (): number => spawnSync(process.execPath, ['-v']).pid;

const holder = ({ pid = deadPid(), ...more }: { readonly pid?: number; readonly [key: string]: unknown }): string =>
  JSON.stringify({ pid, host: hostname(), token: '0'.repeat(16), started: null, ...more });

const take = (root: string, waitMilliseconds = 0) => takeProcessLock({ root, waitMilliseconds });

/** Takes the lock at once, finds the folder clean, and gives it back. */
async function expectFree(root: string): Promise<void> {
  const lock = await take(root);
  if (lock.kind !== 'held') throw new Error(lock.holder);
  expect(Object.keys(readTree(join(root, '.weft')))).toEqual(['lock']);
  lock.release();
  lock.release();
  expect(Object.keys(readTree(root)).filter((it) => it !== '.weft/')).toEqual([]);
}

describe('the lock of a running weft', () => {
  it.skipIf(process.platform === 'win32')('is a failure of the disk in a folder where nothing can be written', () =>
    withFolder(async (root) => {
      chmodSync(root, 0o755);
      const failure = await withoutWriting(root, () => take(root).catch((error: unknown) => error));
      expect(failure).toBeInstanceOf(DiskError);
      expect(failure).toMatchObject({ message: 'permission denied', path: join(root, '.weft') });
    }),
  );

  it('is held by one, and free again after it', () =>
    withFolder(async (root) => {
      const first = await take(root);
      expect(await take(root)).toEqual({ kind: 'busy', holder: `process ${process.pid} on host "${hostname()}"` });
      if (first.kind === 'held') first.release();
      await expectFree(root);
    }));

  it('is waited for, briefly', () =>
    withFolder(async (root) => {
      const first = await take(root);
      const second = take(root, 5000);
      setTimeout(() => first.kind === 'held' && first.release(), 60);
      const lock = await second;
      expect(lock.kind).toBe('held');
      if (lock.kind === 'held') lock.release();
    }));

  const gone: readonly (readonly [string, () => string])[] = [
    ['a dead process', () => holder({})],
    ['an earlier process with our id', () => holder({ pid: process.pid })],
    ['an earlier process with the id of a running one', () => holder({ pid: process.ppid, started: '1' })],
  ];
  // Only Linux says when a process started.
  it.each(gone.slice(0, process.platform === 'linux' ? 3 : 2))('of %s is cleared away at once', (_, content) =>
    withFolder(async (root) => {
      putFiles(root, { '.weft/lock': content() });
      await expectFree(root);
    }),
  );

  it('of a process of another host is never cleared away', () =>
    withFolder(async (root) => {
      putFiles(root, { '.weft/lock': holder({ pid: 17, host: 'elsewhere' }) });
      expect(await take(root, 60)).toEqual({ kind: 'busy', holder: 'process 17 on host "elsewhere"' });
    }));

  it('is cleared away, too, when those who did that were killed at it, one after the other', () =>
    withFolder(async (root) => {
      const [a, b, c] = ['a', 'b', 'c'].map((it) => it.repeat(16));
      putFiles(root, {
        '.weft/lock': holder({ token: a }),
        [`.weft/lock.${a}`]: holder({ token: b }),
        [`.weft/lock.${b}`]: holder({ token: c }),
        [`.weft/lock.${c}.new`]: 'half',
      });
      await expectFree(root);
    }));

  it('is not cleared away while somebody else is at it', () =>
    withFolder(async (root) => {
      const running = holder({ pid: process.ppid, token: 'b'.repeat(16) });
      putFiles(root, { '.weft/lock': holder({ token: 'a'.repeat(16) }), [`.weft/lock.${'a'.repeat(16)}`]: running });
      expect((await take(root, 60)).kind).toBe('busy');
      expect(readFileSync(join(root, '.weft/lock'), 'utf8')).toContain('a'.repeat(16));
    }));

  it('without content is cleared away once it is a second old', () =>
    withFolder(async (root) => {
      putFiles(root, { '.weft/lock': '' });
      expect(await take(root)).toEqual({ kind: 'busy', holder: 'another process' });
      utimesSync(join(root, '.weft/lock'), new Date(), new Date(Date.now() - 5000));
      await expectFree(root);
    }));

  it('works without hard links', () =>
    withFolder(async (root) => {
      const plain = { root, waitMilliseconds: 0, hardLinks: false };
      const first = await takeProcessLock(plain);
      expect((await takeProcessLock(plain)).kind).toBe('busy');
      if (first.kind === 'held') first.release();
      putFiles(root, { '.weft/lock': holder({}) });
      const second = await takeProcessLock(plain);
      expect(second.kind).toBe('held');
      if (second.kind === 'held') second.release();
    }));

  it('leaves no folder behind if the one who made it could not remove it', () =>
    withFolder(async (root) => {
      const first = await take(root);
      // Another process is about to take the lock.
      putFiles(root, { [`.weft/lock.${'a'.repeat(16)}.new`]: holder({}) });
      if (first.kind === 'held') first.release();
      expect(Object.keys(readTree(root))).toContain('.weft/');
      const second = await take(root);
      if (second.kind === 'held') second.release();
      expect(readTree(root)).toEqual({});
    }));

  it('leaves no folder behind if others removed it while it waited', () =>
    withFolder(async (root) => {
      const place = join(root, 'out');
      const first = await take(place);
      const second = take(place, 5000);
      if (first.kind === 'held') first.release();
      expect(readTree(root)).toEqual({});
      const lock = await second;
      expect(lock.kind).toBe('held');
      if (lock.kind === 'held') lock.release();
      expect(readTree(root)).toEqual({});
    }));

  it('keeps a folder that is a link', () =>
    withFolder(async (root) => {
      mkdirSync(join(root, 'elsewhere'));
      symlinkSync('elsewhere', join(root, '.weft'));
      const lock = await take(root);
      if (lock.kind === 'held') lock.release();
      expect(readlinkSync(join(root, '.weft'))).toBe('elsewhere');
      expect(readTree(join(root, 'elsewhere'))).toEqual({});
    }));

  it('leaves no listeners behind', () =>
    withFolder(async (root) => {
      const count = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((it) => process.listenerCount(it));
      const before = count();
      for (let i = 0; i < 20; i++) await expectFree(root);
      expect(count()).toEqual(before);
    }));

  it('does not remove the lock of somebody who took it over by hand', () =>
    withFolder(async (root) => {
      const lock = await take(root);
      writeFileSync(join(root, '.weft/lock'), holder({ pid: 17, host: 'elsewhere' }));
      if (lock.kind === 'held') lock.release();
      expect((await take(root)).kind).toBe('busy');
    }));
});

describe('several processes', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s gives the lock back and ends the process by that signal',
    (signal) =>
      withFolder(async (root) => {
        const running = runner.start(job(root, { hold: true }));
        expect(await running.firstLine).toBe('held');
        expect(await take(root)).toEqual({
          kind: 'busy',
          holder: `process ${running.child.pid} on host "${hostname()}"`,
        });
        running.child.kill(signal);
        expect((await running.ended).status).toBe(signal);
        expect(readTree(root)).toEqual({});
      }),
  );

  it('a process that handles the signal itself gives the lock back when it exits', () =>
    withFolder(async (root) => {
      const running = runner.start(job(root, { hold: true, otherListener: true }));
      await running.firstLine;
      running.child.kill('SIGTERM');
      expect((await running.ended).status).toBe(7);
      expect(readTree(root)).toEqual({});
    }));

  it('a killed one blocks nobody', () =>
    withFolder(async (root) => {
      const running = runner.start(job(root, { hold: true }));
      await running.firstLine;
      running.child.kill('SIGKILL');
      await running.ended;
      await expectFree(root);
    }));

  it('a second one that does not wait says who is busy, and changes nothing', () =>
    withFolder(async (root) => {
      const running = runner.start(job(root, { hold: true }));
      await running.firstLine;
      const before = readTree(root);
      const files = new Map([['a', 'x\n']]);
      const result = await writeTree({ root, files, scope: null, lockFile: null }, { waitMilliseconds: 30 });
      expect(result).toEqual({ kind: 'busy', holder: `process ${running.child.pid} on host "${hostname()}"` });
      expect(readTree(root)).toEqual(before);
      running.child.kill('SIGKILL');
      await running.ended;
    }));

  it('all that write the same tree at once finish, the first of them over a dead lock', () =>
    withFolder(async (root) => {
      mkdirSync(join(root, '.weft'));
      writeFileSync(join(root, '.weft/lock'), holder({}));
      const files = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`c${i % 7}/f${i}`, `text ${i}\n`]));
      const all = [0, 1, 2, 3].map(() => runner.start(job(root, { files, waitMilliseconds: 30_000 })).ended);
      const ended = await Promise.all(all);
      expect(ended.map((it) => [it.status, it.errors])).toEqual(ended.map(() => [0, '']));
      const results = ended.map((it) => JSON.parse(it.output));
      // One wrote everything, the others found it done: no two were at it together.
      expect(results.map((it) => it.created.length).sort((a, b) => a - b)).toEqual([0, 0, 0, 150]);
      expect(readTree(root)).toEqual(writtenTree(files));
    }));
});
