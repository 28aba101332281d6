import { diagnosticsDocument, printJson } from '../../answers/report/diagnostics-document.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Unanswered } from '../app/compile-topology.ts';
import { EXIT, type ExitCode, type Host } from './host.ts';
import { refused } from './refused.ts';
import { type ReportOptions, reportDiagnostics } from './report-diagnostics.ts';

/** A dump cannot be read, which is no answer. */
interface Unreadable {
  readonly kind: 'unreadable';
  readonly diagnostics: readonly Diagnostic[];
}

/** Reports why there is no answer: errors of the topology in the requested format, or a refusal, which is thrown. */
export async function reportUnanswered(
  host: Host,
  options: ReportOptions,
  result: Unanswered | Unreadable,
): Promise<ExitCode> {
  if (result.kind === 'refused') throw refused(result.refusal);
  await reportDiagnostics(host, options, result.diagnostics);
  if (options.output === 'json') await host.stdout.write(printJson(diagnosticsDocument(result.diagnostics)));
  return result.kind === 'unreadable' ? EXIT.unable : EXIT.no;
}
