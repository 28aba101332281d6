import { gitSaysOfViews } from '../../../answers/report/git-says.ts';
import { clustersAnswer, narrowed, viewAnswer } from '../../../answers/report/view.ts';
import type { ClusterView } from '../../../reach/view/cluster-view.ts';
import { listFleet, viewCluster } from '../../app/view-cluster.ts';
import { liveNames, liveRequest } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { aboutLive, readingClusters, show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft view [topology] [CLUSTER [PEER]]`: the clusters, or the network from the point of view of one. */
export async function viewCommand(host: Host, { args, options }: Call<'view'>): Promise<ExitCode> {
  const { topology, named } = readArguments(args);
  const { recreated, runbook } = options;
  if ((recreated || runbook) && named?.peer === undefined) {
    const option = recreated ? '--recreated' : '--runbook';
    throw new CommandFailure('missing argument PEER', `run "weft view CLUSTER PEER ${option}"`);
  }
  const request = { topology, lock: options.lock, live: liveRequest(options) };
  if (named === undefined) {
    return show(
      host,
      options,
      clustersAnswer,
      await readingClusters(host, options, (ports) => listFleet(ports, request)),
      (list) => ({
        ...list,
        ...aboutLive(list.live, { isAbout: () => true, gitSays: [] }),
      }),
    );
  }
  const { cluster, peer } = named;
  const result = await readingClusters(host, options, (ports) =>
    viewCluster(ports, { ...request, ...named, recreated, runbook }),
  );
  return show(host, options, viewAnswer, result, (viewed) => {
    const { view, peerView, joined, live, inGit } = viewed;
    const views = peerView === null ? [view] : narrowed(view, peerView);
    return {
      ...viewed,
      ok: joined,
      views,
      runbooks: runbook ? viewed.runbooks.map((it) => ({ ...it, names: liveNames(topology, options) })) : null,
      ...aboutLive(live, {
        isAbout: ({ cluster: a, peer: b }) =>
          b === null
            ? a === cluster || a === peer
            : [a, b].includes(cluster) && (peer === undefined || [a, b].includes(peer)),
        gitSays: gitSaysOfViews(views, peerView === null ? inGit : pairInGit(inGit), live?.faults ?? []),
      }),
    };
  });
}

/** Both views reduced to the pair; all views when git lacks one of the two. */
const pairInGit = (views: readonly ClusterView[]): readonly ClusterView[] => {
  const [a, b] = views;
  return a === undefined || b === undefined ? views : narrowed(a, b);
};

interface ViewArguments {
  readonly topology: string | undefined;
  /** `undefined` when no cluster is named. */
  readonly named: { readonly cluster: string; readonly peer: string | undefined } | undefined;
}

/** Reads the arguments; the optional topology is first and looks like a path, which no cluster name does. */
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
