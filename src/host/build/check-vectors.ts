import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { byCodeUnit } from '../../base/core/collections.ts';
import { type PrefixProblem, printPrefix, readPrefix } from '../../base/net/text.ts';
import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import { acceptsPools, createAllocator } from '../../fleet/ipam/allocators/create-allocator.ts';
import { NotVectors, readVectors, type VectorCase, type VectorOperation } from './read-vectors.ts';

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
    if (reading.ok) differences.push(...checkOperation(i + 1, operation, allocator));
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
