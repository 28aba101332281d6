import type { Format, Printers } from '../../answers/report/answer.ts';
import { printCodeQuality, printSarif } from '../../answers/report/code-scanning.ts';
import { countDiagnostics, diagnosticsDocument, printJson } from '../../answers/report/diagnostics-document.ts';
import type { LookReport } from '../../answers/report/live-look.ts';
import { colourPaint, type Paint, plainPaint } from '../../answers/report/paint.ts';
import { printAnnotations } from '../../answers/report/print-annotations.ts';
import { printDiagnostics } from '../../answers/report/print-diagnostics.ts';
import { once } from '../../base/core/once.ts';
import { visibleFields, visibleText } from '../../base/core/visible-text.ts';
import { shortened } from '../../base/core/words.ts';
import type { Severity } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, isOpen } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { Unanswered } from '../app/compile-topology.ts';
import { livePorts } from '../app/disk-ports.ts';
import type { IsAbout, LiveLook } from '../app/network-of.ts';
import type { LivePorts, ProgressStep, Share } from '../app/ports.ts';
import { OperationRefused, type Refusal } from '../app/refusal.ts';
import { DiskError, EnvironmentError } from '../disk/disk-error.ts';
import { type Checkout, openCheckout } from '../disk/repository.ts';
import type { ForgeTerms } from '../forge/forge.ts';
import { CommandFailure } from './command-failure.ts';
import { EXIT, type ExitCode, forgeOfCi, type Host, type Output } from './host.ts';

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
  /** The diagnostics that text shows by default: `warnings` omits the notes, `errors` the warnings as well. */
  readonly terminal?: Terminal;
  /** By default diagnostics are reported before the answer. */
  readonly isLast?: boolean;
  /** By default stderr also has diagnostics with JSON, which contains them. */
  readonly withJson?: boolean;
}

