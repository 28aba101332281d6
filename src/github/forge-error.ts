/** What kind of no it is. The names are ours; GitHub says most of them with the same few numbers. */
export type ForgeFailure =
  | 'not-signed-in' //     the token is unknown or has run out
  | 'not-permitted' //     the token may not do this
  | 'pulls-not-permitted' // the repository forbids pull requests by this token
  | 'protected' //         a rule of the repository guards the branch
  | 'not-found' //         absent, or hidden from this token
  | 'empty' //             a repository without a commit
  | 'limited' //           too many requests, and the wait is longer than a job should sleep
  | 'too-large' //         one request held too much
  | 'unreachable' //       no answer, or half of one
  | 'refused'; //          anything else

/** GitHub said no, or nothing. Neither a mistake in the topology nor a bug: `cli/` prints it and exits 2. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  readonly failure: ForgeFailure;
  readonly hint: string;
  /** The number of the answer; 0 without one. */
  readonly status: number;
  /** What the forge itself said. */
  readonly said: string;

  constructor(failure: ForgeFailure, { doing, said, status, hint }: ForgeComplaint) {
    super(`cannot ${doing}: ${said}${status === 0 ? '' : ` (${status})`}`);
    this.failure = failure;
    this.hint = hint;
    this.status = status;
    this.said = said;
  }
}

interface ForgeComplaint {
  /** What was tried, behind "cannot". */
  readonly doing: string;
  readonly said: string;
  readonly status: number;
  readonly hint: string;
}
