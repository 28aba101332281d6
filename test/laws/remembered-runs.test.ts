import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, vi } from 'vitest';
import { sharedFilesOf } from '../../src/base/core/generated-files.ts';
import { runWeft } from '../../src/host/cli/run-weft.ts';
import { memoryHost } from '../host/cli/memory-host.ts';
import { filesOf, putFiles, readTree, withFolder } from '../host/disk/tree/temp-folder.ts';
import { RUNS_ALL } from '../support/drawn.ts';
import { ADDITIONS, applyEdit, arbitraryEdit, arbitraryFleet, CHANGES, REMOVALS } from './arbitrary-topology.ts';
import { law } from './law.ts';
import { topologySource } from './topology-spec.ts';

/** Changes by hand of one file below `out/`, or of what is around it. Each is made in the same way in two folders. */
const TOUCHES: Readonly<Record<string, (file: string, out: string) => void>> = {
  append: (file) => appendFileSync(file, '# by hand\n'),
  'same-size-and-time': (file) => keepingTime(file, () => writeFileSync(file, otherText(readFileSync(file, 'utf8')))),
  'same-text': (file) => writeFileSync(file, readFileSync(file)),
  'other-time': (file) => utimesSync(file, 1, 1),
  remove: (file) => rmSync(file),
  'remove-folder': (file) => rmSync(dirname(file), { recursive: true }),
  'replace-by-other': (file) =>
    keepingTime(file, () => {
      writeFileSync(`${file}.new`, otherText(readFileSync(file, 'utf8')));
      renameSync(`${file}.new`, file);
    }),
  'replace-by-copy': (file) => {
    copyFileSync(file, `${file}.new`);
    renameSync(`${file}.new`, file);
  },
  'replace-by-link': (file, out) => {
    renameSync(file, join(out, '../moved'));
    symlinkSync(join(out, '../moved'), file);
  },
  'folder-by-link': (file, out) => {
    renameSync(dirname(file), join(out, '../moved'));
    symlinkSync(join(out, '../moved'), dirname(file));
  },
  'line-ends': (file) => writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n')),
  beside: (file) => writeFileSync(`${file}.orig`, 'by hand\n'),
  // The second time weft takes what is there for its own, although no folder has changed.
  stranger: (_, out) => {
    for (const path of strangersIn(out)) writeFileSync(path, existsSync(path) ? '' : 'by hand\n');
  },
  'generated-stranger': (_, out) => {
    for (const path of strangersIn(out)) writeFileSync(path, '');
  },
  'new-folder': (_, out) => mkdirSync(join(out, '_flux', 'clusters'), { recursive: true }),
  record: (_, out) => appendFileSync(firstIn(join(out, '.weft')), '# by hand\n'),
  'own-folder': (_, out) => writeFileSync(join(out, '.weft', 'journal.json.new'), ''),
  lock: (_, out) => appendFileSync(join(out, '../topologies/topology.lock.yaml'), '# by hand\n'),
};

/** The paths of shared files that weft would write for other topologies, without those that it has written. */
const strangersIn = (out: string): readonly string[] =>
  readdirSync(out)
    .filter((name) => !name.includes('.'))
    .flatMap(sharedFilesOf)
    .map((path) => join(out, path))
    .filter((path) => (existsSync(path) ? readFileSync(path, 'utf8') === 'by hand\n' : existsSync(dirname(path))));

/** Keeps the modification time of a file to the nanosecond, which Node cannot set. */
function keepingTime(file: string, act: () => void): void {
  const reference = `${file}.time`;
  execFileSync('touch', ['-r', file, reference]);
  act();
  execFileSync('touch', ['-r', reference, file]);
  rmSync(reference);
}

const otherText = (text: string): string => text.replace(/[a-z]/, (it) => (it === 'x' ? 'y' : 'x'));

const firstIn = (folder: string): string => join(folder, readdirSync(folder).sort()[0] ?? '');

