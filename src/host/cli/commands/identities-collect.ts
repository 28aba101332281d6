import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { collectedDocument, printCollected } from '../../../answers/report/print-collected.ts';
import { collectIdentities } from '../../app/collect-identities.ts';
import { diskKeys, diskPorts } from '../../app/disk-ports.ts';
import { livePorts } from '../../app/live-ports.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics, reportUnanswered } from '../../front/report-diagnostics.ts';
import { systemClock } from '../../front/system-clock.ts';
import { contextRequests, dumpRequests, isNamedDump } from '../live-requests.ts';
import type { Call } from '../options-of.ts';

/** `weft identities collect`: what providers have answered. No when an answer of one that was asked is missing. */
export async function identitiesCollectCommand(
  host: Host,
  { args, options }: Call<'identities collect'>,
): Promise<ExitCode> {
  const [topology, ...more] = args.filter((it) => !isNamedDump(it));
  if (more.length > 0) throw new CommandFailure(`too many arguments: ${more.join(' ')}`, `write CLUSTER=${more[0]}`);
  const ports = {
    ...livePorts(host),
    files: diskPorts(host.cwd).files,
    keys: diskKeys(host.cwd),
    now: systemClock.now,
  };
  const result = await collectIdentities(ports, {
    topology,
    lock: options.lock,
    dumps: dumpRequests([...args.filter(isNamedDump), ...options.from]),
    contexts: contextRequests(options.context),
    check: options.check,
  });
  if (result.kind === 'unreadable') {
    await reportUnanswered(host, options, { kind: 'errors', diagnostics: result.diagnostics });
    return EXIT.unable;
  }
  if (result.kind !== 'collected') return reportUnanswered(host, options, result);
  const { changes, check, pairs, diagnostics } = result;
  const report = { file: result.files.identities, changes, check, pairs };
  const document = diagnosticsDocument(diagnostics);
  const ok = document.ok && !pairs.some((it) => it.result === 'not-signed') && !(check && changes);
  await reportDiagnostics(host, options, diagnostics);
  if (formatOf(options) === 'json')
    await host.stdout.write(printJson({ ...document, ok, identities: collectedDocument(report) }));
  else if (!options.quiet)
    await host.stdout.write(printCollected(report, choosePaint(options.color, host.env, host.stdout)));
  return ok ? EXIT.yes : EXIT.no;
}
