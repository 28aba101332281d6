import type { Format } from '../../answers/report/answer.ts';
import { printCodeQuality, printSarif } from '../../answers/report/code-scanning.ts';
import { printAnnotations } from '../../answers/report/print-annotations.ts';
import { printDiagnostics } from '../../answers/report/print-diagnostics.ts';
import type { Severity } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, isOpen } from '../../base/diagnostics/diagnostic.ts';
import { type Checkout, openCheckout } from '../disk/repository.ts';
import { choosePaint } from './choose-paint.ts';
import type { Host } from './host.ts';
import { forgeOfCi } from './pull-request/forge-kind.ts';

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
