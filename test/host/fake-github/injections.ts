import type { SeenRequest } from './seen-request.ts';
import type { Answer } from './world.ts';

/**
 * The replacement of GitHub's answer: another one, a connection that breaks before or in the middle of the answer, or
 * nothing until the client's own patience ends.
 */
export type Fault = Answer | 'dropped' | 'half' | 'silence';

export interface Injection {
  readonly when: (request: SeenRequest) => boolean;
  /** The number of matching requests; by default one. */
  readonly times?: number;
  /** The number of matching requests that pass unchanged before. */
  readonly skip?: number;
  /** True if GitHub executed the request before the failure. */
  readonly effect: 'before' | 'after';
  readonly answer: Fault;
}

/** Something that others do on GitHub just before a request arrives; they may use the fake themselves. */
export interface Meanwhile {
  readonly when: (request: SeenRequest) => boolean;
  readonly times?: number;
  readonly skip?: number;
  readonly run: () => void | Promise<void>;
}

/** Things that wait for their requests, in the order in which they were put in. */
export interface Waiting<T> {
  readonly add: (item: T) => void;
  /** The first that fits; it has then happened once more. */
  readonly take: (request: SeenRequest) => T | null;
  /** All that fit. */
  readonly takeAll: (request: SeenRequest) => readonly T[];
  /** The injections without the expected number of requests: such a test proves nothing. */
  readonly left: () => number;
}

interface Row<T> {
  readonly item: T;
  skip: number;
  times: number;
}

export function waiting<T extends Pick<Injection, 'when' | 'times' | 'skip'>>(): Waiting<T> {
  const rows: Row<T>[] = [];
  const isDue = (row: Row<T>, request: SeenRequest): boolean => {
    if (row.times === 0 || !row.item.when(request)) return false;
    if (row.skip > 0) {
      row.skip -= 1;
      return false;
    }
    row.times -= 1;
    return true;
  };
  return {
    add: (item) => rows.push({ item, skip: item.skip ?? 0, times: item.times ?? 1 }),
    take: (request) => rows.find((it) => isDue(it, request))?.item ?? null,
    takeAll: (request) => rows.filter((it) => isDue(it, request)).map((it) => it.item),
    left: () => rows.filter((it) => it.times > 0 && Number.isFinite(it.times)).length,
  };
}

/** Requests by GitHub's name of the call. */
export const calling =
  (...operations: readonly string[]) =>
  ({ operation }: SeenRequest): boolean =>
    operation !== null && operations.includes(operation);
