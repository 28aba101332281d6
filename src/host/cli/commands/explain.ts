import { codesAnswer, pageAnswer } from '../../../answers/report/explained.ts';
import { explainedCodes, explainName, topKeys } from '../../app/explain.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { show } from '../../front/show.ts';
import { COMMANDS } from '../command-table.ts';
import type { Call } from '../options-of.ts';

/** `weft explain NAME`: the page of a diagnostic or of a key of the topology; without a name the list of all codes. */
export async function explainCommand(host: Host, { args: [name], options }: Call<'explain'>): Promise<ExitCode> {
  if (name === undefined)
    return show(host, options, codesAnswer, { codes: explainedCodes(), keys: topKeys() }, (list) => list);
  const found = explainName(name);
  if (found.kind !== 'key' && COMMANDS.some((it) => it.name === name)) {
    const page = found.kind === 'explained' ? `; "weft explain ${found.code}" explains a diagnostic` : '';
    throw new CommandFailure(`"${name}" is a command`, `run "weft ${name} --help"${page}`);
  }
  return show(host, options, pageAnswer, found, (page) => page);
}
