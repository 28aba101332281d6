import { resolve } from 'node:path';
import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { labDocument, printKeptLab, printLab, printRemovedLab, printRemovedLabs } from '../../../answers/report/lab.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { type LabPorts, removeAllLabs, type TryResult, tryFleet } from '../../app/try-fleet.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportUnanswered } from '../../front/report-diagnostics.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { startProgress } from '../progress.ts';

/** `weft lab`: the compiled fleet, or a part of it, from network namespaces, and real traffic through it. */
export async function labCommand(host: Host, { args, options }: Call<'lab'>): Promise<ExitCode> {
  const { lock, cluster: clusters, keep, clean, quiet } = options;
  const pcap = options.pcap === undefined ? null : resolve(host.cwd, options.pcap);
  const progress = startProgress(host, options);
  const ports: LabPorts = {
    env: host.env,
    onInterrupt: host.onInterrupt,
    onStep: progress.step,
    onRemoved: async (it) => {
      if (!quiet) await host.stderr.write(printRemovedLab(it));
    },
  };
  if (clean) {
    const removed = await removeAllLabs(ports, { pcap });
    if (!quiet) await host.stderr.write(printRemovedLabs(removed));
    if (formatOf(options) === 'json') await host.stdout.write(printJson({ ...diagnosticsDocument([]), removed }));
    return EXIT.yes;
  }
  const request = { topology: args[0], lock, clusters, keep, pcap };
  const tried = await tryFleet({ ...ports, files: diskPorts(host.cwd).files }, request).finally(progress.end);
  switch (tried.kind) {
    case 'stopped':
      return EXIT.interrupted;
    case 'tried':
      return report(host, options, tried);
    default:
      return reportUnanswered(host, options, tried);
  }
}

async function report(
  host: Host,
  options: OptionsOf<'lab'>,
  { diagnostics, plan, result }: Extract<TryResult, { kind: 'tried' }>,
): Promise<ExitCode> {
  const agrees = result.verdicts.every((it) => it.agrees);
  const kept = options.keep ? result.run : null;
  if (formatOf(options) === 'json') {
    const document = diagnosticsDocument(diagnostics);
    const lab = labDocument({ plan, ...result });
    await host.stdout.write(printJson({ ...document, ok: agrees, kept, ...lab }));
  } else {
    await host.stdout.write(printLab({ plan, ...result }, choosePaint(options.color, host.env, host.stdout)));
  }
  if (kept !== null) await host.stderr.write(printKeptLab(plan, kept));
  return agrees ? EXIT.yes : EXIT.no;
}
