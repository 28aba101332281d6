import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compiled, compile } from '../../../src/compile.ts';
import { recordFiles } from '../../../src/host/disk/tree/bundle-record.ts';
import { fileDiagnostics } from '../../../src/proof/provenance/file-diagnostics.ts';
import { type FileContent, findSuspects, judgeFile } from '../../../src/proof/provenance/judge-files.ts';
import { law } from '../../laws/law.ts';
import { FLEET, KEYS } from './pull-request.ts';

type Files = ReadonlyMap<string, string>;

function compiled(text: string, lock?: string): Compiled {
  const sources = {
    topology: { path: 'topology.yaml', text },
    keys: { path: 'topology.keys.yaml', text: KEYS },
    lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
  };
  const result = compile(sources, { relock: [], only: null });
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('; '));
  return result.value;
}

const BASE = compiled(FLEET);
const EDITED = FLEET.replace('203.0.113.30', '203.0.113.31').replace('10.200.0.0/16', '10.201.0.0/16');
const HEAD = compiled(EDITED, BASE.lock);

const withRecords = (bundle: Files): Files => new Map([...bundle, ...recordFiles(bundle)]);
const [OLD, NEW] = [withRecords(BASE.bundle), withRecords(HEAD.bundle)];
const PATHS = [...new Set([...OLD.keys(), ...NEW.keys()])].sort();

/** Equal texts have equal ids, as the names that git gives. */
const fileOf = (text: string) => ({ kind: 'file', id: text }) as const;
const treeOf = (files: Files) => new Map([...files].map(([path, text]) => [path, fileOf(text)]));
const contentOf = (files: Files, path: string): FileContent | undefined => {
  const text = files.get(path);
  return text === undefined ? undefined : { ...fileOf(text), text };
};

/** The paths that are reported for a pull request with these files. */
function reported(head: Files): readonly string[] {
  const wanted = treeOf(NEW);
  const suspects = findSuspects({ head: treeOf(head), bases: [treeOf(OLD)], wanted: (path) => wanted.get(path) });
  const found = suspects.flatMap((path) => {
    const [is, was, wanted] = [head, OLD, NEW].map((it) => contentOf(it, path));
    return judgeFile({ path, head: is, bases: [was], wanted, isRecord: path.startsWith('.weft/') }) ?? [];
  });
  const words = { bundle: HEAD.bundle, inputs: HEAD.inputs, root: 'out', topology: 'topology.yaml' };
  const diagnostics = fileDiagnostics(found, words);
  expect(diagnostics).toHaveLength(found.length);
  return diagnostics.map((it) => it.span.source.path.slice('out/'.length)).sort();
}

/** Each file as the topology compiles to it, or as the base has it. */
const stale = fc.array(fc.boolean(), { minLength: PATHS.length, maxLength: PATHS.length }).map(
  (isOld): Files =>
    new Map(
      PATHS.flatMap((path, i) => {
        const text = (isOld[i] ? OLD : NEW).get(path);
        return text === undefined ? [] : [[path, text] as const];
      }),
    ),
);

/** An edit that changes a text: a line is replaced, removed, repeated or added. */
const edit = fc.record({
  how: fc.constantFrom('replace', 'remove', 'repeat', 'add', 'character'),
  at: fc.nat(),
  text: fc.string({ minLength: 1, maxLength: 30 }).map((it) => `x${it.replace(/[\r\n]/g, ' ')}`),
});

function edited(text: string, { how, at, text: line }: { how: string; at: number; text: string }): string {
  const lines = text.split('\n');
  const index = at % lines.length;
  if (how === 'replace') return lines.with(index, line).join('\n');
  if (how === 'remove') return lines.toSpliced(index, 1).join('\n');
  if (how === 'repeat') return lines.toSpliced(index, 0, lines[index] ?? '').join('\n');
  if (how === 'add') return lines.toSpliced(index, 0, line).join('\n');
  const place = at % (text.length + 1);
  return text.slice(0, place) + line.slice(0, 1) + text.slice(place + 1);
}

describe('where the files of a pull request come from', () => {
  law(
    'no mixture of the base and of what is compiled is reported',
    100,
    fc.property(stale, (head) => {
      expect(reported(head)).toEqual([]);
    }),
  );

  law(
    'an edit of any file is reported, in that file alone, whatever else is stale',
    200,
    fc.property(stale, fc.nat(), edit, (head, which, how) => {
      const paths = [...head.keys()].filter((it) => !it.startsWith('.weft/'));
      const path = paths[which % paths.length] ?? '';
      const text = edited(head.get(path) ?? '', how);
      fc.pre(text !== OLD.get(path) && text !== NEW.get(path));
      expect(reported(new Map([...head, [path, text]]))).toEqual([path]);
    }),
  );

  law(
    'an added file is reported, and a removed one that both have',
    50,
    fc.property(stale, fc.nat(), fc.stringMatching(/^[a-zA-Z.][a-zA-Z0-9._-]{0,9}$/), (head, which, name) => {
      const folders = [...new Set(PATHS.map((it) => it.slice(0, it.lastIndexOf('/') + 1)))];
      const added = `${folders[which % folders.length]}${name}`;
      fc.pre(!PATHS.some((it) => it === added || it.startsWith(`${added}/`)));
      expect(reported(new Map([...head, [added, 'a: 1\n']]))).toEqual([added]);
      const both = PATHS.filter((it) => OLD.has(it) && NEW.has(it));
      const removed = both[which % both.length] ?? '';
      expect(reported(new Map([...head].filter(([path]) => path !== removed)))).toEqual([removed]);
    }),
  );

  it('is tested with two states that differ', () => {
    expect(PATHS.filter((it) => OLD.get(it) !== NEW.get(it)).length).toBeGreaterThan(10);
  });
});
