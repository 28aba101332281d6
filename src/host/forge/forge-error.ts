/** Why a request failed. Forges use the same few status codes for most of these. */
export type ForgeFailure =
  | 'not-signed-in' //     the token is unknown or has expired
  | 'not-permitted' //     the token may not do this
  | 'pulls-not-permitted' // the repository forbids pull requests by this token
  | 'protected' //         a rule of the repository protects the branch
  | 'not-found' //         absent, or hidden from this token
  | 'empty' //             a repository without a commit
  | 'limited' //           too many requests, and the wait is longer than a job should sleep
  | 'too-large' //         one request contained too much
  | 'unreachable' //       no answer, or an incomplete one
  | 'refused'; //          anything else

/** A forge refused a request, or did not respond. It is no bug: `front/` prints it, and the exit code is 2. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  readonly failure: ForgeFailure;
  readonly hint: string;
  /** HTTP status code; 0 without a response. */
  readonly status: number;
  /** The message of the forge. */
  readonly reason: string;

  constructor(failure: ForgeFailure, { operation, reason, status, hint }: ForgeErrorDetails) {
    super(`cannot ${operation}: ${reason}${status === 0 ? '' : ` (${status})`}`);
    this.failure = failure;
    this.hint = hint;
    this.status = status;
    this.reason = reason;
  }
}

interface ForgeErrorDetails {
  /** The failed operation, worded to follow "cannot". */
  readonly operation: string;
  readonly reason: string;
  readonly status: number;
  readonly hint: string;
}
