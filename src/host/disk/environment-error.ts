/**
 * A failure of the environment: the disk, git, or the machine. It is neither a mistake in the topology nor a bug of weft,
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
