import { explainCode, explainedCodes } from '../../app/explain-code.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { refused } from '../../front/refused.ts';
import { formatOf } from '../../front/report-diagnostics.ts';
import { printJson } from '../../report/diagnostics-document.ts';
import { codesDocument, explainedCodeDocument, printCodes } from '../../report/print-codes.ts';
import type { Call } from '../options-of.ts';

/** `weft explain CODE`: the page of a diagnostic; without a code the list of all. */
export async function explainCommand(host: Host, { args, options }: Call<'explain'>): Promise<ExitCode> {
  const [name] = args;
  const json = formatOf(options) === 'json';
  if (name === undefined) {
    const codes = explainedCodes();
    await host.stdout.write(json ? printJson(codesDocument(codes)) : printCodes(codes));
    return EXIT.yes;
  }
  const result = explainCode(name);
  if (result.kind === 'refused') throw refused(result.refusal);
  await host.stdout.write(json ? printJson(explainedCodeDocument(result)) : result.page);
  return EXIT.yes;
}
