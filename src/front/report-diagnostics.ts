import { relative, resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Severity } from '../diagnostics/severity.ts';
import { printAnnotations } from '../report/print-annotations.ts';
import { printDiagnostics } from '../report/print-diagnostics.ts';
import { printSarif } from '../report/print-sarif.ts';
import { choosePaint } from './choose-paint.ts';
import type { Host } from './host.ts';

/** The output format of a command; `text` by default. */
export const formatOf = <Format extends string>({
  output,
}: {
  readonly output?: Format | undefined;
}): Format | 'text' => output ?? 'text';

/** The print options of a front end. Without `output` it prints only text. */
export interface ReportOptions {
  readonly output?: string | undefined;
  /** When to use colour: `always`, `never`, or only on a terminal. */
  readonly color: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

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
  diagnostics: readonly Diagnostic[],
  terminal: 'all' | 'warnings' = 'all',
): Promise<void> {
  const verbose = options.verbose;
  const least = options.quiet ? QUIET : terminal === 'warnings' && !verbose ? NO_NOTES : ALL;
  const shown = diagnostics.filter((it) => least.includes(it.severity));
  const paint = choosePaint(options.color, host.env, host.stderr);
  await host.stderr.write(printDiagnostics(shown, { paint, verbose }));
  const format = options.output ?? (host.env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'text');
  const pathOf = pathFromCheckout(host);
  if (format === 'github') await host.stdout.write(printAnnotations(diagnostics, pathOf));
  if (format === 'sarif') {
    // The pages are large, and only this form quotes them.
    const { describeCode } = await import('../app/explain-code.ts');
    await host.stdout.write(printSarif(diagnostics, { version: host.version, describe: describeCode, pathOf }));
  }
}

/** Paths for GitHub are relative to the root of the checkout, not to the working folder. */
export function pathFromCheckout(host: Host): (path: string) => string {
  const root = host.env['GITHUB_WORKSPACE'] ?? host.cwd;
  return (path) => {
    const below = relative(root, resolve(host.cwd, path)).replaceAll('\\', '/');
    return below.startsWith('..') ? path : below;
  };
}
