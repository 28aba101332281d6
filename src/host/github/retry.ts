import type { Octokit } from '@octokit/rest';
import type { Clock, Waiting } from '../http/clock.ts';
import { type FailedRequest, MAX_ATTEMPTS, withRetries } from '../http/retries.ts';

/** GitHub recommends one write at a time, a second apart. Source: GitHub, best practices for the REST API. */
const WRITE_PAUSE_MILLISECONDS = 1000;
const MAX_TREE_ATTEMPTS = 2;

interface Request {
  readonly method: string;
  /** The URL with placeholders such as `{owner}`. */
  readonly url: string;
  /** The entries of a tree. */
  readonly tree?: readonly unknown[];
}

/** Makes octokit wait and retry where that is safe, and write one object after the other. */
export function installRetries(octokit: Octokit, waiting: Waiting): void {
  const serially = serializer(waiting.clock);
  octokit.hook.wrap('request', (request, options) => {
    const attempt = () =>
      withRetries(() => rejectTruncated(request(options)), {
        ...waiting,
        forge: 'GitHub',
        readFailure,
        mayRepeat: mayRepeat(options),
        maxAttempts: (failed) => maxAttempts(failed, options),
      });
    return options.method === 'GET' ? attempt() : serially(attempt);
  });
}

/** Runs writes one by one, each a pause after the previous one. */
function serializer(clock: Clock): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let doneAt = Number.NEGATIVE_INFINITY;
  return (run) => {
    const mine = last.then(async () => {
      const left = doneAt + WRITE_PAUSE_MILLISECONDS - clock.now();
      if (left > 0) await clock.sleep(left);
      try {
        return await run();
      } finally {
        doneAt = clock.now();
      }
    });
    // A failure is reported to its own caller; the next write starts.
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** The number of attempts: fewer for a tree, which is split if it is too large. */
const maxAttempts = ({ status }: FailedRequest, { url, tree }: Request): number =>
  status >= 500 && url.endsWith('/git/trees') && (tree?.length ?? 0) > 1 ? MAX_TREE_ATTEMPTS : MAX_ATTEMPTS;

/**
 * True for a request that may be repeated after its response was lost: it cannot create a second branch, pull request
 * or comment. Trees, blobs and commits are named by their content, labels and people are listed once, and all other
 * requests set the values that they name.
 */
const mayRepeat = ({ method, url }: Request): boolean =>
  method !== 'POST' || /\/(git\/(trees|blobs|commits)|labels|assignees|requested_reviewers)$/.test(url);

/** Rejects a truncated JSON response, which octokit returns as text. */
async function rejectTruncated<T extends { readonly data: unknown; readonly status: number }>(
  answer: Promise<T> | T,
): Promise<T> {
  const it = await answer;
  if (typeof it.data === 'string' && it.status !== 204) throw new TruncatedResponse();
  return it;
}

/** A truncated response counts as no response. */
class TruncatedResponse extends Error {
  override readonly name = 'TruncatedResponse';
  readonly status = 0;
  constructor() {
    super('the connection broke in the middle of the answer');
  }
}

/** An error of octokit, or of the connection below it; `undefined` for anything else, which is a bug. */
export function readFailure(error: unknown): FailedRequest | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  const response = 'response' in error ? error.response : undefined;
  const headers = isJsonObject(response) && isJsonObject(response['headers']) ? response['headers'] : {};
  const request = 'request' in error && isJsonObject(error.request) ? error.request : {};
  const isWrite = request['method'] !== undefined && request['method'] !== 'GET';
  // Without a response, the 500 comes from octokit: there was no answer.
  return { status: response === undefined ? 0 : error.status, message: error.message, headers, isWrite };
}

const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
