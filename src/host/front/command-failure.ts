import { visibleText } from '../../base/core/visible-text.ts';
import { EXIT, type ExitCode } from './host.ts';

/**
 * Ends a command: misuse, or a failure of the environment. Caught only in `run-weft.ts`. Its message and its hint are
 * visible text; several lines are passed one by one.
 */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string | readonly string[], hint?: string | undefined, exitCode: ExitCode = EXIT.unable) {
    super([message].flat().map(visibleText).join('\n'));
    this.hint = hint === undefined ? undefined : visibleText(hint);
    this.exitCode = exitCode;
  }
}
