import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { addAll, byCodeUnit } from '../../base/core/collections.ts';
import { type PrefixProblem, printPrefix, readPrefix } from '../../base/net/text.ts';
import type { AllocatorKind } from '../../base/releases/allocators.ts';
import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import { acceptsPools, createAllocator } from '../../fleet/ipam/allocators/create-allocator.ts';

/** The output functions: `print` for results, `complain` for wrong usage. */
interface Printer {
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

interface Judgement {
  readonly passed: boolean;
  readonly lines: readonly string[];
}

const USAGE = 'usage: npm run vectors -- DIR [--quirks]';

/**
 * Checks every vector file below a folder and prints each difference, then the totals. Returns the exit code: 1 if
 * there is a difference, 2 if nothing could be checked.
 */
export async function checkVectorFolder(words: readonly string[], printer: Printer): Promise<0 | 1 | 2> {
  const [folder, ...more] = words.filter((it) => it !== '--quirks');
  const misuse = (message: string): 2 => {
    printer.complain(message);
    return 2;
  };
  if (folder === undefined || folder.startsWith('-') || more.length > 0) return misuse(USAGE);
  try {
    const judged = await judgeFolder(folder, words.includes('--quirks'));
    return judged.length === 0 ? misuse(`no vector to check below ${folder}`) : sayTotals(judged, printer);
  } catch (error) {
    if (error instanceof NotVectors || isFromDisk(error)) return misuse(error.message);
    throw error;
  }
}

function sayTotals(judged: readonly Judgement[], printer: Printer): 0 | 1 {
  for (const line of judged.flatMap((it) => it.lines)) printer.print(line);
  const failed = judged.filter((it) => !it.passed).length;
  printer.print(`${judged.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function judgeFolder(folder: string, withQuirks: boolean): Promise<readonly Judgement[]> {
  const known = await vectorFilesBelow(folder);
  const files = known.filter((it) => withQuirks || !(isQuirks(it) || /(^|[\\/])seed-tables\.json$/.test(it)));
  const judged: Judgement[] = [];
  for (const file of files) {
    for (const it of await readCases(file)) {
      judged.push(judgeCase(`${relative(folder, file)}: "${it.name}"`, checkVectors(it), isQuirks(file)));
    }
  }
  return judged;
}

const isQuirks = (file: string): boolean => file.endsWith('.quirks.json');

/** Judges the result of a case. A refused input is accepted only in quirks files; elsewhere it is a difference. */
function judgeCase(at: string, verdict: Verdict, isQuirk: boolean): Judgement {
  switch (verdict.kind) {
    case 'equal':
      return { passed: true, lines: [] };
    case 'refused': {
      const line = `${at}: operation ${verdict.operation}: weft refuses the input: ${verdict.reason}`;
      return { passed: isQuirk, lines: [line] };
    }
    case 'different':
      return { passed: false, lines: verdict.differences.map((it) => `${at}: ${printDifference(it)}`) };
  }
}

function printDifference({ operation, repetition, request, expected, got }: Difference): string {
  const time = repetition === 0 ? '' : `, time ${repetition}`;
  return `operation ${operation}${time} (${request}): expected ${expected}, got ${got}`;
}

async function readCases(file: string): Promise<readonly VectorCase[]> {
  const text = await readFile(file, 'utf8');
  try {
    return readVectors(text);
  } catch (error) {
    throw error instanceof NotVectors ? new NotVectors(`${file} is not a vector file: ${error.message}`) : error;
  }
}

/** All `*.json` files below a folder, in code unit order. */
async function vectorFilesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((it) => (it.isFile() || it.isSymbolicLink()) && it.name.endsWith('.json'))
    .map((it) => join(it.parentPath ?? it.path, it.name))
    .sort(byCodeUnit);
}

const isFromDisk = (error: unknown): error is Error => error instanceof Error && 'code' in error && 'syscall' in error;

/** An answer that differs from the recorded one. */
interface Difference {
  /** The number of the operation, counted from 1; 0 for the creation of the allocator. */
  readonly operation: number;
  /** The number of the repetition, counted from 1; 0 for an operation without repetitions. */
  readonly repetition: number;
  readonly request: string;
  readonly expected: string;
  readonly got: string;
}

/**
 * The result of a case. `refused`: weft refuses an input of the case before it reaches an allocator, so the recorded
 * behaviour cannot occur, and the rest of the case cannot be compared.
 */
export type Verdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'refused'; readonly operation: number; readonly reason: string }
  | { readonly kind: 'different'; readonly differences: readonly Difference[] };

/** Makes the requests of a case in order and compares every answer with the recorded one. */
export function checkVectors(it: VectorCase): Verdict {
  const pools = it.pools.map((text) => ({ text, reading: readPrefix(text) }));
  for (const { text, reading } of pools) {
    if (!reading.ok) return { kind: 'refused', operation: 0, reason: problemText(text, reading.problem) };
  }
  const prefixes = pools.flatMap(({ reading }) => (reading.ok ? [reading.prefix] : []));
  const got = acceptsPools(it.allocator, prefixes) ? 'accepted' : 'overlap';
  const expected = it.poolsError ?? 'accepted';
  if (got !== expected) {
    const request = `pools ${it.pools.join(', ')}`;
    return { kind: 'different', differences: [{ operation: 0, repetition: 0, request, expected, got }] };
  }
  return got === 'accepted' ? checkOperations(it, createAllocator(it.allocator, prefixes)) : { kind: 'equal' };
}

function checkOperations(it: VectorCase, allocator: Allocator): Verdict {
  const differences: Difference[] = [];
  for (const [i, operation] of it.operations.entries()) {
    const reading = readPrefix(operation.cidr);
    if (!reading.ok && !isRefusedByTheOriginalToo(operation, reading.problem)) {
      if (differences.length > 0) break;
      return { kind: 'refused', operation: i + 1, reason: problemText(operation.cidr, reading.problem) };
    }
    if (reading.ok) addAll(differences, checkOperation(i + 1, operation, allocator));
  }
  return differences.length === 0 ? { kind: 'equal' } : { kind: 'different', differences };
}

function checkOperation(number: number, operation: VectorOperation, allocator: Allocator): readonly Difference[] {
  return operation.results.flatMap((result, i) => {
    const answer = perform(operation, allocator);
    const expected = operation.error === undefined ? (result ?? 'null') : `${result ?? 'null'} (${operation.error})`;
    const got = operation.error === undefined ? (answer.result ?? 'null') : answerText(answer);
    if (got === expected) return [];
    const request = `${operation.op} ${operation.cidr}${operation.shared ? ' shared' : ''}`;
    return [{ operation: number, repetition: operation.results.length === 1 ? 0 : i + 1, request, expected, got }];
  });
}

interface AllocatorAnswer {
  readonly result: string | null;
  readonly error?: string;
}

function perform(operation: VectorOperation, allocator: Allocator): AllocatorAnswer {
  const reading = readPrefix(operation.cidr);
  if (!reading.ok) return { result: null, error: 'invalid' };
  if (operation.op === 'release') {
    const released = allocator.release(reading.prefix);
    return { result: released === undefined ? null : printPrefix(released) };
  }
  const allocation =
    operation.op === 'acquire'
      ? allocator.acquire(reading.prefix)
      : allocator.reserve(reading.prefix, operation.shared);
  return allocation.ok ? { result: printPrefix(allocation.prefix) } : { result: null, error: allocation.failure };
}

const answerText = (answer: AllocatorAnswer): string =>
  answer.error === undefined ? (answer.result ?? 'null') : `${answer.result ?? 'null'} (${answer.error})`;

/** True when the original refuses an invalid network too: it has no effect, so the rest of the case can be compared. */
function isRefusedByTheOriginalToo(operation: VectorOperation, problem: PrefixProblem): boolean {
  const isNoNetwork = problem.kind === 'not-a-cidr' || problem.kind === 'no-length';
  return isNoNetwork && operation.results.every((it) => it === null);
}

function problemText(text: string, problem: PrefixProblem): string {
  switch (problem.kind) {
    case 'ipv6':
      return `"${text}" is IPv6`;
    case 'host-bits':
      return `"${text}" has host bits set, its network is ${printPrefix(problem.network)}`;
    case 'no-length':
      return `"${text}" has no prefix length`;
    case 'not-a-cidr':
      return `"${text}" is not an IPv4 network`;
  }
}

/** A recorded sequence of requests to one allocator. The format is described beside the vector files. */
export interface VectorCase {
  readonly name: string;
  readonly allocator: AllocatorKind;
  readonly pools: readonly string[];
  /** The recorded error when the original refuses the pools themselves. */
  readonly poolsError?: string;
  readonly operations: readonly VectorOperation[];
}

interface VectorOperation {
  readonly op: 'acquire' | 'reserve' | 'release';
  readonly cidr: string;
  readonly shared: boolean;
  /** One answer for each repetition of the operation: a network, or `null` for a refusal. */
  readonly results: readonly (string | null)[];
  /** The kind of refusal, if it is recorded. */
  readonly error?: string;
}

/** Allocator names in vector files -> allocators. */
const ALLOCATORS: ReadonlyMap<unknown, AllocatorKind> = new Map([
  ['liqo-v1.0', 'liqo-1.0'],
  ['liqo-v1.2', 'liqo-1.2'],
  ['best-fit', 'best-fit'],
] as const);

/** Thrown for a text that is not a vector file. */
class NotVectors extends Error {
  override readonly name = 'NotVectors';
}

/** Reads a vector file: a list of cases or `{ "tests": [{ "cases" }] }`. Throws `NotVectors` for anything else. */
export function readVectors(text: string): readonly VectorCase[] {
  const file = parseVectors(text);
  if (!isObject(file)) return requireList(file, 'the file').map(readCase);
  return requireList(file['tests'], '"tests"').flatMap((test, i) => {
    const named = `${nameIn(test) ?? `test ${i + 1}`}: `;
    const cases = isObject(test) ? requireList(test['cases'], '"cases"') : fail(`test ${i + 1} is not an object`);
    return cases.map(readCase).map((it) => ({ ...it, name: `${named}${it.name}` }));
  });
}

function readCase(value: unknown, index: number): VectorCase {
  const at = nameIn(value) ?? `case ${index + 1}`;
  if (!isObject(value)) return fail(`${at} is not an object`);
  const poolsError = value['poolsError'];
  return {
    name: at,
    allocator:
      ALLOCATORS.get(value['allocator']) ?? fail(`${at}: unknown allocator ${JSON.stringify(value['allocator'])}`),
    pools: requireList(value['pools'], `${at}: "pools"`).map((it) => requireText(it, `${at}: a pool`)),
    ...(poolsError === undefined ? {} : { poolsError: requireText(poolsError, `${at}: "poolsError"`) }),
    operations: operationsOf(value, at).map((it, i) => readOperation(it, `${at}: operation ${i + 1}`)),
  };
}

/** The operations of a case. They may be omitted when the pools are refused, because there is no allocator. */
function operationsOf(value: Readonly<Record<string, unknown>>, at: string): readonly unknown[] {
  const isLeftOut = value['operations'] === undefined && value['poolsError'] !== undefined;
  return isLeftOut ? [] : requireList(value['operations'], `${at}: "operations"`);
}

function readOperation(value: unknown, at: string): VectorOperation {
  if (!isObject(value)) return fail(`${at} is not an object`);
  const op = value['op'];
  if (op !== 'acquire' && op !== 'reserve' && op !== 'release') return fail(`${at}: unknown op ${JSON.stringify(op)}`);
  const error = value['error'];
  return {
    op,
    cidr: requireText(value['cidr'], `${at}: "cidr"`),
    shared: value['shared'] === true,
    results: readResults(value, at),
    ...(error === undefined ? {} : { error: requireText(error, `${at}: "error"`) }),
  };
}

function readResults(value: Readonly<Record<string, unknown>>, at: string): readonly (string | null)[] {
  const answer = (it: unknown) => (it === null ? null : requireText(it, `${at}: a result`));
  if (value['repeat'] === undefined) return [answer(value['result'])];
  const results = requireList(value['results'], `${at}: "results"`).map(answer);
  return results.length === value['repeat'] ? results : fail(`${at}: "repeat" and the number of results differ`);
}

function parseVectors(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(error instanceof Error ? error.message : 'not JSON');
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameIn(value: unknown): string | undefined {
  const name = isObject(value) ? value['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function requireList(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(`${what} is not a list`);
}

function requireText(value: unknown, what: string): string {
  return typeof value === 'string' ? value : fail(`${what} is not a string`);
}

function fail(message: string): never {
  throw new NotVectors(message);
}
