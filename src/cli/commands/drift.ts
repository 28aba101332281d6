import { diskPorts } from '../../app/disk-ports.ts';
import { driftFleet } from '../../app/drift-fleet.ts';
import { livePorts } from '../../app/live-ports.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { bundlesFolder } from '../../front/bundles-folder.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics } from '../../front/report-diagnostics.ts';
import { reportUnanswered } from '../../front/report-unanswered.ts';
import { systemClock } from '../../front/system-clock.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { driftDocument } from '../../report/drift-document.ts';
import { printDrift } from '../../report/print-drift.ts';
import { contextRequests, dumpRequests } from '../live-requests.ts';
import type { Call } from '../options-of.ts';

/** Which halves of handshakes are missing: what a cluster does not have because git does not have it either. */
const isAboutHandshakes = ({ code }: Diagnostic): boolean =>
  code === 'sharing/key-missing' || code === 'sharing/answer-missing';

/** `weft drift`: live clusters against what the topology compiles to. No when they differ. */
export async function driftCommand(host: Host, { args, options }: Call<'drift'>): Promise<ExitCode> {
  const ports = { ...livePorts(host), files: diskPorts(host.cwd).files, now: systemClock.now };
  const result = await driftFleet(ports, {
    topology: args[0],
    lock: options.lock,
    dumps: dumpRequests(options.from),
    contexts: contextRequests(options.context),
    out: bundlesFolder(options),
  });
  if (result.kind === 'unreadable') {
    await reportUnanswered(host, options, { kind: 'errors', diagnostics: result.diagnostics });
    return EXIT.unable;
  }
  if (result.kind !== 'compared') return reportUnanswered(host, options, result);
  const isSame = result.clusters.every((it) => it.findings.length === 0);
  if (formatOf(options) === 'json') {
    const { ok: _, ...document } = diagnosticsDocument(result.diagnostics);
    await host.stdout.write(printJson({ ok: isSame, ...document, drift: driftDocument(result) }));
  } else {
    await reportDiagnostics(host, options, result.diagnostics.filter(isAboutHandshakes));
    const paint = choosePaint(options.color, host.env, host.stdout);
    await host.stdout.write(printDrift(result, { paint, verbose: options.verbose }));
  }
  return isSame ? EXIT.yes : EXIT.no;
}
