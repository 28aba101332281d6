import { EXIT, type ExitCode } from './host.ts';

/** A command cannot go on, and says why: misuse, or something in the way. Caught in `run-weft.ts` and nowhere else. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string, hint?: string | undefined, exitCode: ExitCode = EXIT.unable) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}