/** Damage to the cache of one folder. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  none: () => undefined,
  remove: (file) => rmSync(file),
  cut: (file) => writeFileSync(file, readFileSync(file).subarray(0, 500)),
  flip: (file) => {
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  },
  text: (file) => writeFileSync(file, 'weft-cache-1\n{}\n'),
};

const CALLS = [
  [],
  ['--check'],
  ['--output', 'json'],
  ['--check', '--output', 'sarif'],
  ['--frozen-lock'],
  ['--verbose', '--allow-destroy'],
] as const;

const arbitraryStep = fc.record({
  edit: fc.option(arbitraryEdit([...ADDITIONS, ...REMOVALS, ...CHANGES]), { freq: 1 }),
  touch: fc.option(
    fc.record({
      kind: fc.constantFrom(...Object.keys(TOUCHES)),
      place: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
    {
      freq: 3,
    },
  ),
  damage: fc.constantFrom('none', 'none', 'none', ...Object.keys(DAMAGES)),
  // Later, files are old enough for their stamps: by the clock of this process, and by some steps of that of the disk.
  isLater: fc.boolean(),
  calls: fc.array(fc.constantFrom(...CALLS), { minLength: 1, maxLength: 3 }),
});

/** Milliseconds. */
const STEPS_OF_THE_DISK = 30;

afterEach(() => void vi.useRealTimers());

describe('a run with the cache of earlier ones', () => {
  law(
    'prints and writes what a run without it does',
    RUNS_ALL ? 200 : 120,
    fc.asyncProperty(
      arbitraryFleet({ maxClusters: 4 }),
      fc.array(arbitraryStep, { minLength: 2, maxLength: 7 }),
      (first, steps) =>
        withFolder(async (folder) => {
          const [cached, anew] = [join(folder, 'cached'), join(folder, 'anew')];
          let fleet = first;
          for (const { edit, touch, damage, isLater, calls } of steps) {
            if (edit !== null) fleet = applyEdit(fleet, edit);
            for (const it of [cached, anew]) {
              const topology = join(it, 'topologies/topology.yaml');
              const { text } = topologySource(fleet.spec);
              if (!existsSync(topology) || readFileSync(topology, 'utf8') !== text)
                putFiles(it, { 'topologies/topology.yaml': text });
              if (touch !== null) touchOne(join(it, 'out'), touch);
            }
            damageCache(join(folder, 'home'), damage);
            if (isLater) await sleep(STEPS_OF_THE_DISK);
            if (isLater) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3000 });
            for (const args of calls) {
              const answers = [];
              for (const [cwd, more] of [
                [cached, []],
                [anew, ['--no-cache']],
              ] as const)
                answers.push(await answerOf(cwd, join(folder, 'home'), [...args, ...more]));
              expect(answers[0]).toEqual(answers[1]);
              expect(readTree(cached)).toEqual(relinked(readTree(anew), anew, cached));
            }
            if (isLater) await sleep(STEPS_OF_THE_DISK);
            vi.useRealTimers();
          }
        }),
    ),
  );
});

function touchOne(out: string, { kind, place }: { readonly kind: string; readonly place: number }): void {
  if (!existsSync(join(out, '.weft')) || existsSync(join(out, '../moved'))) return;
  const files = Object.entries(filesOf(readTree(out))).filter(([, text]) => !text.startsWith('-> '));
  const [path] = files[Math.floor(place * files.length)] ?? [];
  if (path !== undefined) TOUCHES[kind]?.(join(out, path), out);
}

function damageCache(home: string, kind: string): void {
  const folder = join(dirname(home), 'weft', 'trees');
  const cache = existsSync(folder) ? readdirSync(folder)[0] : undefined;
  if (cache !== undefined) DAMAGES[kind]?.(join(folder, cache));
}

async function answerOf(cwd: string, home: string, args: readonly string[]) {
  const places = { XDG_CACHE_HOME: dirname(home), HOME: home, LOCALAPPDATA: home };
  const { host, said } = memoryHost(cwd, { env: places });
  const code = await runWeft(['compile', ...args], host);
  return { code, ...said() };
}

/** Links by hand lead to the folder that they are in. */
const relinked = (tree: Readonly<Record<string, string>>, from: string, to: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tree).map(([path, text]) => [path, text.startsWith('-> ') ? text.replace(from, to) : text]),
  );
