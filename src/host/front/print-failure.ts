import { diagnosticsDocument, printJson } from '../../answers/report/diagnostics-document.ts';
import { visibleFields, visibleText } from '../../base/core/visible-text.ts';
import { OperationRefused } from '../app/refusal.ts';
import { DiskError, EnvironmentError } from '../disk/disk-error.ts';
import type { ForgeTerms } from '../forge/forge.ts';
import { choosePaint } from './choose-paint.ts';
import { CommandFailure } from './command-failure.ts';
import { EXIT, type ExitCode, type Host } from './host.ts';

interface FailureSettings {
  readonly color: string | undefined;
  /** Also print the stack. */
  readonly debug: boolean;
  /** True if stdout must be one JSON document, also after a failure. */
  readonly json: boolean;
}

/** Prints a failure on stderr with a hint, and returns its exit code. */
export async function printFailure(
  host: Host,
  error: unknown,
  { color, debug, json }: FailureSettings,
): Promise<ExitCode> {
  const { message, hint, exitCode } = describeFailure(await worded(error), host);
  const paint = choosePaint(color, host.env, host.stderr);
  const advice = hint === undefined ? '' : `  ${paint.good('hint')}: ${hint}\n`;
  const stack =
    debug && error instanceof Error ? `${(error.stack ?? '').split('\n').map(visibleText).join('\n')}\n` : '';
  await host.stderr.write(`${paint.error('error')}: ${message}\n${advice}${stack}`);
  if (json) await host.stdout.write(failureDocument({ message, hint, exitCode }));
  return exitCode;
}

interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
}

/** Turns a thrown refusal into a failure, on a forge in its terms; the words are loaded only when they are needed. */
export async function worded(error: unknown, terms?: ForgeTerms): Promise<unknown> {
  if (!(error instanceof OperationRefused)) return error;
  const { refused } = await import('./refused.ts');
  return Object.assign(refused(error.refusal, terms), { stack: error.stack });
}

/** Describes a failure of any kind. */
export function describeFailure(error: unknown, host: Host): Failure {
  if (error instanceof CommandFailure) return { message: error.message, hint: error.hint, exitCode: error.exitCode };
  if (error instanceof DiskError)
    return visibleFields({ message: `${error.path}: ${error.message}`, hint: error.hint, exitCode: EXIT.unable });
  if (error instanceof EnvironmentError)
    return visibleFields({ message: error.message, hint: error.hint, exitCode: EXIT.unable });
  const what = error instanceof Error ? error.message : String(error);
  return {
    message: `weft ${host.build} has a bug: ${visibleText(what)}`,
    hint: "report it in weft's issue tracker, with the topology if you can share it; --debug prints the stack",
    exitCode: EXIT.bug,
  };
}

/** The JSON document for stdout if there is no answer. */
const failureDocument = ({ message, hint }: Failure): string =>
  printJson({ ...diagnosticsDocument([]), ok: false, failure: { message, hint: hint ?? null } });
