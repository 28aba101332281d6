import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { completionWords } from '../completion/completion-words.ts';
import { printBash } from '../completion/print-bash.ts';
import { printFish } from '../completion/print-fish.ts';
import { printPowershell } from '../completion/print-powershell.ts';
import { printZsh } from '../completion/print-zsh.ts';
import type { Call } from '../options-of.ts';

const PRINTERS = { bash: printBash, zsh: printZsh, fish: printFish, powershell: printPowershell };

/** `weft completion SHELL`: a static script, generated from the command table. */
export async function completionCommand(host: Host, { args }: Call<'completion'>): Promise<ExitCode> {
  const [shell = ''] = args;
  const print = PRINTERS[shell as keyof typeof PRINTERS];
  if (print === undefined)
    throw new CommandFailure(
      `there is no completion for "${shell}"`,
      `choose one of ${Object.keys(PRINTERS).join(', ')}`,
    );
  await host.stdout.write(print(completionWords()));
  return EXIT.yes;
}
