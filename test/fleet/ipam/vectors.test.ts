import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkVectorFolder, checkVectors, readVectors, type Verdict } from '../../../src/host/build/check-vectors.ts';
import { readVector, vectorFiles } from '../../support/vectors.ts';

const files = vectorFiles('ipam').filter((it) => it.endsWith('.json'));

describe('recorded answers of the original allocators', () => {
  it.each(files.filter((it) => !it.endsWith('.quirks.json')))('%s is reproduced', (file) => {
    const cases = readVectors(readVector(`ipam/${file}`));
    expect(cases.length).toBeGreaterThan(0);
    expect(cases.map((it) => [it.name, checkVectors(it)])).toEqual(cases.map((it) => [it.name, { kind: 'equal' }]));
  });

  it.each(files.filter((it) => it.endsWith('.quirks.json')))('%s is followed, or its input is refused', (file) => {
    const verdicts = readVectors(readVector(`ipam/${file}`)).map((it) => [it.name, checkVectors(it).kind]);
    expect(verdicts).toEqual([
      ['host-bits-set', 'refused'],
      ['host-bits-release', 'refused'],
      ['not-a-cidr', 'equal'],
      ['overlapping-pools', 'equal'],
      ['whole-pool', 'equal'],
      ['whole-pool-only-pool', 'equal'],
      ['adjacent-pools-spanned', 'equal'],
      ['ipv6', 'refused'],
    ]);
  });
});

const vector = (operations: readonly object[], more: object = {}): string =>
  JSON.stringify([{ name: 'a case', allocator: 'liqo-v1.0', pools: ['10.0.0.0/8'], operations, ...more }]);

const verdictOf = (text: string): Verdict => {
  const [first] = readVectors(text);
  if (first === undefined) throw new Error('no case');
  return checkVectors(first);
};

const RIGHT = { op: 'acquire', cidr: '10.1.0.0/16', result: '10.1.0.0/16' };

describe('checkVectors', () => {
  it('finds a wrong network, a wrong refusal and a refusal of the wrong kind', () => {
    const verdict = verdictOf(
      vector([
        RIGHT,
        { op: 'acquire', cidr: '10.1.0.0/16', result: '10.1.0.0/16' },
        { op: 'reserve', cidr: '10.1.0.0/16', shared: false, result: null, error: 'not-in-pool' },
        { op: 'release', cidr: '10.1.0.0/16', result: null },
        { op: 'acquire', cidr: '10.9.0.0/16', repeat: 2, results: ['10.9.0.0/16', '10.9.0.0/16'] },
      ]),
    );
    expect(verdict.kind === 'different' ? verdict.differences : []).toEqual([
      { operation: 2, repetition: 0, request: 'acquire 10.1.0.0/16', expected: '10.1.0.0/16', got: '10.0.0.0/16' },
      {
        operation: 3,
        repetition: 0,
        request: 'reserve 10.1.0.0/16',
        expected: 'null (not-in-pool)',
        got: 'null (unavailable)',
      },
      { operation: 4, repetition: 0, request: 'release 10.1.0.0/16', expected: 'null', got: '10.1.0.0/16' },
      { operation: 5, repetition: 2, request: 'acquire 10.9.0.0/16', expected: '10.9.0.0/16', got: '10.1.0.0/16' },
    ]);
  });

  it('requires that pools are refused exactly when they were', () => {
    const overlapping = { pools: ['10.0.0.0/8', '10.0.0.0/16'], poolsError: 'overlap', operations: [] };
    expect(verdictOf(vector([], { ...overlapping, allocator: 'liqo-v1.2' })).kind).toBe('equal');
    expect(verdictOf(vector([], { ...overlapping, allocator: 'liqo-v1.0' })).kind).toBe('different');
    expect(verdictOf(vector([], { poolsError: 'overlap', allocator: 'best-fit' })).kind).toBe('different');
  });

  it('calls an input refused only when weft refuses it', () => {
    const hostBits = { op: 'acquire', cidr: '10.90.0.0/12', result: '10.64.0.0/12' };
    expect(verdictOf(vector([RIGHT, hostBits]))).toEqual({
      kind: 'refused',
      operation: 2,
      reason: '"10.90.0.0/12" has host bits set, its network is 10.80.0.0/12',
    });
    expect(verdictOf(vector([{ ...RIGHT, result: null }, hostBits])).kind).toBe('different');
    expect(verdictOf(vector([{ ...RIGHT, cidr: 'fd00::/64' }])).kind).toBe('refused');
    expect(verdictOf(vector([{ ...RIGHT, cidr: 'foo', result: null, error: 'invalid' }, RIGHT])).kind).toBe('equal');
    expect(verdictOf(vector([{ ...RIGHT, cidr: 'foo' }])).kind).toBe('refused');
  });
});

