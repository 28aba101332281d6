import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FolderFiles, folderFiles, folderOf, inFolders } from '../../../src/base/core/folder-files.ts';
import type { Diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { parseLock } from '../../../src/fleet/lock/lock.ts';
import { verifyBundle } from '../../../src/proof/verify/verify-bundle.ts';
import { drawn, RUNS_ALL, runsOf } from '../../support/drawn.ts';
import { goldenNames } from '../../support/golden.ts';
import { bundleFiles, compiledGolden, type Files } from './verify-golden.ts';

const valid = goldenNames().filter((it) => !it.startsWith('invalid-'));

const GOLDENS = [
  'deck-two-one-pod-cidr-everywhere',
  'gateways-customised-on-1.2',
  'several-pod-cidrs',
  'sharing-of-a-hub-with-its-spokes',
  'shortcuts-in-a-star-with-operator',
];

/** Files as they are on a disk: each can be read alone. Counts how often each folder is read. */
function onDisk(files: Files): { readonly files: FolderFiles; readonly reads: () => readonly number[] } {
  const grouped = inFolders(files);
  const reads = new Map<string, number>();
  const makers = grouped.folders.map((folder) => {
    const make = () => {
      reads.set(folder, (reads.get(folder) ?? 0) + 1);
      return grouped.inFolder(folder);
    };
    return [folder, make] as const;
  });
  return { files: folderFiles(new Map(makers), { single: grouped.single }), reads: () => [...reads.values()] };
}

/** Files that must be walked twice. */
const inFoldersOnly = (files: Files): FolderFiles => {
  const grouped = inFolders(files);
  return folderFiles(new Map(grouped.folders.map((it) => [it, () => grouped.inFolder(it)])));
};

function verified(golden: string, files: FolderFiles, compiled: Files | FolderFiles = files): readonly Diagnostic[] {
  const { inputs, lock } = compiledGolden(golden);
  const read = parseLock({ path: 'topology.lock.yaml', text: lock });
  return verifyBundle({ files, root: 'out', sources: inputs, lock: read.ok ? read.value : undefined, compiled });
}

/** Everything that a user is shown of an error. */
const shown = ({ code, message, span, related }: Diagnostic): unknown => [
  ...[code, message, span.source.path, span.start, span.end],
  related.map((it) => [it.message, it.span.source.path, it.span.start, it.span.end]),
];

describe('a walk over all files', () => {
  it('happens once where nothing is wrong', () => {
    const large = 'x'.repeat(300 * 1024);
    const twice = drawn(valid, (it) => GOLDENS.includes(it)).filter((golden) => {
      // So large that no folder is still in memory when it is asked for again.
      const files = [...bundleFiles(golden)].flatMap(([path, text]) => [
        [path, text] as const,
        [`${folderOf(path) === '' ? '' : `${folderOf(path)}/`}.note`, large] as const,
      ]);
      const { files: counted, reads } = onDisk(new Map(files));
      verified(golden, counted, bundleFiles(golden));
      return reads().some((it) => it > 1);
    });
    expect(twice).toEqual([]);
  });

  it.each(GOLDENS)('finds what two walks find, even where the compiler is as wrong as the files: %s', (golden) => {
    const files = bundleFiles(golden);
    const texts = [...files].filter(([path]) => /^[^_].*\.(?:yaml|nft|json)$/.test(path));
    const values = fc.constantFrom(...texts).chain(([path, text]) => {
      const found = [...text.matchAll(/[A-Za-z0-9][A-Za-z0-9./-]+/g)].map((it) => it[0]);
      return fc.record({
        path: fc.constant(path),
        value: fc.constantFrom(...(found.length > 0 ? found : ['kind'])),
        by: fc.constantFrom('1', '30001', '10.99.0.0/24', '10.99.0.1', 'rome', 'true', ''),
        where: fc.constantFrom('once', 'in the file', 'in all files'),
      });
    });
    fc.assert(
      fc.property(values, ({ path, value, by, where }) => {
        const edited = new Map(
          [...files].map(([it, text]) => {
            if (where !== 'in all files' && it !== path) return [it, text];
            return [it, where === 'once' ? text.replace(value, by) : text.replaceAll(value, by)];
          }),
        );
        const [once, twice] = [verified(golden, inFolders(edited)), verified(golden, inFoldersOnly(edited))];
        expect(once.map(shown)).toEqual(twice.map(shown));
      }),
      { numRuns: RUNS_ALL ? runsOf(200) : 4 },
    );
  });
});
