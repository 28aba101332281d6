import { type PrefixProblem, printPrefix, readPrefix } from '../../base/net/text.ts';
import type { Allocator } from '../../fleet/ipam/allocators/allocator.ts';
import { acceptsPools, createAllocator } from '../../fleet/ipam/allocators/create-allocator.ts';
import type { VectorCase, VectorOperation } from './read-vectors.ts';

/** An answer that differs from the recorded one. */
export interface Difference {
  /** Counted from 1; 0 stands for the creation of the allocator. */
  readonly operation: number;
  /** Which repetition of it, counted from 1; 0 when it is made once. */
  readonly repetition: number;
  readonly request: string;
  readonly expected: string;
  readonly got: string;
}

/**
 * The result of a case. `refused`: weft refuses an input of the case before an allocator gets it, so the recorded behaviour
 * cannot occur, and the rest of the case cannot be compared.
 */
export type Verdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'refused'; readonly operation: number; readonly reason: string }
  | { readonly kind: 'different'; readonly differences: readonly Difference[] };

/** Makes the requests of a case in order and compares every answer with the recorded one. */
export function checkVectors(it: VectorCase): Verdict {
  const pools = it.pools.map((text) => ({ text, reading: readPrefix(text) }));
  for (const { text, reading } of pools) {
    if (!reading.ok) return { kind: 'refused', operation: 0, reason: reasonOf(text, reading.problem) };
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
      return { kind: 'refused', operation: i + 1, reason: reasonOf(operation.cidr, reading.problem) };
    }
    if (reading.ok) differences.push(...checkOperation(i + 1, operation, allocator));
  }
  return differences.length === 0 ? { kind: 'equal' } : { kind: 'different', differences };
}

function checkOperation(number: number, operation: VectorOperation, allocator: Allocator): readonly Difference[] {
  return operation.results.flatMap((result, i) => {
    const answer = perform(operation, allocator);
    const expected = operation.error === undefined ? (result ?? 'null') : `${result ?? 'null'} (${operation.error})`;
    const got = operation.error === undefined ? (answer.result ?? 'null') : print(answer);
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

const print = (answer: AllocatorAnswer): string =>
  answer.error === undefined ? (answer.result ?? 'null') : `${answer.result ?? 'null'} (${answer.error})`;

/** An invalid network has no effect in the original either, so the rest of the case can be compared. */
function isRefusedByTheOriginalToo(operation: VectorOperation, problem: PrefixProblem): boolean {
  const isNoNetwork = problem.kind === 'not-a-cidr' || problem.kind === 'no-length';
  return isNoNetwork && operation.results.every((it) => it === null);
}

function reasonOf(text: string, problem: PrefixProblem): string {
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
