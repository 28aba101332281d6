import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf } from '../../../base/core/words.ts';
import { certificateWarnings, compileTopology } from '../../app/compile-topology.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { schemaNotes } from '../../app/refresh-schema.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics, reportUnanswered } from '../../front/report-diagnostics.ts';
import { systemClock } from '../../front/system-clock.ts';
import type { Call } from '../options-of.ts';

/**
 * `weft validate`: every diagnostic of a topology, and nothing written. Addresses and ports are decided too, since some
 * mistakes appear only there; no bundle is compiled.
 */
export async function validateCommand(host: Host, { args, options }: Call<'validate'>): Promise<ExitCode> {
  const request = { topology: args[0], lock: options.lock };
  const { files } = diskPorts(host.cwd);
  const result = await compileTopology(files, request, { only: [] });
  if (result.kind !== 'compiled') return reportUnanswered(host, options, result);
  const diagnostics = [
    ...(await schemaNotes(files, result.sources.topology)),
    ...result.diagnostics,
    ...certificateWarnings(result, systemClock.now()),
  ];
  await reportDiagnostics(host, options, diagnostics);
  const format = formatOf(options);
  if (format === 'json') await host.stdout.write(printJson(diagnosticsDocument(diagnostics)));
  if (format === 'text' && !options.quiet) {
    const paint = choosePaint(options.color, host.env, host.stdout);
    const { clusters, links, shares } = result.compiled.model;
    const counts = [
      countOf(clusters.size, 'cluster'),
      countOf(links.length, 'link'),
      ...(shares.length === 0 ? [] : [countOf(shares.length, 'loan')]),
    ];
    await host.stdout.write(`${visibleText(result.files.topology)} is ${paint.good('valid')}: ${counts.join(', ')}\n`);
  }
  return EXIT.yes;
}
