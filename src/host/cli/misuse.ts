import { CommanderError } from 'commander';
import { OperationRefused } from '../app/operation-refused.ts';
import { CommandFailure } from '../front/command-failure.ts';
import { describeRefusal } from '../front/describe-refusal.ts';
import { COMMANDS, type CommandSpec } from './command-table.ts';
import { clustersHint, otherCommandHint, otherOptionHint, outputHint, type TypedOption } from './other-tools.ts';

/** An error of a command line as a failure with advice, if it is misuse; any other error as it is. */
export function misuse(error: unknown, argv: readonly string[]): unknown {
  if (error instanceof CommanderError) return usageFailure(error, argv);
  return error instanceof OperationRefused ? (namedClusterFailure(error, argv) ?? error) : error;
}

/** The messages of commander start with `error:` and have the suggestion on a second line. */
function usageFailure({ message: text, code }: CommanderError, argv: readonly string[]): CommandFailure {
  const [message = '', suggestion] = text.replace(/^error: /, '').split('\n');
  const similar = suggestion?.replace(/^\(Did you mean (one of )?(.*)\?\)$/, 'did you mean $2?');
  const command = commandOf(argv);
  const help = `run "weft ${command === undefined ? '' : `${command.name} `}--help"`;
  const hint = hintOf({ message, code, argv, command }) ?? similar ?? (command ? help : `${help} to list the commands`);
  return new CommandFailure(message, hint);
}

/** A name of a cluster in the place of a topology, which is more than a file that is missing. */
function namedClusterFailure(error: OperationRefused, argv: readonly string[]): CommandFailure | undefined {
  const { refusal } = error;
  const command = commandOf(argv);
  if (refusal.kind !== 'no-file' || command === undefined || !argv.includes(refusal.path)) return undefined;
  const hint = clustersHint([refusal.path], command);
  return hint === undefined ? undefined : new CommandFailure(describeRefusal(refusal).message, hint);
}

const SPECS: readonly CommandSpec[] = COMMANDS;

interface Misuse {
  readonly message: string;
  /** Of commander. */
  readonly code: string;
  readonly argv: readonly string[];
  readonly command: CommandSpec | undefined;
}

function hintOf({ message, code, argv, command }: Misuse): string | undefined {
  const [word = ''] = argv;
  const [, named = ''] = /'([^']*)'/.exec(message) ?? [];
  if (command === undefined) return code === 'commander.unknownCommand' ? commandHint(word) : undefined;
  switch (code) {
    case 'commander.unknownOption':
      return otherOptionHint(typedOption(named, argv), command);
    case 'commander.excessArguments':
      return clustersHint(wordsOf(argv).slice(command.name.split(' ').length), command);
    case 'commander.invalidArgument':
      return named.includes('--output')
        ? outputHint(/argument '(.*)' is invalid/.exec(message)?.[1] ?? '', command)
        : undefined;
    default:
      return undefined;
  }
}

/** `--cluster=rome`, and `--cluster rome`: an unknown option may have a value or not. */
function typedOption(option: string, argv: readonly string[]): TypedOption {
  const [, name = '', given] = /^--?([^=]*)(?:=(.*))?$/s.exec(option) ?? [];
  const next = argv[argv.indexOf(option) + 1];
  return { name, value: given ?? (next?.startsWith('-') ? undefined : next) };
}

function commandHint(word: string): string | undefined {
  const meant = SPECS.find((it) => it.otherNames?.includes(word));
  return meant === undefined ? otherCommandHint(word) : `did you mean ${meant.name}?`;
}

/** The command that a command line calls, if any. */
function commandOf(argv: readonly string[]): CommandSpec | undefined {
  const words = wordsOf(argv);
  return SPECS.find(({ name }) => name.split(' ').every((it, i) => words[i] === it));
}

const wordsOf = (argv: readonly string[]): readonly string[] => argv.filter((it) => !it.startsWith('-'));
