import type { Format, Printers } from '../../answers/report/answer.ts';
import { countDiagnostics, diagnosticsDocument, printJson } from '../../answers/report/diagnostics-document.ts';
import type { LookReport } from '../../answers/report/live-look.ts';
import { plainPaint } from '../../answers/report/paint.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { Unanswered } from '../app/compile-topology.ts';
import type { LiveLook } from '../app/network-of.ts';
import { choosePaint } from './choose-paint.ts';
import { EXIT, type ExitCode, type Host } from './host.ts';
import { refused } from './refused.ts';
import { type ReportOptions, reportDiagnostics } from './report-diagnostics.ts';

/** The facts that are reported beside the answer. */
interface Answer {
  /** Absent if the answer is about no topology. */
  readonly diagnostics?: readonly Diagnostic[];
  /** The answer, yes or no; by default yes without an error among the diagnostics. */
  readonly ok?: boolean;
  /** By default 0 if `ok`, otherwise 1. */
  readonly exitCode?: ExitCode;
  /** The format without `--output`; by default `text`. */
  readonly format?: Format;
  /** The report of diagnostics beside the answer; by default only JSON contains them. */
  readonly report?: Report;
}

interface Report {
  /** By default those of the answer. */
  readonly diagnostics?: readonly Diagnostic[];
  /** The diagnostics that text shows by default: `warnings` omits the notes. */
  readonly terminal?: 'all' | 'warnings';
  /** By default diagnostics are reported before the answer. */
  readonly isLast?: boolean;
  /** By default stderr also has diagnostics with JSON, which contains them. */
  readonly withJson?: boolean;
}

/**
 * Prints the result of a use case in the requested format, and returns the exit code. A refusal is thrown.
 *
 * @param complete the values for the printers, from a result that is an answer
 */
export function show<Formats extends Format, Result extends object, Shown>(
  host: Host,
  options: ReportOptions<Formats>,
  answer: Pick<Printers<Shown>, Formats>,
  result: Result,
  complete: (result: Exclude<Result, Unanswered>) => Shown & Answer,
): Promise<ExitCode>;
export async function show<Formats extends Format, Result extends object, Shown>(
  host: Host,
  options: ReportOptions<Formats>,
  answer: Pick<Printers<Shown>, Formats>,
  result: Unanswered | Result,
  complete: (result: Result) => Shown & Answer,
): Promise<ExitCode> {
  return hasNoAnswer(result)
    ? showUnanswered(host, options, result)
    : showFound(host, options, answer, complete(result));
}

/** Reports a missing answer: errors of the topology in the requested format, or a refusal, which is thrown. */
export async function showUnanswered(host: Host, options: ReportOptions, result: Unanswered): Promise<ExitCode> {
  if (result.kind === 'refused') throw refused(result.refusal);
  await reportDiagnostics(host, options, result.diagnostics);
  if (options.output === 'json') await host.stdout.write(printJson(diagnosticsDocument(result.diagnostics)));
  return result.kind === 'unreadable' ? EXIT.unable : EXIT.no;
}

/** True for the result of a use case that could not answer. */
const hasNoAnswer = (result: object): result is Unanswered =>
  'kind' in result && (result.kind === 'errors' || result.kind === 'refused' || result.kind === 'unreadable');

async function showFound<Formats extends Format, Shown>(
  host: Host,
  options: ReportOptions<Formats>,
  printers: Partial<Printers<Shown>>,
  found: Shown & Answer,
): Promise<ExitCode> {
  const { diagnostics = [], report } = found;
  const ok = found.ok ?? countDiagnostics(diagnostics).errors === 0;
  const format = options.output ?? found.format ?? 'text';
  const print = async (): Promise<void> => {
    if (isForTools(format)) return;
    const { env, stdout } = host;
    if (format === 'json') {
      const head = { ...diagnosticsDocument(diagnostics), ok };
      const answer = printerIn(printers, format)(found, head);
      for (const part of isInParts(answer) ? answer : [printJson({ ...head, ...answer })])
        if (!(await stdout.write(part))) break;
      return;
    }
    const paint = format === 'text' ? choosePaint(options.color, env, stdout) : plainPaint;
    await stdout.write(await printerIn(printers, format)(found, { ...options, paint }));
  };
  const tell = async (): Promise<void> => {
    if (report === undefined || (format === 'json' && report.withJson === false)) return;
    const more = isForTools(format) ? printerIn(printers, format)(found) : [];
    await reportDiagnostics(host, options, [...(report.diagnostics ?? diagnostics), ...more], report.terminal);
  };
  for (const step of report?.isLast ? [print, tell] : [tell, print]) await step();
  return found.exitCode ?? (ok ? EXIT.yes : EXIT.no);
}

const isForTools = (format: Format): format is 'github' | 'gitlab' | 'sarif' =>
  format === 'github' || format === 'gitlab' || format === 'sarif';

const isInParts = (answer: object): answer is Iterable<string> => Symbol.iterator in answer;

const printerIn = <Shown, F extends Format>(printers: Partial<Printers<Shown>>, format: F) =>
  printers[format] ?? bug(`a format without a printer: ${format}`);

/** The sources and the report of an answer about live clusters; `look` is `null` for an answer about git. */
export function aboutLive(
  live: LiveLook | null,
  {
    isAbout,
    gitSays,
  }: { readonly isAbout: (fault: LookReport['faults'][number]) => boolean; readonly gitSays: readonly string[] },
): { readonly look: LookReport | null; readonly report?: Report } {
  if (live === null) return { look: null };
  const { sources, looked, inferred, faults } = live;
  return {
    look: { sources, looked, inferred, faults: faults.filter(isAbout), gitSays },
    // Faults of the live clusters prevent no answer.
    report: { terminal: 'warnings', withJson: false },
  };
}
