import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printHeader } from '../../src/core/header.ts';
import { writeBundle } from './bundle-files.ts';
import { differingPaths, type Files, readRecord, TWIN_FILE, writeRecord } from './golden-record.ts';

const HEADER = printHeader('topology.yaml');
const OLD = '# Made by an older weft, with another sentence.\n';

const files = (all: Readonly<Record<string, string>>): Files => new Map(Object.entries(all));

describe('differing paths', () => {
  it.each([
    ['the same', { a: `${HEADER}x\n` }, { a: `${HEADER}x\n` }, []],
    ['another wording of the header', { a: `${HEADER}x\n` }, { a: `${OLD}x\n` }, []],
    ['another text below the header', { a: `${HEADER}x\n` }, { a: `${OLD}y\n` }, ['a']],
    ['no header any more', { a: 'x\n' }, { a: `${HEADER}x\n` }, ['a']],
    ['a header where none was', { a: `${HEADER}x\n` }, { a: 'x\n' }, ['a']],
    ['another first comment that is no header', { a: '# new\nx\n' }, { a: '# old\nx\n' }, ['a']],
    ['a file more and a file less', { a: '', b: '' }, { b: '', c: '' }, ['a', 'c']],
  ])('%s', (_, produced, recorded, paths) => {
    expect(differingPaths(files(produced), files(recorded))).toEqual(paths);
  });
});

describe('a golden with a twin', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'weft-golden-record-'));
    writeBundle(root, files({ 'one/topology.yaml': 'in', 'one/out/a': 'x', 'one/diagnostics.txt': '1' }));
    writeBundle(root, files({ [`two/${TWIN_FILE}`]: 'one\n', 'two/topology.yaml': 'in', 'two/diagnostics.txt': '2' }));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('has the out/ of its twin, and the rest of its own', () => {
    expect(readRecord(root, 'two')).toEqual({ files: files({ 'diagnostics.txt': '2', 'out/a': 'x' }), twin: 'one' });
  });

  it('has no out/ of its own, and no twin of a twin', () => {
    writeBundle(root, files({ [`three/${TWIN_FILE}`]: 'two\n', [`four/${TWIN_FILE}`]: 'one\n', 'four/out/a': 'x' }));
    expect(() => readRecord(root, 'three')).toThrow('three/out.same-as names two, which has no out/ of its own');
    expect(() => readRecord(root, 'four')).toThrow('four has an out/ and a out.same-as');
  });

  it('keeps it when both are updated to the same', () => {
    const produced = files({ 'diagnostics.txt': 'new', 'out/b': 'y' });
    for (const name of ['two', 'one']) writeRecord(root, name, { files: produced, filesOf: () => produced });
    expect(existsSync(join(root, 'two/out'))).toBe(false);
    expect(readRecord(root, 'two')).toEqual({ files: produced, twin: 'one' });
    expect(readFileSync(join(root, 'two/topology.yaml'), 'utf8')).toBe('in');
  });

  it('loses it when it is updated to something else', () => {
    const produced = files({ 'diagnostics.txt': 'new', 'out/a': 'y' });
    writeRecord(root, 'two', { files: produced, filesOf: () => files({ 'out/a': 'x' }) });
    expect(readRecord(root, 'two')).toEqual({ files: produced, twin: null });
    expect(readRecord(root, 'one').files.get('out/a')).toBe('x');
  });
});

it('a file whose header alone is worded differently is not written again', () => {
  const root = mkdtempSync(join(tmpdir(), 'weft-golden-record-'));
  try {
    const before = `# An older wording.\nkind: A\n`;
    writeBundle(root, files({ 'one/out/a': before, 'one/out/b': before }));
    const header = printHeader('topology.yaml');
    const produced = files({ 'out/a': `${header}kind: A\n`, 'out/b': `${header}kind: B\n` });
    writeRecord(root, 'one', { files: produced, filesOf: () => new Map() });
    expect(readRecord(root, 'one').files).toEqual(files({ 'out/a': before, 'out/b': `${header}kind: B\n` }));
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('a file that nothing produces any more goes from the record', () => {
  const root = mkdtempSync(join(tmpdir(), 'weft-golden-record-'));
  try {
    writeBundle(root, files({ 'one/out/a': 'x', 'one/out/b': 'x', 'one/topology.lock.yaml': 'x' }));
    writeRecord(root, 'one', { files: files({ 'out/a': 'z' }), filesOf: () => new Map() });
    expect(readRecord(root, 'one').files).toEqual(files({ 'out/a': 'z' }));
  } finally {
    rmSync(root, { recursive: true });
  }
});
