import { CommanderError } from 'commander';
import { OperationRefused } from '../app/operation-refused.ts';
import { DiskError } from '../disk/disk-error.ts';
import { EnvironmentError } from '../disk/environment-error.ts';
import { choosePaint } from './choose-paint.ts';
import { CommandFailure } from './command-failure.ts';
import { EXIT, type ExitCode, type Host } from './host.ts';
import { makeProgram } from './program.ts';

/** Runs one command line (without node and the script) and says how it ended. Nothing is thrown. */
export async function runWeft(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    return await makeProgram(host).run(argv);
  } catch (error) {
    const failure = describeFailure(error, host, argv.includes('--debug'));
    const paint = choosePaint(colourAsked(argv), host.env, host.stderr);
    const hint = failure.hint === undefined ? '' : `  ${paint.good('hint')}: ${failure.hint}\n`;
    await host.stderr.write(`${paint.error('error')}: ${failure.message}\n${hint}${failure.stack}`);
    if (asksForJson(argv)) await host.stdout.write(failureDocument(failure));
    return failure.exitCode;
  }
}

interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  readonly stack: string;
}

function describeFailure(error: unknown, host: Host, debug: boolean): Failure {
  const stack = debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  if (error instanceof CommandFailure)
    return { message: error.message, hint: error.hint, exitCode: error.exitCode, stack };
  if (error instanceof DiskError)
    return { message: `${error.path}: ${error.message}`, hint: error.hint, exitCode: EXIT.unable, stack };
  if (error instanceof OperationRefused || error instanceof EnvironmentError)
    return { message: error.message, hint: error.hint, exitCode: EXIT.unable, stack };
  if (error instanceof CommanderError) return { ...usageFailure(error), stack };
  const what = error instanceof Error ? error.message : String(error);
  return {
    message: `weft ${host.version} has a fault, and it is not yours: ${what}`,
    hint: "please report it in weft's issue tracker, with the topology if you can share it; --debug prints where it happened",
    exitCode: EXIT.bug,
    stack,
  };
}

/** What commander says about misuse, in our words: its own start with `error:` and put the suggestion on a line below. */
function usageFailure(error: CommanderError): Omit<Failure, 'stack'> {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const meant = suggestion?.replace(/^\(Did you mean (one of )?(.*)\?\)$/, 'did you mean $2?');
  return { message, hint: meant ?? 'weft --help lists the commands', exitCode: EXIT.unable };
}

/** The one document that stdout owes even when there is no answer. */
function failureDocument({ message, hint }: Failure): string {
  const document = {
    schemaVersion: 1,
    ok: false,
    summary: { errors: 0, warnings: 0, notes: 0 },
    diagnostics: [],
    failure: { message, hint: hint ?? null },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The command line may be one that could not be read, so this looks at its words alone. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (it, i) => ['-ojson', '--output=json'].includes(it) || (['-o', '--output'].includes(it) && argv[i + 1] === 'json'),
  );
}

function colourAsked(argv: readonly string[]): string | undefined {
  const at = argv.indexOf('--color');
  return at === -1 ? argv.find((it) => it.startsWith('--color='))?.slice('--color='.length) : argv[at + 1];
}
