import type { AllocatorKind } from '../../base/releases/allocators.ts';

/** A recorded sequence of requests to one allocator. The format is described beside the vector files. */
export interface VectorCase {
  readonly name: string;
  readonly allocator: AllocatorKind;
  readonly pools: readonly string[];
  /** Set when the original refuses the pools themselves. */
  readonly poolsError?: string;
  readonly operations: readonly VectorOperation[];
}

export interface VectorOperation {
  readonly op: 'acquire' | 'reserve' | 'release';
  readonly cidr: string;
  readonly shared: boolean;
  /** One answer for each time the operation is made: a network, or `null` for a refusal. */
  readonly results: readonly (string | null)[];
  /** The kind of refusal, where it is recorded. */
  readonly error?: string;
}

/** The names of the allocators in vector files. */
const ALLOCATORS: ReadonlyMap<unknown, AllocatorKind> = new Map([
  ['liqo-v1.0', 'liqo-1.0'],
  ['liqo-v1.2', 'liqo-1.2'],
  ['best-fit', 'best-fit'],
] as const);

/** A text that is no vector file. */
export class NotVectors extends Error {
  override readonly name = 'NotVectors';
}

/** Reads a vector file, a list of cases or `{ "tests": [{ "cases" }] }`. Throws `NotVectors` on anything else. */
export function readVectors(text: string): readonly VectorCase[] {
  const file = parseJson(text);
  if (!isObject(file)) return listOf(file, 'the file').map(readCase);
  return listOf(file['tests'], '"tests"').flatMap((test, i) => {
    const named = `${nameOf(test) ?? `test ${i + 1}`}: `;
    const cases = isObject(test) ? listOf(test['cases'], '"cases"') : fail(`test ${i + 1} is not an object`);
    return cases.map(readCase).map((it) => ({ ...it, name: `${named}${it.name}` }));
  });
}

function readCase(value: unknown, index: number): VectorCase {
  const at = nameOf(value) ?? `case ${index + 1}`;
  if (!isObject(value)) return fail(`${at} is not an object`);
  const poolsError = value['poolsError'];
  return {
    name: at,
    allocator:
      ALLOCATORS.get(value['allocator']) ?? fail(`${at}: unknown allocator ${JSON.stringify(value['allocator'])}`),
    pools: listOf(value['pools'], `${at}: "pools"`).map((it) => textOf(it, `${at}: a pool`)),
    ...(poolsError === undefined ? {} : { poolsError: textOf(poolsError, `${at}: "poolsError"`) }),
    operations: operationsOf(value, at).map((it, i) => readOperation(it, `${at}: operation ${i + 1}`)),
  };
}

/** If the pools are refused there is no allocator, so the operations may be omitted. */
function operationsOf(value: Readonly<Record<string, unknown>>, at: string): readonly unknown[] {
  const isLeftOut = value['operations'] === undefined && value['poolsError'] !== undefined;
  return isLeftOut ? [] : listOf(value['operations'], `${at}: "operations"`);
}

function readOperation(value: unknown, at: string): VectorOperation {
  if (!isObject(value)) return fail(`${at} is not an object`);
  const op = value['op'];
  if (op !== 'acquire' && op !== 'reserve' && op !== 'release') return fail(`${at}: unknown op ${JSON.stringify(op)}`);
  const error = value['error'];
  return {
    op,
    cidr: textOf(value['cidr'], `${at}: "cidr"`),
    shared: value['shared'] === true,
    results: readResults(value, at),
    ...(error === undefined ? {} : { error: textOf(error, `${at}: "error"`) }),
  };
}

function readResults(value: Readonly<Record<string, unknown>>, at: string): readonly (string | null)[] {
  const answer = (it: unknown) => (it === null ? null : textOf(it, `${at}: a result`));
  if (value['repeat'] === undefined) return [answer(value['result'])];
  const results = listOf(value['results'], `${at}: "results"`).map(answer);
  return results.length === value['repeat'] ? results : fail(`${at}: "repeat" and the number of results differ`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(error instanceof Error ? error.message : 'not JSON');
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string | undefined {
  const name = isObject(value) ? value['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(`${what} is not a list`);
}

function textOf(value: unknown, what: string): string {
  return typeof value === 'string' ? value : fail(`${what} is not a string`);
}

function fail(message: string): never {
  throw new NotVectors(message);
}
