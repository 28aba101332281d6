import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { gitSaysOfViews } from '../../../answers/report/git-says.ts';
import { plainPaint } from '../../../answers/report/paint.ts';
import { printRunbook, printRunbookMarkdown, runbookDocument } from '../../../answers/report/print-runbook.ts';
import {
  narrowed,
  printClusters,
  printClustersMarkdown,
  printPairView,
  printRecreated,
  printRecreatedMarkdown,
  printView,
  printViewMarkdown,
} from '../../../answers/report/view.ts';
import type { ClusterView } from '../../../reach/view/cluster-view.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { livePorts } from '../../app/live-ports.ts';
import { listFleet, viewCluster } from '../../app/view-cluster.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportUnanswered } from '../../front/report-diagnostics.ts';
import { liveAnswer } from '../live-answer.ts';
import { liveRequest } from '../live-requests.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft view [topology] [CLUSTER [PEER]]`: the clusters, or the network from the point of view of one. */
export async function viewCommand(host: Host, { args, options }: Call<'view'>): Promise<ExitCode> {
  const { topology, named } = readArguments(args);
  const { recreated, runbook } = options;
  if ((recreated || runbook) && named?.peer === undefined) {
    const option = recreated ? '--recreated' : '--runbook';
    throw new CommandFailure('missing argument PEER', `run "weft view CLUSTER PEER ${option}"`);
  }
  if (named === undefined) return listClusters(host, topology, options);
  const request = { ...named, topology, lock: options.lock, recreated, runbook, live: liveRequest(options) };
  const result = await viewCluster({ ...livePorts(host), files: diskPorts(host.cwd).files }, request);
  if (result.kind !== 'viewed') return reportUnanswered(host, options, result);
  const { view, peerView, joined, diagnostics } = result;
  const again = result.recreated ?? undefined;
  const views = peerView === null ? [view] : narrowed(view, peerView);
  const {
    head,
    foot,
    document: look,
  } = await liveAnswer(host, options, {
    ...result,
    isAbout: ({ cluster, peer }) =>
      [cluster, peer].includes(named.cluster) && (named.peer === undefined || [cluster, peer].includes(named.peer)),
    gitSays: gitSaysOfViews(
      views,
      peerView === null ? result.inGit : pairInGit(result.inGit),
      result.live?.faults ?? [],
    ),
  });
  const books = runbook ? { runbooks: result.runbooks.map(runbookDocument) } : {};
  const format = formatOf(options);
  if (format === 'json') {
    const document = diagnosticsDocument(diagnostics);
    await host.stdout.write(
      printJson({ ...document, ok: joined, views, ...(again && { recreated: again }), ...books, ...look }),
    );
  } else if (format === 'markdown' && joined) {
    const parts = [...views.map(printViewMarkdown), ...(again === undefined ? [] : [printRecreatedMarkdown(again)])];
    const steps = result.runbooks.map(printRunbookMarkdown).join('\n');
    await host.stdout.write(head + (runbook ? steps : parts.join('\n')) + foot);
  } else {
    const paint = format === 'markdown' ? plainPaint : choosePaint(options.color, host.env, host.stdout);
    const text = peerView === null ? printView(view, paint) : printPairView(view, peerView, paint);
    const more = again === undefined ? '' : `\n${printRecreated(again, paint)}`;
    const steps = result.runbooks.map((it) => `\n${printRunbook(it, paint)}`).join('');
    await host.stdout.write(head + text + more + foot + steps);
  }
  return joined ? EXIT.yes : EXIT.no;
}

/** As `narrowed`, where git has both. */
const pairInGit = (views: readonly ClusterView[]): readonly ClusterView[] => {
  const [a, b] = views;
  return a === undefined || b === undefined ? views : narrowed(a, b);
};

/** `weft view [topology]`: the clusters of the fleet. */
async function listClusters(host: Host, topology: string | undefined, options: OptionsOf<'view'>): Promise<ExitCode> {
  const request = { topology, lock: options.lock, live: liveRequest(options) };
  const result = await listFleet({ ...livePorts(host), files: diskPorts(host.cwd).files }, request);
  if (result.kind !== 'listed') return reportUnanswered(host, options, result);
  const { clusters } = result;
  const around = await liveAnswer(host, options, { ...result, isAbout: () => true, gitSays: [] });
  const format = formatOf(options);
  if (format === 'json') {
    const document = diagnosticsDocument(result.diagnostics);
    await host.stdout.write(printJson({ ...document, clusters, ...around.document }));
    return EXIT.yes;
  }
  const paint = choosePaint(options.color, host.env, host.stdout);
  const table = format === 'markdown' ? printClustersMarkdown(clusters) : printClusters(clusters, paint);
  await host.stdout.write(around.head + table + around.foot);
  return EXIT.yes;
}

interface ViewArguments {
  readonly topology: string | undefined;
  /** `undefined` where none is named. */
  readonly named: { readonly cluster: string; readonly peer: string | undefined } | undefined;
}

/** The topology comes first and is optional: an argument that looks like a path is one, since no cluster name does. */
function readArguments(args: readonly string[]): ViewArguments {
  const [first = ''] = args;
  const topology = /[/\\]|\.ya?ml$/.test(first) ? first : undefined;
  const [cluster, peer, ...rest] = topology === undefined ? args : args.slice(1);
  if (rest.length > 0)
    throw new CommandFailure(`too many arguments: ${rest.join(' ')}`, 'weft view [topology] CLUSTER [PEER]');
  if (cluster === undefined) return { topology, named: undefined };
  if (cluster === peer) throw new CommandFailure(`a cluster has no view of itself: "${cluster}" is given twice`);
  return { topology, named: { cluster, peer } };
}
