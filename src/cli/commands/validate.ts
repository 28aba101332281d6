import { compile } from '../../compile.ts';
import { andThen } from '../../diagnostics/outcome.ts';
import { countOf } from '../../report/count-of.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { choosePaint } from '../choose-paint.ts';
import { findTopology } from '../find-topology.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call } from '../options-of.ts';
import { readSources } from '../read-sources.ts';
import { formatOf, reportDiagnostics } from '../report-diagnostics.ts';

/**
 * `weft validate`: every diagnostic of a topology, and nothing written. Addresses and ports are decided too, since some
 * mistakes show only there; no cluster's bundle is wanted.
 */
export async function validateCommand(host: Host, { args, options }: Call<'validate'>): Promise<ExitCode> {
  const files = await findTopology(host.cwd, args[0], options.lock);
  const compiled = andThen(await readSources(host.cwd, files), (it) => compile(it, { relock: [], only: [] }));
  await reportDiagnostics(host, options, compiled.diagnostics);
  const format = formatOf(options);
  if (format === 'json') await host.stdout.write(printJson(diagnosticsDocument(compiled.diagnostics)));
  if (format === 'text' && compiled.ok && !options.quiet) {
    const paint = choosePaint(options.color, host.env, host.stdout);
    const { clusters, links } = compiled.value.model;
    const counts = `${countOf(clusters.size, 'cluster')}, ${countOf(links.length, 'link')}`;
    await host.stdout.write(`${files.topology} is ${paint.good('valid')}: ${counts}\n`);
  }
  return compiled.ok ? EXIT.yes : EXIT.no;
}
