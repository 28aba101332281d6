import { diskPorts } from '../../app/disk-ports.ts';
import { clusterNames } from '../../app/topology-files.ts';
import { LISTS } from '../../app/view-cluster.ts';
import { isTopologyPath } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { fleetAround } from '../../front/fleet-of-call.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, namesOf, type OptionSpec } from '../command-table.ts';
import { completionWords, printBash, printFish, printPowershell, printZsh } from '../completion.ts';
import type { Call } from '../options-of.ts';

const PRINTERS = { bash: printBash, zsh: printZsh, fish: printFish, powershell: printPowershell };

/**
 * `weft completion SHELL`: a script that is generated from the command table. The script calls `weft completion
 * clusters`, which prints the names in the topology of a command line, one per line, and nothing without a topology.
 */
export async function completionCommand(host: Host, { args }: Call<'completion'>): Promise<ExitCode> {
  const [shell = '', ...words] = args;
  if (shell === 'clusters') {
    const names = await clusterNames(
      diskPorts(host.cwd).files,
      topologyAmong(words) ?? fleetAround(host.cwd)?.topology,
    );
    const all = names.length > 0 && beginsView(words) ? [...LISTS, ...names] : names;
    await host.stdout.write(all.map((it) => `${it}\n`).join(''));
    return EXIT.yes;
  }
  if (words.length > 0)
    throw new CommandFailure(`the script for ${shell} needs no more words`, `run "weft completion ${shell}"`);
  const print = PRINTERS[shell as keyof typeof PRINTERS];
  if (print === undefined)
    throw new CommandFailure(
      `there is no completion for "${shell}"`,
      `choose one of ${Object.keys(PRINTERS).join(', ')}`,
    );
  await host.stdout.write(print(completionWords()));
  return EXIT.yes;
}

/**
 * The topology in a command line that is not yet complete; `undefined` for the one that commands find.
 *
 * @param words the words after `weft` as the shell splits them: bash also splits at an equals sign
 */
function topologyAmong(words: readonly string[]): string | undefined {
  const spec = COMMANDS.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (spec === undefined) return undefined;
  const [first, ...rest] = positionals(spec, words.slice(spec.name.split(' ').length));
  return takesOnlyTopology(spec) ? first : [first, ...rest].find(isTopologyPath);
}

/** True where `weft view` has no cluster yet, in place of which it also takes a list. */
function beginsView([name, ...words]: readonly string[]): boolean {
  const spec = COMMANDS.find((it) => it.name === 'view');
  return spec !== undefined && name === spec.name && positionals(spec, words).every(isTopologyPath);
}

/** True for a command whose only argument is a topology, which then needs not look like a path. */
const takesOnlyTopology = ({ args }: CommandSpec): boolean => args.length === 1 && args[0]?.name === 'topology';

/** The words that are no options and no values of options. */
function positionals(spec: CommandSpec, words: readonly string[]): readonly string[] {
  const options: readonly OptionSpec[] = [...spec.options, ...GLOBAL_OPTIONS];
  const withValue = new Set(options.filter((it) => it.value !== undefined).flatMap(namesOf));
  const found: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (withValue.has(word)) i += words[i + 1] === '=' ? 2 : 1;
    else if (!word.startsWith('-')) found.push(word);
  }
  return found;
}
