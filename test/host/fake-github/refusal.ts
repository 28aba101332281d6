import type { JsonObject } from './description.ts';
import type { Answer } from './world.ts';

/** GitHub says no: thrown by a handler, caught by the fetch function, answered as it is. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

const DOCUMENTATION = 'https://docs.github.com/rest';

export const saying = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body: { message, documentation_url: DOCUMENTATION, status: String(status) },
  headers,
});

export const refuse = (status: number, message: string): never => {
  throw new Refusal(saying(status, message));
};

export const notFound = (): never => refuse(404, 'Not Found');

/** `Validation Failed` with one error inside, as GitHub answers about pull requests and comments. */
export function refuseValidation(error: JsonObject): never {
  const answer = saying(422, 'Validation Failed');
  throw new Refusal({ ...answer, body: { ...(answer.body as JsonObject), errors: [error] } });
}

/** The limit of requests within an hour. Source: GitHub's REST reference, "Rate limits for the REST API". */
export const primaryLimit = (resetsAtSeconds: number, status: 403 | 429 = 403): Answer =>
  saying(status, 'API rate limit exceeded for installation ID 1.', {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(resetsAtSeconds),
  });

/** The limit of how fast and how much; without `retryAfterSeconds` one has to wait for a minute at least. */
export const secondaryLimit = (retryAfterSeconds: number | null, status: 403 | 429 = 403): Answer =>
  saying(
    status,
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) },
  );

export const notPermitted = (): Answer => saying(403, 'Resource not accessible by integration');

export const serverError = (status: 500 | 502 | 503 | 504 = 502): Answer => saying(status, 'Server Error');
