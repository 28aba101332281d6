import { visibleText } from '../../../base/core/visible-text.ts';
import { reportFleet } from '../../app/report-fleet.ts';
import { bundlesFolder, liveRequest } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { readingClusters, reportDiagnostics, showUnanswered } from '../../front/show.ts';
import { printReport, REPORT_FILE, refuseInBundles, writeReport } from '../../front/write-report.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** The advice where the page cannot be written. */
const HINT = 'name another file with -o';

/** `weft report [topology]`: the fleet as a page with the compiler in it. */
export async function reportCommand(host: Host, { args, options }: Call<'report'>): Promise<ExitCode> {
  const { output, ...printing } = options;
  if (/^(html|json|markdown|md|pdf|svg|text)$/.test(output ?? ''))
    throw new CommandFailure(`-o names the file of the page, and "${output}" is a format`, 'write -o fleet.html');
  const out = bundlesFolder(options);
  const file = output ?? REPORT_FILE;
  if (file !== '-') refuseInBundles(host, { file, out, hint: HINT });
  const result = await readingClusters(host, options, (ports) =>
    reportFleet(
      { ...ports, now: systemClock.now },
      {
        topology: args[0],
        lock: options.lock,
        out,
        base: baseOf(options),
        live: liveRequest(options),
        without: options.without,
      },
    ),
  );
  if (result.kind !== 'reported') return showUnanswered(host, printing, result);
  const page = await printReport(host, result.data);
  await reportDiagnostics(host, printing, [...result.incomplete, ...result.diagnostics, ...result.broken], 'errors');
  if (file === '-') await host.stdout.write(page);
  else await writeReport(host, { file, hint: HINT }, page);
  if (file !== '-' && !options.quiet) await host.stderr.write(`${visibleText(`wrote ${file}`)}\n`);
  if (result.incomplete.length > 0) return EXIT.unable;
  return result.broken.length > 0 ? EXIT.no : EXIT.yes;
}

function baseOf({ base, baseDir }: OptionsOf<'report'>) {
  if (base !== undefined && baseDir !== undefined)
    throw new CommandFailure('--base and --base-dir exclude each other', 'remove one of them');
  if (base !== undefined) return { of: { kind: 'ref', ref: base } as const, name: base };
  return baseDir === undefined ? null : { of: { kind: 'folder', folder: baseDir } as const, name: baseDir };
}
