import { diskPorts } from '../../app/disk-ports.ts';
import { viewCluster } from '../../app/view-cluster.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf } from '../../front/report-diagnostics.ts';
import { reportUnanswered } from '../../front/report-unanswered.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { plainPaint } from '../../report/paint.ts';
import { narrowed, printPairView, printView, printViewMarkdown } from '../../report/print-view.ts';
import type { Call } from '../options-of.ts';

/** `weft view [topology] CLUSTER [PEER]`: the network from one cluster's point of view. */
export async function viewCommand(host: Host, { args, options }: Call<'view'>): Promise<ExitCode> {
  const request = { ...readArguments(args), lock: options.lock };
  const result = await viewCluster(diskPorts(host.cwd).files, request);
  if (result.kind !== 'viewed') return reportUnanswered(host, options, result);
  const { view, peerView, joined, diagnostics } = result;
  const views = peerView === null ? [view] : narrowed(view, peerView);
  const format = formatOf(options);
  if (format === 'json') {
    const { ok: _, ...document } = diagnosticsDocument(diagnostics);
    await host.stdout.write(printJson({ ok: joined, ...document, views }));
  } else if (format === 'markdown' && joined) await host.stdout.write(views.map(printViewMarkdown).join('\n'));
  else {
    const paint = format === 'markdown' ? plainPaint : choosePaint(options.color, host.env, host.stdout);
    await host.stdout.write(peerView === null ? printView(view, paint) : printPairView(view, peerView, paint));
  }
  return joined ? EXIT.yes : EXIT.no;
}

interface ViewArguments {
  readonly topology: string | undefined;
  readonly cluster: string;
  readonly peer: string | undefined;
}

/** The topology comes first and is optional: an argument that looks like a path is one, since no cluster name does. */
function readArguments(args: readonly string[]): ViewArguments {
  const [first = ''] = args;
  const named = /[/\\]|\.ya?ml$/.test(first);
  const [cluster, peer, ...rest] = named ? args.slice(1) : args;
  if (cluster === undefined) throw new CommandFailure('missing argument CLUSTER', 'run "weft view CLUSTER [PEER]"');
  if (rest.length > 0)
    throw new CommandFailure(`too many arguments: ${rest.join(' ')}`, 'weft view [topology] CLUSTER [PEER]');
  if (cluster === peer) throw new CommandFailure(`a cluster has no view of itself: "${cluster}" is given twice`);
  return { topology: named ? first : undefined, cluster, peer };
}
