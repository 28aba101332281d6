import { printJson } from '../../../answers/report/diagnostics-document.ts';
import {
  codesDocument,
  explainedCodeDocument,
  explainedKeyDocument,
  printCodes,
  printKey,
  wrapPage,
} from '../../../answers/report/explained.ts';
import { explainedCodes } from '../../app/explain-code.ts';
import { explainName, topKeys } from '../../app/explain-key.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { refused } from '../../front/refused.ts';
import { formatOf } from '../../front/report-diagnostics.ts';
import type { Call } from '../options-of.ts';

/** `weft explain NAME`: the page of a diagnostic or of a key of the topology; without a name the list of all codes. */
export async function explainCommand(host: Host, { args, options }: Call<'explain'>): Promise<ExitCode> {
  const [name] = args;
  const json = formatOf(options) === 'json';
  if (name === undefined) {
    const codes = explainedCodes();
    await host.stdout.write(
      json
        ? printJson(codesDocument(codes))
        : printCodes(codes, topKeys(), choosePaint(options.color, host.env, host.stdout)),
    );
    return EXIT.yes;
  }
  const result = explainName(name);
  const shown = (page: string) => wrapPage(page, host.stdout.columns);
  if (result.kind === 'refused') throw refused(result.refusal);
  if (result.kind === 'key')
    await host.stdout.write(json ? printJson(explainedKeyDocument(result)) : shown(printKey(result)));
  else await host.stdout.write(json ? printJson(explainedCodeDocument(result)) : shown(result.page));
  return EXIT.yes;
}
