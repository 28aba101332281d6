import type { Unanswered } from '../app/compile-topology.ts';
import { diagnosticsDocument, printJson } from '../report/diagnostics-document.ts';
import { EXIT, type ExitCode, type Host } from './host.ts';
import { refused } from './refused.ts';
import { type ReportOptions, reportDiagnostics } from './report-diagnostics.ts';

/** Reports why there is no answer: errors of the topology in the requested format, or a refusal, which is thrown. */
export async function reportUnanswered(
  host: Host,
  options: ReportOptions,
  result: Unanswered,
  more: object = {},
): Promise<ExitCode> {
  if (result.kind === 'refused') throw refused(result.refusal);
  await reportDiagnostics(host, options, result.diagnostics);
  if (options.output === 'json')
    await host.stdout.write(printJson({ ...diagnosticsDocument(result.diagnostics), ...more }));
  return EXIT.no;
}
