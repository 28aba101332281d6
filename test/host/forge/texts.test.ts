import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWeftCommit, sourceOf, withTrailer } from '../../../src/host/forge/commits-of-weft.ts';
import { textId, treeChunks } from '../../../src/host/forge/edits.ts';
import type { TreeEdit } from '../../../src/host/forge/forge.ts';
import { codeSpan, sameText } from '../../../src/host/forge/markdown-text.ts';
import { isPlanMarker, printPlanMarker } from '../../../src/host/forge/pull-text.ts';
import { redactor } from '../../../src/host/http/rest-client.ts';

describe('names in git', () => {
  it.each(['', 'a\n', 'Zürich 🚇\n', 'x'.repeat(100_000)])('are those of git hash-object', async (text) => {
    expect(await textId(text)).toBe(
      execFileSync('git', ['hash-object', '--stdin'], { input: text, encoding: 'utf8' }).trim(),
    );
  });
});

describe('pieces of a tree', () => {
  it('are small enough, keep the order and lose nothing', () => {
    const edit = fc.record({
      kind: fc.constant('write' as const),
      path: fc.string({ minLength: 1, maxLength: 20 }),
      mode: fc.constantFrom('100644' as const, '100755' as const),
      text: fc.nat(600_000).map((length) => 'x'.repeat(length)),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 230 }), (edits: readonly TreeEdit[]) => {
        const chunks = treeChunks(edits);
        expect(chunks.flat()).toEqual(edits);
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(100);
          expect(JSON.stringify(chunk).length).toBeLessThan(1_100_000);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('are as few as can be for small files', () => {
    const edits = Array.from(
      { length: 1200 },
      (_, i): TreeEdit => ({ kind: 'write', path: `${i}`, text: 'x', mode: '100644' }),
    );
    expect(treeChunks(edits)).toHaveLength(12);
  });
});

describe('texts', () => {
  it('hide secrets, the longer first, and leave words alone', () => {
    const redact = redactor(['ghp_abc', 'ghp_abcdef', undefined, '', 'is']);
    expect(redact('this is ghp_abcdef and ghp_abc')).toBe('this is *** and ***');
  });

  it('are code whatever is in them', () => {
    expect(codeSpan('a')).toBe('`a`');
    expect(codeSpan('a``b|c\nd')).toBe('```a``b\\|c d```');
    expect(codeSpan('`a`')).toBe('`` `a` ``');
  });

  it('are the same when only the run or the ends of lines differ', () => {
    expect(
      sameText('a\r\nhttps://github.com/a/b/actions/runs/1\r\n', 'a\nhttps://github.com/a/b/actions/runs/22'),
    ).toBe(true);
    expect(sameText('a', 'b')).toBe(false);
  });

  it('mark a comment so that the mark cannot end early', () => {
    const marker = (id: string, source: string) => printPlanMarker({ id, source });
    expect(marker('europe', 'a/b.yaml')).toBe('<!-- weft:plan id=europe topology=a/b.yaml -->');
    expect(marker('a--> <b>', 'c d-->-')).toBe('<!-- weft:plan id=a-___b_ topology=c%20d%2D-%3E%2D -->');
  });

  it('recognize the mark of one topology, of an older release, and of a file that was renamed', () => {
    const owner = { id: 'europe', source: 'b--c.yaml', isOtherTopology: (it: string) => it === 'old--a.yaml' };
    const isMine = (id: string, source: string) => isPlanMarker(printPlanMarker({ id, source }), owner);
    expect(isMine('europe', 'b--c.yaml')).toBe(true);
    expect(isMine('europe', 'renamed.yaml')).toBe(true);
    expect(isPlanMarker('<!-- weft:plan id=europe -->', owner)).toBe(true);
    expect(isMine('europe', 'old--a.yaml')).toBe(false);
    expect(isMine('asia', 'b--c.yaml')).toBe(false);
    expect(isPlanMarker('<!-- weft:plan id=europe topology=%E0%A4%A -->', owner)).toBe(true);
    expect(isPlanMarker('weft:plan id=europe', owner)).toBe(false);
  });

  it('show in a commit that it is ours', () => {
    const message = withTrailer('Compile\n\nFrom it.\n', { source: 'a b.yaml', digest: 'c'.repeat(64) });
    expect(message).toBe(
      `Compile\n\nFrom it.\n\nWeft-Topology: a b.yaml\nWeft-Topology-Digest: sha256:${'c'.repeat(64)}\n`,
    );
    const commit = { id: '', tree: '', parents: [] };
    expect(isWeftCommit({ ...commit, message })).toBe(true);
    expect(sourceOf({ ...commit, message })).toBe('a b.yaml');
    expect(sourceOf({ ...commit, message: 'Weft-Topology: x' })).toBeUndefined();
    expect(isWeftCommit({ ...commit, message: 'Weft-Topology-Digest: soon' })).toBe(false);
  });
});
