import { EXIT, type ExitCode } from './host.ts';

/** A command ends here: misuse, or something in the way. Caught in `run-weft.ts` and nowhere else. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string, hint?: string | undefined, exitCode: ExitCode = EXIT.unable) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}
