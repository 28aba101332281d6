import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { changeDocument } from '../../../answers/report/plan/plan-document.ts';
import { printAdopted } from '../../../answers/report/print-adopted.ts';
import { type AdoptedFleet, adoptFleet } from '../../app/adopt-fleet.ts';
import { diskPorts, diskStart } from '../../app/disk-ports.ts';
import { livePorts } from '../../app/live-ports.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics } from '../../front/report-diagnostics.ts';
import { reportUnanswered } from '../../front/report-unanswered.ts';
import { contextRequests, dumpRequests } from '../live-requests.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft drift --adopt`: the views and ports of live clusters, into the lock. With --check, no when the lock would change. */
export async function driftAdopt(host: Host, { args, options }: Call<'drift'>): Promise<ExitCode> {
  const format = formatOf(options);
  if (format !== 'text' && format !== 'json')
    throw new CommandFailure(`--adopt does not print ${format}`, 'use --output text or json');
  if (options.wait !== undefined) throw new CommandFailure('--adopt does not wait', 'leave out --wait or --adopt');
  const ports = { ...livePorts(host), files: diskPorts(host.cwd).files, start: diskStart(host.cwd) };
  const result = await adoptFleet(ports, {
    topology: args[0],
    lock: options.lock,
    dumps: dumpRequests(options.from),
    contexts: contextRequests(options.context),
    check: options.check,
  });
  if (result.kind === 'unreadable') {
    await reportUnanswered(host, options, { kind: 'errors', diagnostics: result.diagnostics });
    return EXIT.unable;
  }
  if (result.kind !== 'adopted') return reportUnanswered(host, options, result);
  await report(host, options, result);
  return options.check && isChanged(result) ? EXIT.no : EXIT.yes;
}

const isChanged = ({ lock }: AdoptedFleet): boolean => lock.before !== lock.after;

async function report(host: Host, options: OptionsOf<'drift'>, result: AdoptedFleet): Promise<void> {
  const { diagnostics, plan, lock, views, unkept } = result;
  if (formatOf(options) === 'json') {
    const { path: file, written } = lock;
    const changed = isChanged(result);
    const document = diagnosticsDocument(diagnostics);
    const ok = document.ok && !(options.check && changed);
    const changes = plan.changes.map(changeDocument);
    await host.stdout.write(
      printJson({ ...document, ok, adopted: { file, changed, written, views, unkept, changes } }),
    );
    return;
  }
  await reportDiagnostics(host, options, diagnostics);
  const paint = choosePaint(options.color, host.env, host.stdout);
  if (!options.quiet) await host.stdout.write(printAdopted(result, paint, options.verbose));
}
