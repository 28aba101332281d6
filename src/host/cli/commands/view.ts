import { gitSaysOfViews } from '../../../answers/report/git-says.ts';
import { clustersAnswer, narrowed, viewAnswer } from '../../../answers/report/view.ts';
import { forecastAnswer } from '../../../answers/report/view-forecast.ts';
import { linksAnswer } from '../../../answers/report/view-links.ts';
import type { ClusterView } from '../../../reach/view/cluster-view.ts';
import { LISTS, listFleet, viewCluster } from '../../app/view-cluster.ts';
import { liveNames, liveRequest } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { aboutLive, readingClusters, show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft view [topology] [CLUSTER [PEER]]`: the clusters, the network from the point of view of one, or a list. */
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
  const list = LISTS.find((it) => it === peer);
  if (list !== undefined && isUnknown(result, list))
    throw new CommandFailure(
      `the topology has no cluster "${list}"`,
      `run "weft view ${list} ${cluster}" ${list === 'links' ? `to list the links of ${cluster}` : `for the next cluster like ${cluster}`}`,
    );
  if (result.kind === 'links' || result.kind === 'forecast') {
    if (recreated || runbook) throw new CommandFailure('a list has neither --recreated nor --runbook', PAIR_USAGE);
    const aboutList = <T extends typeof result>(listed: T) => ({
      ...listed,
      ...aboutLive(listed.live, {
        isAbout: ({ cluster: a, peer: b }) => peer === undefined || a === peer || b === peer,
        gitSays: [],
      }),
    });
    return result.kind === 'links'
      ? show(host, options, linksAnswer, result, aboutList)
      : show(host, options, forecastAnswer, result, aboutList);
  }
  if (LISTS.some((it) => it === cluster) && peer === undefined && result.kind === 'viewed' && !options.quiet)
    await host.stderr.write(
      `"${cluster}" is a cluster of this fleet; "weft view ${cluster} ${cluster}" ${cluster === 'links' ? 'lists all links' : 'says what still fits'}\n`,
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

const isUnknown = (result: Awaited<ReturnType<typeof viewCluster>>, name: string): boolean =>
  result.kind === 'refused' && result.refusal.kind === 'unknown-cluster' && result.refusal.name === name;

/** Both views reduced to the pair; all views when git lacks one of the two. */
const pairInGit = (views: readonly ClusterView[]): readonly ClusterView[] => {
  const [a, b] = views;
  return a === undefined || b === undefined ? views : narrowed(a, b);
};

const PAIR_USAGE = 'name two clusters: weft view CLUSTER PEER';

interface ViewArguments {
  readonly topology: string | undefined;
  /** `undefined` when no cluster is named. */
  readonly named: { readonly cluster: string; readonly peer: string | undefined; readonly isList: boolean } | undefined;
}

/** Reads the arguments; the optional topology is first and looks like a path, which no cluster name does. */
function readArguments(args: readonly string[]): ViewArguments {
  const [first = ''] = args;
  const topology = /[/\\]|\.ya?ml$/.test(first) ? first : undefined;
  const words = topology === undefined ? args : args.slice(1);
  const isList = LISTS.some((it) => it === words[0]) && words[0] === words[1];
  const [cluster, peer, ...rest] = isList ? words.slice(1) : words;
  if (rest.length > 0)
    throw new CommandFailure(
      `too many arguments: ${rest.join(' ')}`,
      `weft view [topology] CLUSTER [PEER], or weft view [topology] ${LISTS.join('|')} [CLUSTER]`,
    );
  if (cluster === undefined) return { topology, named: undefined };
  if (cluster === peer && !isList)
    throw new CommandFailure(`a cluster has no view of itself: "${cluster}" is given twice`);
  return { topology, named: { cluster, peer, isList } };
}
