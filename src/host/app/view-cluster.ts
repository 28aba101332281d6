import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { clusterNamed } from '../../fleet/ipam/cluster-named.ts';
import { areJoined } from '../../reach/view/are-joined.ts';
import { type ClusterView, clusterView } from '../../reach/view/cluster-view.ts';
import type { RecreatedView } from '../../reach/view/recreated-view.ts';
import { type LiveLook, type NetworkPorts, type NetworkRequest, networkOf, type Unknown } from './network-of.ts';
import { recreatedViews } from './recreated-views.ts';
import { runbooksFor } from './runbooks-for.ts';

interface ViewRequest extends NetworkRequest {
  /** The cluster whose view is requested. */
  readonly cluster: string;
  /** One peer, in both directions; `undefined` for all peers. */
  readonly peer: string | undefined;
  /** Also how the cluster sees the peer once its Configuration was deleted and created again. */
  readonly recreated?: boolean;
  /** Also what to look at between the cluster and the peer. */
  readonly runbook?: boolean;
}

type ViewResult =
  | Unknown
  | {
      readonly kind: 'viewed';
      readonly diagnostics: readonly Diagnostic[];
      readonly view: ClusterView;
      /** How the peer sees the network; `null` without a requested peer. */
      readonly peerView: ClusterView | null;
      /** Whether the two reach each other, by a link or through a hub; true when no peer was asked for. */
      readonly joined: boolean;
      /** `null` when that was not asked for. */
      readonly recreated: RecreatedView | null;
      /** One for each link between the two; empty where that was not asked for. */
      readonly runbooks: ReturnType<typeof runbooksFor>;
      /** `null` for what git has. */
      readonly live: LiveLook | null;
      /** The same views as git has them, where it has the clusters; empty without a topology, and for what git has. */
      readonly inGit: readonly ClusterView[];
    };

/** The network as one cluster sees it. */
export async function viewCluster(ports: NetworkPorts, request: ViewRequest): Promise<ViewResult> {
  const { cluster, peer } = request;
  const clusters = peer === undefined ? [cluster] : [cluster, peer];
  const topology = await networkOf(ports, request, clusters);
  if (topology.kind !== 'compiled') return topology;
  const { live } = topology;
  const { model } = topology.compiled;
  const viewOf = (name: string): ClusterView => clusterView(model, clusterNamed(model, name));
  const view = viewOf(cluster);
  const again = request.recreated === true ? peer : undefined;
  if (again !== undefined && view.peers.every((it) => it.peer !== again)) {
    return { kind: 'refused', refusal: { kind: 'not-linked', cluster, peer: again } };
  }
  return {
    kind: 'viewed',
    diagnostics: topology.diagnostics,
    view,
    peerView: peer === undefined ? null : viewOf(peer),
    joined: peer === undefined || areJoined(view, peer),
    recreated: again === undefined ? null : recreatedViews(topology, cluster, again),
    runbooks:
      request.runbook === true && peer !== undefined
        ? runbooksFor(cluster, peer, { model, git: live?.git ?? null })
        : [],
    live,
    inGit: clusters.flatMap((it) => {
      const found = live?.git?.clusters.get(it);
      return live?.git && found ? [clusterView(live.git, found)] : [];
    }),
  };
}
