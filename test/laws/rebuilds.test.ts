import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type CompileRequest, type CompileResult, compileFleet } from '../../src/host/app/compile-fleet.ts';
import { diskPorts } from '../../src/host/app/disk-ports.ts';
import { rebuildMemory, treeMemory } from '../../src/host/watch/watch-fleets.ts';
import { filesOf, putFiles, readTree, withFolder } from '../host/disk/tree/temp-folder.ts';
import { ADDITIONS, applyEdit, arbitraryEdit, arbitraryFleet, CHANGES, REMOVALS } from './arbitrary-topology.ts';
import { law } from './law.ts';
import { topologySource } from './topology-spec.ts';

const REQUEST: CompileRequest = {
  topology: undefined,
  lock: undefined,
  all: false,
  out: 'out',
  only: null,
  relock: [],
  mode: 'write',
  verify: false,
  frozenLock: false,
  allowEmpty: true,
  allowDestroy: true,
  maxRemoved: 1,
};

/** A manual change of `out/` between two compiles. */
const TOUCHES = ['nothing', 'append', 'same-size', 'remove', 'save-again', 'add-beside', 'remove-folder'] as const;

/** The file at this fraction of the list. */
const arbitraryTouch = fc.record({
  kind: fc.constantFrom(...TOUCHES),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
});
type Touch = typeof arbitraryTouch extends fc.Arbitrary<infer T> ? T : never;

function touch(root: string, { kind, place }: Touch): void {
  const files = Object.entries(filesOf(readTree(root)));
  const [path, text] = files[Math.floor(place * files.length)] ?? [];
  if (kind === 'nothing' || path === undefined || text === undefined) return;
  const target = join(root, path);
  const { atime, mtime } = statSync(target);
  if (kind === 'append') writeFileSync(target, `${text}# by hand\n`);
  if (kind === 'remove') rmSync(target);
  if (kind === 'save-again') writeFileSync(target, text);
  if (kind === 'add-beside') writeFileSync(`${target}.orig`, text);
  if (kind === 'remove-folder') rmSync(join(target, '..'), { recursive: true });
  if (kind === 'same-size') {
    writeFileSync(
      target,
      text.replace(/[a-z]/, (it) => (it === 'x' ? 'y' : 'x')),
    );
    utimesSync(target, atime, mtime);
  }
}

const edits = fc.array(fc.tuple(arbitraryEdit([...ADDITIONS, ...REMOVALS, ...CHANGES]), arbitraryTouch), {
  minLength: 1,
  maxLength: 5,
});

describe('a process that compiles again and again', () => {
  law(
    'writes, keeps and refuses what a new process would',
    40,
    fc.asyncProperty(arbitraryFleet({ maxClusters: 6 }), edits, (first, changes) =>
      withFolder(async (folder) => {
        const [memory, files] = [rebuildMemory(), treeMemory()];
        const [again, anew] = [join(folder, 'again'), join(folder, 'anew')];
        let fleet = first;
        for (const [edit, by] of [undefined, ...changes].map((it) => it ?? ([undefined, undefined] as const))) {
          if (edit !== undefined) fleet = applyEdit(fleet, edit);
          for (const it of [again, anew]) {
            putFiles(it, { 'topologies/topology.yaml': topologySource(fleet.spec).text });
            mkdirSync(join(it, 'out'), { recursive: true });
            if (by !== undefined) touch(join(it, 'out'), by);
          }
          const ports = { again: diskPorts(again, files), anew: diskPorts(anew) };
          const compile = async (disk: ReturnType<typeof diskPorts>, request: CompileRequest) =>
            summaryOf(await compileFleet({ ...disk, progress: () => undefined }, request));
          expect(await compile(ports.again, { ...REQUEST, memory })).toEqual(await compile(ports.anew, REQUEST));
          expect(readTree(again)).toEqual(readTree(anew));
        }
      }),
    ),
  );
});

function summaryOf(result: CompileResult): unknown {
  if (result.kind === 'refused') return result.refusal;
  const diagnostics = result.diagnostics.map((it) => [it.code, it.message, it.span.start, it.span.end]);
  return result.kind === 'written' ? [diagnostics, result.fleets.map((it) => it.tree)] : [diagnostics, result.kind];
}
