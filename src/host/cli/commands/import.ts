import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { importDocument, printImported } from '../../../answers/report/imported/print-imported.ts';
import { diskPorts, diskPrepare } from '../../app/disk-ports.ts';
import { importFleet } from '../../app/import-fleet.ts';
import { livePorts } from '../../app/live-ports.ts';
import { dumpCommands } from '../../app/read-context.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics, reportUnanswered } from '../../front/report-diagnostics.ts';
import { contextRequests, dumpRequests } from '../live-requests.ts';
import type { Call } from '../options-of.ts';

/** `weft import`: the topology, keys and lock of running clusters. */
export async function importCommand(host: Host, { args, options }: Call<'import'>): Promise<ExitCode> {
  const contexts = contextRequests(options.context);
  if (options.printCommands) {
    if (options.output === 'json')
      throw new CommandFailure('--print-commands prints a script, not json', 'leave out --output');
    await host.stdout.write(dumpCommands(contexts));
    return EXIT.yes;
  }
  const ports = { ...livePorts(host), files: diskPorts(host.cwd).files, prepareFile: diskPrepare(host.cwd) };
  const result = await importFleet(ports, {
    dumps: dumpRequests([...args, ...options.from]),
    contexts,
    topology: options.topology ?? 'topologies/topology.yaml',
    name: options.name ?? null,
    check: options.check,
  });
  if (result.kind === 'unreadable') {
    await reportUnanswered(host, options, { kind: 'errors', diagnostics: result.diagnostics });
    return EXIT.unable;
  }
  if (result.kind !== 'imported') return reportUnanswered(host, options, result);
  const report = { ...result, isCheck: options.check, compared: comparedIn(result.changes) };
  if (formatOf(options) === 'json') {
    await host.stdout.write(
      printJson({ ...diagnosticsDocument(result.diagnostics), import: importDocument(report, result.changes) }),
    );
    return EXIT.yes;
  }
  await reportDiagnostics(host, options, result.diagnostics);
  if (!options.quiet) await host.stdout.write(printImported(report, choosePaint(options.color, host.env, host.stdout)));
  return EXIT.yes;
}

const comparedIn = (clusters: readonly { readonly compared: number }[]): number =>
  clusters.reduce((sum, it) => sum + it.compared, 0);
