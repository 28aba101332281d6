import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRecord, printRecord } from '../../../src/disk/tree/bundle-record.ts';

const HASH = 'a'.repeat(64);

describe('the record of weft files', () => {
  it('has a row a line, sorted by code unit, and nothing that changes by itself', () => {
    const record = new Map([
      ['rome/kustomization.yaml', HASH],
      ['_argocd/fleet.yaml', 'b'.repeat(64)],
      ['Zeta', HASH],
      ['10', HASH],
    ]);
    expect(printRecord(record)).toBe(
      `{\n  "version": 1,\n  "files": {\n    "10": "${HASH}",\n    "Zeta": "${HASH}",\n` +
        `    "_argocd/fleet.yaml": "${'b'.repeat(64)}",\n    "rome/kustomization.yaml": "${HASH}"\n  }\n}\n`,
    );
    expect(printRecord(new Map())).toBe('{\n  "version": 1,\n  "files": {}\n}\n');
  });

  it('reads back what it prints, whatever the paths', () => {
    const segment = fc.string({ minLength: 1, maxLength: 6 }).filter((it) => !/[\\/\0:.]/.test(it));
    const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((it) => it.join('/'));
    fc.assert(
      fc.property(fc.array(fc.oneof(path, fc.constant('__proto__'))), (paths) => {
        const record = new Map(paths.map((it) => [it, HASH]));
        const text = printRecord(record);
        const read = parseRecord(text);
        expect(read.ok && printRecord(read.record)).toBe(text);
        expect(read.ok && [...read.record.keys()].sort()).toEqual([...record.keys()].sort());
      }),
    );
  });

  it('takes what a clean merge leaves: any order, a row twice', () => {
    const text = `{"files": {"b": "${HASH}", "a": "${'b'.repeat(64)}", "a": "${HASH}"}, "version": 1}`;
    expect(parseRecord(text)).toEqual({
      ok: true,
      record: new Map([
        ['b', HASH],
        ['a', HASH],
      ]),
    });
  });

  it.each([
    ['', 'is not the JSON that weft writes'],
    ['{', 'is not the JSON that weft writes'],
    ['[]', 'is not the JSON that weft writes'],
    ['null', 'is not the JSON that weft writes'],
    ['{"version": 1}', 'is not the JSON that weft writes'],
    ['{"version": 1, "files": []}', 'is not the JSON that weft writes'],
    ['{"version": 2, "files": {}}', 'is of version 2, which a newer weft wrote'],
    ['{"version": 1, "files": {"a": "b"}}', 'has no SHA-256 for "a"'],
    [`{"version": 1, "files": {"../a": "${HASH}"}}`, 'names "../a", which leaves its folder through ".."'],
    [`{"version": 1, "files": {"/etc/passwd": "${HASH}"}}`, 'names "/etc/passwd", which is absolute'],
    [
      `{"version": 1, "files": {".weft/lock": "${HASH}"}}`,
      'names ".weft/lock", which is in ".weft", which is reserved for weft',
    ],
  ])('says what is wrong with %j', (text, message) => {
    expect(parseRecord(text)).toEqual({ ok: false, message });
  });

  it('takes the rows of both branches while the marks of a merge conflict stand in it', () => {
    const rows = (path: string, hash: string) => `    "${path}": "${hash}",\n`;
    const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
    const text = `{\n  "version": 1,\n  "files": {\n<<<<<<< ours\n${rows('h/a.yaml', a)}${rows('h/m.yaml', a)}=======\n${rows('h/a.yaml', b)}${rows('h/k.yaml', b)}>>>>>>> theirs\n${rows('../x', a)}    "z.yaml": "${a}"\n  }\n}\n`;
    const read = parseRecord(text);
    expect(read.ok && [...read.record]).toEqual([
      ['h/a.yaml', b],
      ['h/m.yaml', a],
      ['h/k.yaml', b],
      ['z.yaml', a],
    ]);
  });
});
