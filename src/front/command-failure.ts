import { EXIT, type ExitCode } from './host.ts';

/** Ends a command: misuse, or a failure of the environment. Caught only in `run-weft.ts`. */
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