describe('checkVectorFolder', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const it of folders.splice(0)) rmSync(it, { recursive: true });
  });

  const run = async (content: Readonly<Record<string, string>>, ...words: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-vectors-'));
    folders.push(folder);
    for (const [name, text] of Object.entries(content)) writeFileSync(join(folder, name), text);
    const printed: string[] = [];
    const complained: string[] = [];
    const printer = { print: (it: string) => printed.push(it), complain: (it: string) => complained.push(it) };
    const code = await checkVectorFolder([folder, ...words], printer);
    return { code, printed, complained: complained.map((it) => it.replaceAll(folder, 'DIR')) };
  };

  const wrong = vector([{ ...RIGHT, result: '10.2.0.0/16' }]);
  const refused = vector([{ ...RIGHT, cidr: '10.1.0.1/16' }]);

  it('passes equal answers', async () => {
    expect(await run({ 'a.json': vector([RIGHT]), 'b.json': vector([RIGHT]), 'notes.txt': 'x' })).toEqual({
      code: 0,
      printed: ['2 passed, 0 failed'],
      complained: [],
    });
  });

  it('names file, case, operation and both answers of a difference', async () => {
    expect(await run({ 'a.json': vector([RIGHT]), 'b.json': wrong })).toEqual({
      code: 1,
      printed: [
        'b.json: "a case": operation 1 (acquire 10.1.0.0/16): expected 10.2.0.0/16, got 10.1.0.0/16',
        '1 passed, 1 failed',
      ],
      complained: [],
    });
  });

  it('leaves quirks and seed tables to --quirks', async () => {
    const tables = `{"tests":[{"name":"t","cases":${wrong}}]}`;
    const content = { 'a.json': vector([RIGHT]), 'a.quirks.json': refused, 'seed-tables.json': tables };
    expect((await run(content)).printed).toEqual(['1 passed, 0 failed']);
    expect(await run(content, '--quirks')).toEqual({
      code: 1,
      printed: [
        'a.quirks.json: "a case": operation 1: weft refuses the input: "10.1.0.1/16" has host bits set, its network is 10.1.0.0/16',
        'seed-tables.json: "t: a case": operation 1 (acquire 10.1.0.0/16): expected 10.2.0.0/16, got 10.1.0.0/16',
        '2 passed, 1 failed',
      ],
      complained: [],
    });
  });

  it('does not let a refused input pass outside the quirks', async () => {
    expect((await run({ 'a.json': refused })).code).toBe(1);
  });

  it('exits with 2 when nothing can be checked', async () => {
    expect(await run({})).toEqual({ code: 2, printed: [], complained: ['no vector to check below DIR'] });
    expect((await run({ 'a.quirks.json': refused })).code).toBe(2);
    expect((await run({ 'a.json': vector([RIGHT]) }, 'another')).code).toBe(2);
    const silent = { print: () => {}, complain: () => {} };
    expect(await checkVectorFolder([], silent)).toBe(2);
    expect(await checkVectorFolder(['--quirks'], silent)).toBe(2);
    expect(await checkVectorFolder([join(tmpdir(), 'weft-no-such-folder')], silent)).toBe(2);
  });

  it.each([
    ['{', /^DIR.a\.json is not a vector file: /],
    ['{}', /"tests" is not a list/],
    ['[{"name":"x","allocator":"other"}]', /x: unknown allocator "other"/],
    [vector([{ op: 'take', cidr: '10.0.0.0/8', result: null }]), /a case: operation 1: unknown op "take"/],
    [vector([{ op: 'acquire', cidr: '10.0.0.0/8' }]), /a case: operation 1: a result is not a string/],
    [vector([{ ...RIGHT, repeat: 2, results: [null] }]), /"repeat" and the number of results differ/],
  ])('reports what is not a vector file: %s', async (text, message) => {
    const { code, complained } = await run({ 'a.json': text });
    expect(code).toBe(2);
    expect(complained[0]).toMatch(message);
  });
});
