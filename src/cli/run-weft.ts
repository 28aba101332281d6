import { CommanderError } from 'commander';
import { CommandFailure } from '../front/command-failure.ts';
import type { ExitCode, Host } from '../front/host.ts';
import { COMMANDS, type CommandSpec } from './command-table.ts';
import { runProgram } from './run-program.ts';

/** Runs one command line (without node and the script) and returns its exit code. Throws nothing. */
export async function runWeft(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    return await runProgram(host, argv);
  } catch (error) {
    const failure = error instanceof CommanderError ? usageFailure(error) : error;
    const settings = { color: colourAsked(argv), debug: argv.includes('--debug'), json: asksForJson(argv) };
    // Loaded here, because most command lines do not fail.
    const { printFailure } = await import('../front/print-failure.ts');
    return printFailure(host, failure, settings);
  }
}

/** A misuse error of commander as a failure. Its messages start with `error:` and have the suggestion on a second line. */
function usageFailure(error: CommanderError): CommandFailure {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\(Did you mean (one of )?(.*)\?\)$/, 'did you mean $2?');
  return new CommandFailure(message, hint ?? otherNameHint(message) ?? 'run "weft --help" to list the commands');
}

function otherNameHint(message: string): string | undefined {
  const [, typed = ''] = /^unknown command '(.*)'$/.exec(message) ?? [];
  const commands: readonly CommandSpec[] = COMMANDS;
  const meant = commands.find((it) => it.otherNames?.includes(typed));
  return meant === undefined ? undefined : `did you mean ${meant.name}?`;
}

/** The command line may be invalid, so this reads its words only. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (it, i) => ['-ojson', '--output=json'].includes(it) || (['-o', '--output'].includes(it) && argv[i + 1] === 'json'),
  );
}

function colourAsked(argv: readonly string[]): string | undefined {
  const at = argv.indexOf('--color');
  return at === -1 ? argv.find((it) => it.startsWith('--color='))?.slice('--color='.length) : argv[at + 1];
}
