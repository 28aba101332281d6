/**
 * Something around weft is in the way: the disk, git, or the machine. Neither a mistake in the topology nor a bug of ours,
 * so `front/` prints it with the hint and exits with 2.
 */
export class EnvironmentError extends Error {
  override readonly name: string = 'EnvironmentError';
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string | undefined, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}
