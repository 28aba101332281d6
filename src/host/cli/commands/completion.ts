import { clusterNames } from '../../app/cluster-names.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { completionWords } from '../completion/completion-words.ts';
import { printBash } from '../completion/print-bash.ts';
import { printFish } from '../completion/print-fish.ts';
import { printPowershell } from '../completion/print-powershell.ts';
import { printZsh } from '../completion/print-zsh.ts';
import { topologyAmong } from '../completion/topology-among.ts';
import type { Call } from '../options-of.ts';

const PRINTERS = { bash: printBash, zsh: printZsh, fish: printFish, powershell: printPowershell };

/**
 * `weft completion SHELL`: a script that is generated from the command table. `weft completion clusters` is what the script asks
 * for: the names in the topology of a command line, one on each line, and nothing where there is none.
 */
export async function completionCommand(host: Host, { args }: Call<'completion'>): Promise<ExitCode> {
  const [shell = '', ...words] = args;
  if (shell === 'clusters') {
    const names = await clusterNames(diskPorts(host.cwd).files, topologyAmong(words));
    await host.stdout.write(names.map((it) => `${it}\n`).join(''));
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
