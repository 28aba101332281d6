import type { AllocatorKind } from '../../base/releases/allocators.ts';

/** A recorded sequence of requests to one allocator. The format is described beside the vector files. */
export interface VectorCase {
  readonly name: string;
  readonly allocator: AllocatorKind;
  readonly pools: readonly string[];
  /** The recorded error when the original refuses the pools themselves. */
  readonly poolsError?: string;
  readonly operations: readonly VectorOperation[];
}

export interface VectorOperation {
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
export class NotVectors extends Error {
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
