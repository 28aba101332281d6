import { groupBy, sameValues } from '../../base/core/collections.ts';
import { type CidrKind, type LockKey, printLockKey } from '../../base/core/lock-key.ts';
import { type Diagnostic, inSourceOrder } from '../../base/diagnostics/diagnostic.ts';
import { bug, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type Decisions, type NextDecisions, printLock } from '../lock/lock.ts';
import type { Cluster, Link, NetworkModel } from '../model/network-model.ts';
import type { AddressedCluster, AddressedModel, AddressRule, Peer, View } from './addressed-model.ts';
import { assignViews } from './assign-views.ts';
import { carveBlocks } from './carve-blocks.ts';
import { type OwnAddresses, placeOwnAddresses } from './own-addresses.ts';
import { gatewaysLieOutsideTheDialler, gatewaysLieOutsideTheirOwnCluster } from './rules/gateways.ts';
import { helmValuesAgreeWithTheTopology } from './rules/helm-values.ts';
import {
  blocksHoldWhatLiqoAssigns,
  chainsAreReadyAtAnyCommit,
  servicesUseShortcuts,
  viewsNeedNoOrder,
  viewsSurviveARebuild,
} from './rules/views.ts';
import { type Announcement, leavingViews } from './view-request.ts';

const RULES: readonly AddressRule[] = [
  gatewaysLieOutsideTheDialler,
  gatewaysLieOutsideTheirOwnCluster,
  blocksHoldWhatLiqoAssigns,
  viewsNeedNoOrder,
  chainsAreReadyAtAnyCommit,
  viewsSurviveARebuild,
  servicesUseShortcuts,
  helmValuesAgreeWithTheTopology,
];

/** Assigns every address of the fleet: carved blocks, each cluster's own networks, and its views of each peer. */
export function assignAddresses(model: NetworkModel, decisions: Decisions): Outcome<AddressedModel> {
  const { blocks, found: blockFound } = carveBlocks(model, decisions);
  const ownOf = (cluster: Cluster): OwnAddresses =>
    placeOwnAddresses(cluster, {
      external: blocks.external.get(cluster.name),
      internal: blocks.internal.get(cluster.name),
    });
  const own = new Map([...model.clusters.values()].map((it) => [it.name, ownOf(it)]));
  const found: Diagnostic[] = [...blockFound];
  // Peers refer to each other's clusters, so all clusters are created before the first peer.
  const peers = new Map([...model.clusters.keys()].map((name) => [name, new Map<string, Peer>()]));
  const clusters = new Map(
    [...model.clusters.values()].map((it): [string, AddressedCluster] => {
      const { externalCIDR, internalCIDR } = entryOf(own, it);
      return [it.name, { ...it, externalCIDR, internalCIDR, peers: entryOf(peers, it) }];
    }),
  );
  const announcements = announcementsOf(model.links, clusters);
  const leaving = leavingViews([...announcements.values()].flat(), decisions);
  for (const cluster of clusters.values()) {
    const addresses = entryOf(own, cluster);
    const views = assignViews({
      cluster,
      announcements: announcements.get(cluster.name) ?? [],
      leaving: leaving.get(cluster.name) ?? [],
      own: addresses,
      freshIpam: () => ownOf(cluster).ipam,
      decisions,
    });
    for (const it of [addresses.found, views.found].flat()) found.push(it);
    for (const it of views.peers) entryOf(peers, cluster).set(it.name, it);
  }
  const addressed: AddressedModel = { fleet: model.fleet, clusters, links: model.links };
  const broken = found.some((it) => it.severity === 'error');
  // Without every address, the rules would only repeat the errors.
  const remarks = broken ? [] : RULES.flatMap((rule) => [...rule(addressed)]);
  return outcome(addressed, inSourceOrder([...found, ...remarks], [model.fleet.at.source]));
}

/** Every map of this file has an entry for every cluster of the model. */
const entryOf = <T>(byCluster: ReadonlyMap<string, T>, { name }: Cluster): T =>
  byCluster.get(name) ?? bug(`"${name}" is not a cluster of the model`);

/** The announcements of the peers of each cluster, in join order. */
function announcementsOf(
  links: readonly Link[],
  clusters: ReadonlyMap<string, AddressedCluster>,
): ReadonlyMap<string, readonly Announcement[]> {
  const announced = links.flatMap((link): readonly Announcement[] => {
    const [server, client] = [entryOf(clusters, link.server.cluster), entryOf(clusters, link.client.cluster)];
    return [
      { viewer: server, link, peer: client },
      { viewer: client, link, peer: server },
    ];
  });
  return groupBy(announced, (it) => [it.viewer.name]);
}

/** The text of the lock file with everything that the next compile must keep. */
export const nextLock = (model: AddressedModel): string => printLock(model.fleet.topologyFile, nextDecisions(model));

/** One decision of a model: a network, a port, or a join number. */
type Decided = readonly [LockKey, Prefix | number];

/** The decisions that the next compile must keep: blocks, join numbers, ports, and views of the present topology. */
export const nextDecisions = (model: AddressedModel): NextDecisions => printedDecisions(modelDecisions(model));

/** Decisions in the form of the lock. */
const printedDecisions = (decisions: readonly Decided[]): NextDecisions =>
  new Map(decisions.map(([key, it]) => [printLockKey(key), typeof it === 'number' ? it : printPrefix(it)]));

/** Decisions of a model before they are printed. */
function modelDecisions({ clusters, links }: AddressedModel): readonly Decided[] {
  const decided: Decided[] = [];
  for (const cluster of clusters.values()) {
    const { name, external, externalCIDR, internal, internalCIDR } = cluster;
    if (external.kind === 'auto') decided.push([{ kind: 'block', cluster: name, block: 'external' }, externalCIDR]);
    if (internal.kind === 'auto') decided.push([{ kind: 'block', cluster: name, block: 'internal' }, internalCIDR]);
    for (const it of viewDecisions(cluster)) decided.push(it);
  }
  for (const { id, join, nudge, server, endpoint } of links) {
    decided.push([{ kind: 'join', link: id }, join]);
    if (nudge > 0) decided.push([{ kind: 'nudge', link: id }, nudge]);
    decided.push([{ kind: 'port', link: id, server: server.cluster.name }, endpoint.nodePort ?? endpoint.servicePort]);
  }
  return decided;
}

function viewDecisions({ name, peers }: AddressedCluster): readonly Decided[] {
  return [...peers.values()].flatMap(({ link, podViews, externalView }) => {
    const decided = (role: CidrKind, { cidr, seenAs }: View): Decided => [
      { kind: 'view', link: link.id, viewer: name, role, cidr },
      seenAs,
    ];
    return [...podViews.map((it) => decided('pod', it)), decided('external', externalView)];
  });
}

/** The decisions that a lock was printed from, and its text. */
interface Last {
  readonly decisions: readonly Decided[];
  readonly text: string;
}

/**
 * `nextLock` with a memory, for a process that compiles the same topologies repeatedly: a text is printed only if a
 * decision differs from last time.
 */
export function lockMemory(): typeof nextLock {
  const last = new Map<string, Last>();
  return (model) => {
    const { at, topologyFile } = model.fleet;
    const before = last.get(at.source.path);
    const decisions = modelDecisions(model);
    if (before !== undefined && sameValues(() => undefined)(before.decisions, decisions)) return before.text;
    const text = printLock(topologyFile, printedDecisions(decisions));
    last.set(at.source.path, { decisions, text });
    return text;
  };
}