type Terminal = 'all' | 'warnings' | 'errors';

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
  if (result.kind === 'refused') throw await refusalFailure(result.refusal);
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
  { isAbout, gitSays }: { readonly isAbout: IsAbout; readonly gitSays: readonly string[] },
): { readonly look: LookReport | null; readonly report?: Report } {
  if (live === null) return { look: null };
  const { sources, looked, inferred, faults, git } = live;
  const differences = live.differences(isAbout);
  return {
    look: { sources, looked, inferred, differences, faults: faults.filter(isAbout), gitSays },
    // Faults of the live clusters prevent no answer. In clusters that git has, the differences from it say more.
    report: {
      terminal: looked.every((it) => git?.clusters.has(it)) ? 'errors' : 'warnings',
      withJson: false,
      isLast: true,
    },
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
  terminal: Terminal = 'all',
): Promise<void> {
  const diagnostics = inWords(options, found);
  const verbose = options.verbose;
  const isShort = options.quiet || (terminal === 'errors' && !verbose);
  const least = isShort ? QUIET : terminal === 'warnings' && !verbose ? NO_NOTES : ALL;
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

interface FailureSettings {
  readonly color: string | undefined;
  /** Also print the stack. */
  readonly debug: boolean;
  /** True if stdout must be one JSON document, also after a failure. */
  readonly json: boolean;
}

/** Prints a failure on stderr with a hint, and returns its exit code. */
export async function printFailure(
  host: Host,
  error: unknown,
  { color, debug, json }: FailureSettings,
): Promise<ExitCode> {
  const { message, hint, exitCode } = describeFailure(await worded(error), host);
  const paint = choosePaint(color, host.env, host.stderr);
  const advice = hint === undefined ? '' : `  ${paint.good('hint')}: ${hint}\n`;
  const stack =
    debug && error instanceof Error ? `${(error.stack ?? '').split('\n').map(visibleText).join('\n')}\n` : '';
  await host.stderr.write(`${paint.error('error')}: ${message}\n${advice}${stack}`);
  if (json) await host.stdout.write(failureDocument({ message, hint, exitCode }));
  return exitCode;
}

interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
}

/** Turns a thrown refusal into a failure, on a forge in its terms. */
export async function worded(error: unknown, terms?: ForgeTerms): Promise<unknown> {
  if (!(error instanceof OperationRefused)) return error;
  return Object.assign(await refusalFailure(error.refusal, terms), { stack: error.stack });
}

// The words come with those of plans, and few command lines are refused.
async function refusalFailure(refusal: Refusal, terms?: ForgeTerms): Promise<CommandFailure> {
  const { refused } = await import('./refused.ts');
  return refused(refusal, terms);
}

/** Describes a failure of any kind. */
export function describeFailure(error: unknown, host: Host): Failure {
  if (error instanceof CommandFailure) return { message: error.message, hint: error.hint, exitCode: error.exitCode };
  if (error instanceof DiskError)
    return visibleFields({ message: `${error.path}: ${error.message}`, hint: error.hint, exitCode: EXIT.unable });
  if (error instanceof EnvironmentError)
    return visibleFields({ message: error.message, hint: error.hint, exitCode: EXIT.unable });
  const what = error instanceof Error ? error.message : String(error);
  return {
    message: `weft ${host.build} has a bug: ${visibleText(what)}`,
    hint: "report it in weft's issue tracker, with the topology if you can share it; --debug prints the stack",
    exitCode: EXIT.bug,
  };
}

/** The JSON document for stdout if there is no answer. */
const failureDocument = ({ message, hint }: Failure): string =>
  printJson({ ...diagnosticsDocument([]), ok: false, failure: { message, hint: hint ?? null } });

/** The colours for one stream, and the width of its lines. */
export function choosePaint(
  when: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  to: Output,
): Paint {
  const paint = chooseColour(when, env, to);
  return to.columns === undefined ? paint : { ...paint, columns: to.columns };
}

/**
 * The first that is set decides: the flag, FORCE_COLOR, NO_COLOR, a dumb terminal, and last whether the stream is a
 * terminal.
 */
function chooseColour(when: string | undefined, env: Readonly<Record<string, string | undefined>>, to: Output): Paint {
  if (when === 'always') return colourPaint;
  if (when === 'never') return plainPaint;
  const forced = env['FORCE_COLOR'];
  // Any value but 0 and false switches colour on, also an empty one. Source: force-color.org, and Node.
  if (forced !== undefined) return ['0', 'false'].includes(forced) ? plainPaint : colourPaint;
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return plainPaint;
  return to.isTTY ? colourPaint : plainPaint;
}

/** Shows the current step of a command that takes longer than a moment. */
interface Progress {
  readonly step: (label: string) => void;
  readonly of: (step: ProgressStep) => void;
  readonly end: () => Promise<void>;
}

const MOMENT_MILLISECONDS = 500;

/** The least time for which a number is shown. */
const GLANCE_MILLISECONDS = 100;

/** Moves to the start of the line and clears it. Source: ECMA-48, CR and EL. */
const CLEAR_LINE = '\r\u001b[K';

/** One line on stderr that is cleared at the end; nothing in pipes, in CI and with --quiet. */
export function startProgress(host: Host, options: { readonly quiet: boolean }): Progress {
  const wanted = host.stderr.isTTY && !options.quiet && (host.env['CI'] ?? '') === '';
  const start = Date.now() + MOMENT_MILLISECONDS;
  let next = start;
  let words = '';
  let timer: NodeJS.Timeout | undefined;
  let shown = false;
  const show = (label: string) => {
    shown = true;
    next = Date.now() + GLANCE_MILLISECONDS;
    // A line that is wider than the terminal could not be cleared.
    void host.stderr.write(`${CLEAR_LINE}${shortened(visibleText(label), (host.stderr.columns ?? 80) - 5)} ...`);
  };
  const step = (label: string) => {
    if (!wanted) return;
    clearTimeout(timer);
    const isSame = words === label.replace(/\d+ of/, '');
    words = label.replace(/\d+ of/, '');
    const left = (isSame ? next : start) - Date.now();
    if (left <= 0) show(label);
    else timer = setTimeout(() => show(label), left).unref();
  };
  return {
    step,
    of: (it) => {
      if (it.kind === 'stopped') void host.stderr.write(`${shown ? CLEAR_LINE : ''}${stoppedText(it)}\n`);
      else step(describeStep(it));
    },
    end: async () => {
      clearTimeout(timer);
      if (shown) await host.stderr.write(CLEAR_LINE);
    },
  };
}

/** Runs a use case that reads live clusters, while a line of progress names a context whose answer is awaited. */
export async function readingClusters<Result>(
  host: Host,
  options: { readonly quiet: boolean },
  use: (ports: LivePorts) => Promise<Result>,
): Promise<Result> {
  const ports = livePorts(host);
  const progress = once(() => startProgress(host, options));
  const awaited: string[] = [];
  let isOver = false;
  let share: Share = [0, 0];
  const show = async (): Promise<void> => {
    if (isOver) return;
    const [first, ...others] = new Set(awaited);
    const count = share[1] < 2 ? '' : `${share[0]} of ${share[1]} clusters`;
    // The line is cleared before something else is printed.
    if (first === undefined) await progress().end();
    else {
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      progress().step(`reading ${first}${more}${count === '' ? '' : `, ${count} are done`}`);
    }
  };
  const onShare = (it: Share): void => {
    share = it;
    if (awaited.length === 0) progress().step(`reading clusters: ${it[0]} of ${it[1]}`);
  };
  const list: LivePorts['list'] = async (request) => {
    awaited.push(request.context);
    await show();
    try {
      return await ports.list(request);
    } finally {
      awaited.splice(awaited.indexOf(request.context), 1);
      await show();
    }
  };
  try {
    return await use({ ...ports, list, progress: onShare });
  } finally {
    isOver = true;
    if (awaited.length > 0 || share[1] > 0) await progress().end();
  }
}

/** The current step of a use case in words. */
function describeStep(step: Exclude<ProgressStep, { kind: 'stopped' }>): string {
  if (step.kind === 'compiling') return step.kind;
  const [done, total] = step.share ?? [0, 0];
  return `${step.kind} ${step.out}/${total < 2 ? '' : `: ${Math.floor(done)} of ${total} folders`}`;
}

function stoppedText({ out, tree }: Extract<ProgressStep, { kind: 'stopped' }>): string {
  const folder = `${visibleText(out)}/`;
  switch (tree) {
    case 'unchanged':
      return `Stopped: ${folder} and the lock are as before. Run "weft compile" again to write them.`;
    case 'written':
      return `Stopped: ${folder} and the lock are written.`;
    case 'partly-new':
      return `Stopped: ${folder} is partly new. Run "weft compile" again before you commit it.`;
  }
}
