import { codesAnswer, pageAnswer } from '../../../answers/report/explained.ts';
import { explainedCodes, explainName, topKeys } from '../../app/explain.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft explain NAME`: the page of a diagnostic or of a key of the topology; without a name the list of all codes. */
export async function explainCommand(host: Host, { args: [name], options }: Call<'explain'>): Promise<ExitCode> {
  return name === undefined
    ? show(host, options, codesAnswer, { codes: explainedCodes(), keys: topKeys() }, (list) => list)
    : show(host, options, pageAnswer, explainName(name), (page) => page);
}
