import { compile } from '../../compile.ts';
import { bug } from '../../diagnostics/bug.ts';
import { andThen } from '../../diagnostics/outcome.ts';
import { type ClusterView, clusterView } from '../../report/cluster-view.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { plainPaint } from '../../report/paint.ts';
import { areJoined, printPairView, printView, printViewMarkdown } from '../../report/print-view.ts';
import { choosePaint } from '../choose-paint.ts';
import { refuseUnknown } from '../compile-topology.ts';
import { findTopology } from '../find-topology.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call } from '../options-of.ts';
import { readSources } from '../read-sources.ts';
import { Refusal } from '../refusal.ts';
import { formatOf, reportDiagnostics } from '../report-diagnostics.ts';

/** `weft view [topology] CLUSTER [PEER]`: the network from one cluster's point of view. */
export async function viewCommand(host: Host, { args, options }: Call<'view'>): Promise<ExitCode> {
  const { topology, cluster, peer } = readArguments(args);
  const files = await findTopology(host.cwd, topology, options.lock);
  const compiled = andThen(await readSources(host.cwd, files), (it) => compile(it, { relock: [], only: [] }));
  const format = formatOf(options);
  const { ok, ...document } = diagnosticsDocument(compiled.diagnostics);
  if (!compiled.ok) {
    await reportDiagnostics(host, options, compiled.diagnostics);
    if (format === 'json') await host.stdout.write(printJson({ ok, ...document }));
    return EXIT.no;
  }
  const { model } = compiled.value;
  const names = [cluster, ...(peer === undefined ? [] : [peer])];
  refuseUnknown(model, names);
  const views = names.map((it) => clusterView(model, model.clusters.get(it) ?? bug(`no cluster "${it}" to view`)));
  const [here, there] = views;
  if (here === undefined) return EXIT.unable;
  const joined = there === undefined || areJoined(here, there.cluster);
  if (format === 'json') await host.stdout.write(printJson({ ok: joined, ...document, views: narrow(views) }));
  else if (format === 'markdown' && joined) await host.stdout.write(narrow(views).map(printViewMarkdown).join('\n'));
  else {
    const paint = format === 'markdown' ? plainPaint : choosePaint(options.color, host.env, host.stdout);
    await host.stdout.write(there === undefined ? printView(here, paint) : printPairView(here, there, paint));
  }
  return joined ? EXIT.yes : EXIT.no;
}

interface ViewArguments {
  readonly topology: string | undefined;
  readonly cluster: string;
  readonly peer: string | undefined;
}

/** The topology comes first and is optional: what looks like a path is one, since no cluster can be called so. */
function readArguments(args: readonly string[]): ViewArguments {
  const [first = ''] = args;
  const named = /[/\\]|\.ya?ml$/.test(first);
  const [cluster, peer, ...rest] = named ? args.slice(1) : args;
  if (cluster === undefined) throw new Refusal('whose point of view? a cluster is missing', 'weft view CLUSTER [PEER]');
  if (rest.length > 0)
    throw new Refusal(`too many arguments: ${rest.join(' ')}`, 'weft view [topology] CLUSTER [PEER]');
  if (cluster === peer) throw new Refusal(`a cluster has no view of itself: "${cluster}" twice`);
  return { topology: named ? first : undefined, cluster, peer };
}

/** Two clusters that look at each other: of each, only what it sees of the other. */
function narrow(views: readonly ClusterView[]): readonly ClusterView[] {
  if (views.length === 1) return views;
  const names = views.map((it) => it.cluster);
  return views.map((it) => ({
    ...it,
    peers: it.peers.filter((peer) => names.includes(peer.peer)),
    indirect: it.indirect.filter((other) => names.includes(other.cluster)),
  }));
}
