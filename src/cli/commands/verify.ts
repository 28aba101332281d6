import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { countOf } from '../../report/count-of.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { compareWithCompiled } from '../../verify/compare-with-compiled.ts';
import { choosePaint } from '../choose-paint.ts';
import { type CompiledTopology, compileTopology } from '../compile-topology.ts';
import { findTopology } from '../find-topology.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { formatOf, reportDiagnostics } from '../report-diagnostics.ts';
import { verifyOut } from '../verify-out.ts';

/** `weft verify`: reads the emitted files back, independently, and proves what they promise. Writes nothing. */
export async function verifyCommand(host: Host, { args, options }: Call<'verify'>): Promise<ExitCode> {
  const out = (options.out ?? 'out').replace(/(?<=.)\/+$/, '');
  const files = await findTopology(host.cwd, args[0], options.lock);
  const { diagnostics: said, result } = await compileTopology(host.cwd, files, { relock: [], only: null });
  if (result === null) return report(host, options, { diagnostics: said, more: {}, text: '' });
  const verified = await verifyOut(result.compiled, { cwd: host.cwd, out });
  const { clusters, links } = result.compiled.model;
  const counts = `${countOf(verified.files, 'file')}, ${countOf(clusters.size, 'cluster')}, ${countOf(links.length, 'link')}`;
  const paint = choosePaint(options.color, host.env, host.stdout);
  return report(host, options, {
    // What the topology itself is warned about is for `weft validate`.
    diagnostics: [...lockDifference(result, files.lock), ...verified.diagnostics],
    more: { out, files: verified.files, clusters: clusters.size, links: links.length },
    text: `${out}/ ${paint.good('keeps')} what it promises: ${counts}\n`,
  });
}

/** The bundle is compared with what topology and lock decide; a lock that is not current decides something else. */
function lockDifference(
  { sources, compiled }: NonNullable<CompiledTopology['result']>,
  path: string,
): readonly Diagnostic[] {
  const source = sources.lock ?? { path, text: '' };
  const [sourcesByPath, texts] = [new Map([[path, source]]), new Map([[path, compiled.lock]])];
  return [...compareWithCompiled({ sources: sourcesByPath, compiled: texts, told: new Set() })];
}

interface Answer {
  readonly diagnostics: readonly Diagnostic[];
  readonly more: Readonly<Record<string, string | number>>;
  /** For people, when all is well. */
  readonly text: string;
}

async function report(
  host: Host,
  options: OptionsOf<'verify'>,
  { diagnostics, more, text: well }: Answer,
): Promise<ExitCode> {
  await reportDiagnostics(host, options, diagnostics);
  const document = diagnosticsDocument(diagnostics);
  const format = formatOf(options);
  if (format === 'json') await host.stdout.write(printJson({ ...document, ...more }));
  if (format === 'text' && document.ok && !options.quiet) await host.stdout.write(well);
  return document.ok ? EXIT.yes : EXIT.no;
}
