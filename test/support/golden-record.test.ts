import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printHeader } from '../../src/base/core/generated-files.ts';
import { differingPaths, type Files, partsOf, readRecord, recordOf, writeRecord } from './golden-record.ts';

const HEADER = printHeader('topology.yaml');

const files = (all: Readonly<Record<string, string>>): Files => new Map(Object.entries(all));

const PRODUCED = files({
  'diagnostics.txt': 'none\n',
  'topology.lock.yaml': `${HEADER}version: 1\n`,
  'out/b.nft': `${HEADER}table ip liqo {}\n`,
  'out/a.json': '{}\n',
});

describe('the record of a golden', () => {
  it('has every file of out/ in one file, without the line that says where it is from', () => {
    expect(recordOf('a-fleet', PRODUCED)).toEqual(
      files({
        'diagnostics.txt': 'none\n',
        'topology.lock.yaml': 'version: 1\n',
        'out.txt': '==> out/a.json\n{}\n==> out/b.nft\ntable ip liqo {}\n',
      }),
    );
  });

  it('has a hash in its place for a warning or a note, which every byte changes', () => {
    const hashOf = (text: string): unknown =>
      recordOf('warns-of-it', files({ 'diagnostics.txt': '', 'out/a.json': text })).get('out.sha256');
    expect([...recordOf('notes-it', PRODUCED).keys()]).toEqual(['diagnostics.txt', 'topology.lock.yaml', 'out.sha256']);
    expect(hashOf('{}\n')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(hashOf('{}\n')).not.toBe(hashOf('[]\n'));
  });

  it('has nothing of out/ where nothing compiled', () => {
    expect(recordOf('invalid-it', files({ 'diagnostics.txt': 'error\n' }))).toEqual(
      files({ 'diagnostics.txt': 'error\n' }),
    );
  });
});

describe('differing paths', () => {
  const record = (out: Readonly<Record<string, string>>): Files => recordOf('a-fleet', files(out));

  it.each([
    ['the same', { 'out/a': 'x\n' }, { 'out/a': 'x\n' }, []],
    ['another text', { 'out/a': 'x\n', 'out/b': 'x\n' }, { 'out/a': 'y\n', 'out/b': 'x\n' }, ['out/a']],
    [
      'a file more and a file less',
      { 'out/a': '\n', 'out/b': '\n' },
      { 'out/b': '\n', 'out/c': '\n' },
      ['out/a', 'out/c'],
    ],
    ['beside out/', { 'diagnostics.txt': '1' }, { 'diagnostics.txt': '2' }, ['diagnostics.txt']],
  ])('%s', (_, produced, recorded, paths) => {
    expect(differingPaths(record(produced), record(recorded))).toEqual(paths);
  });

  it('name the files inside out.txt', () => {
    expect([...partsOf(recordOf('a-fleet', PRODUCED)).keys()]).toEqual([
      'diagnostics.txt',
      'topology.lock.yaml',
      'out/a.json',
      'out/b.nft',
    ]);
  });
});

describe('a record on disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-golden-record-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is read as it was written', () => {
    writeRecord(folder, recordOf('a-fleet', PRODUCED));
    expect(readRecord(folder)).toEqual(recordOf('a-fleet', PRODUCED));
  });

  it('loses what nothing produces any more', () => {
    writeRecord(folder, recordOf('a-fleet', PRODUCED));
    writeRecord(folder, recordOf('a-fleet', files({ 'diagnostics.txt': 'error\n' })));
    expect(readdirSync(folder)).toEqual(['diagnostics.txt']);
  });
});
