import type { Format, Printers } from '../../answers/report/answer.ts';
import { printCodeQuality, printSarif } from '../../answers/report/code-scanning.ts';
import { countDiagnostics, diagnosticsDocument, printJson } from '../../answers/report/diagnostics-document.ts';
import type { LookReport } from '../../answers/report/live-look.ts';
import { plainPaint } from '../../answers/report/paint.ts';
import { printAnnotations } from '../../answers/report/print-annotations.ts';
import { printDiagnostics } from '../../answers/report/print-diagnostics.ts';
import type { Severity } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, isOpen } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { Unanswered } from '../app/compile-topology.ts';
import type { LiveLook } from '../app/network-of.ts';
import { type Checkout, openCheckout } from '../disk/repository.ts';
import { choosePaint } from './choose-paint.ts';
import { EXIT, type ExitCode, type Host } from './host.ts';
import { forgeOfCi } from './pull-request/forge-kind.ts';
import { refused } from './refused.ts';

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

/** The print options of a front end. Without `output` it prints only text. */
export interface ReportOptions<Formats extends Format = Format> {
  readonly output?: Formats | undefined;
  /** When to use colour: `always`, `never`, or only on a terminal. */
  readonly color: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Replaces the flags in a text by the settings of the front end. */
  readonly words?: (text: string) => string;
}

/** Diagnostics or remarks whose hints name the settings of the front end. */
export const inWords = <T extends { readonly hint?: string | undefined }>(
  { words }: ReportOptions,
  all: readonly T[],
): readonly T[] =>
  words === undefined ? all : all.map((it) => (it.hint === undefined ? it : { ...it, hint: words(it.hint) }));

/**
 * The format of this run: a run in GitHub Actions prints annotations, unless the user asks for something else. Gitea and Forgejo
 * call themselves GitHub Actions, but show such a line as it is. Source: gitea.com/gitea/runner v1.0.8 internal/pkg/report.
 */
export const formatIn = ({ env }: Host, { output }: ReportOptions): Format =>
  output ?? (forgeOfCi(env) === 'github' ? 'github' : 'text');

const QUIET: readonly Severity[] = ['error'];
const NO_NOTES: readonly Severity[] = ['error', 'warning'];
const ALL: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * Prints diagnostics in the requested format: text on stderr, formats for programs on stdout. A run in GitHub Actions gets
 * annotations by default. The command prints JSON itself, since its document contains more.
 *
 * @param terminal what text shows by default; `warnings` omits the notes, which `weft validate` shows.
 */
export async function reportDiagnostics(
  host: Host,
  options: ReportOptions,
  found: readonly Diagnostic[],
  terminal: 'all' | 'warnings' = 'all',
): Promise<void> {
  const diagnostics = inWords(options, found);
  const verbose = options.verbose;
  const least = options.quiet ? QUIET : terminal === 'warnings' && !verbose ? NO_NOTES : ALL;
  // A command with its own result reports accepted diagnostics there, or not at all.
  const counted = verbose || terminal === 'all' ? diagnostics : diagnostics.filter(isOpen);
  const shown = counted.filter((it) => least.includes(it.severity));
  const paint = choosePaint(options.color, host.env, host.stderr);
  await host.stderr.write(printDiagnostics(shown, { paint, verbose }));
  const format = formatIn(host, options);
  const pathOf = pathFromCheckout(host);
  if (format === 'github') await host.stdout.write(printAnnotations(diagnostics, pathOf));
  if (format === 'gitlab') await host.stdout.write(printCodeQuality(diagnostics, pathOf));
  if (format === 'sarif') {
    // The pages are large, and only this form quotes them.
    const { describeRule } = await import('../app/explain.ts');
    await host.stdout.write(printSarif(diagnostics, { version: host.version, describe: describeRule, pathOf }));
  }
}

/** The checkout of a file; the workspace if there is none. */
export const checkoutOf = ({ cwd, env }: Host, file: string): Checkout =>
  openCheckout({ cwd, file, fallback: env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || cwd });

/**
 * Paths for forges are relative to the root of the file's checkout: not to the working folder, and not to the
 * workspace, which may contain the checkout.
 */
export const pathFromCheckout =
  (host: Host): ((path: string) => string) =>
  (path) =>
    checkoutOf(host, path).pathInRepository(path) ?? path;
