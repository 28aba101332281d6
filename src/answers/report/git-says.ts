import { printAddress } from '../../base/net/text.ts';
import type { LinkFault } from '../../live/problems/link-faults.ts';
import { printTraced } from '../../reach/trace/address.ts';
import type { Trace } from '../../reach/trace/trace.ts';
import type { ClusterView, PeerView } from '../../reach/view/cluster-view.ts';
import type { Use, Whois } from '../../reach/whois/whois.ts';
import { printSeen } from './view-rows.ts';
import { useText } from './whois.ts';

/**
 * Describes live views that differ from git; values that both ends of a link share are compared once.
 * @param faults with the live views that the computation replaces
 */
export function gitSaysOfViews(
  live: readonly ClusterView[],
  git: readonly ClusterView[],
  faults: readonly LinkFault[],
): readonly string[] {
  const unkept = new Map(
    faults.flatMap((it) =>
      it.kind === 'unkept-view' ? [[`${it.cluster} ${it.peer} ${it.cidr} ${it.network}`, it.live] as const] : [],
    ),
  );
  const inGit = new Map(git.map((it) => [it.cluster, it]));
  return live.flatMap((view) => {
    const was = inGit.get(view.cluster);
    if (was === undefined) return [`git has no cluster ${view.cluster}`];
    const peers = new Map(was.peers.map((it) => [it.peer, it]));
    const now = new Set(view.peers.map((it) => it.peer));
    return [
      ...ownNetworks(view, was),
      ...view.peers.flatMap((it) => peerDifferences(view.cluster, { now: it, was: peers.get(it.peer), unkept })),
      ...was.peers
        .filter((it) => !now.has(it.peer))
        .map((it) => `git says ${view.cluster} has a link to ${it.peer}, which is not there`),
    ];
  });
}

function ownNetworks(live: ClusterView, git: ClusterView): readonly string[] {
  const rows = [
    ['pods', live.podCIDRs.join(', '), git.podCIDRs.join(', ')],
    ['services', live.serviceCIDR, git.serviceCIDR],
    ['external network', live.externalCIDR, git.externalCIDR],
  ] as const;
  return rows.flatMap(([what, is, was]) =>
    is === was ? [] : [`git says ${was} for the ${what} of ${live.cluster}, which are at ${is}`],
  );
}

interface Compared {
  readonly now: PeerView;
  readonly was: PeerView | undefined;
  /** Live networks that the computation replaces. */
  readonly unkept: ReadonlyMap<string, string>;
}

function peerDifferences(cluster: string, { now: live, was: git, unkept }: Compared): readonly string[] {
  if (git === undefined) return [`git has no link of ${cluster} and ${live.peer}`];
  const views = new Map(git.views.map((it) => [`${it.kind} ${it.cidr}`, it]));
  const seen = live.views.flatMap((it) => {
    const was = views.get(`${it.kind} ${it.cidr}`);
    const seenAs = unkept.get(`${cluster} ${live.peer} ${it.kind} ${it.cidr}`) ?? it.seenAs;
    if (was?.seenAs === seenAs) return [];
    const what = `the ${it.kind} network of ${live.peer} in ${cluster}`;
    return [
      `git says ${was === undefined ? 'nothing' : was.seenAs} for ${what}, which is ${printSeen({ ...it, seenAs })}`,
    ];
  });
  const dials = (it: PeerView): string => `${it.role === 'server' ? 'serves' : 'dials'} ${it.address}:${it.port}`;
  return [
    ...seen,
    ...(dials(live) === dials(git)
      ? []
      : [`git says ${cluster} ${dials(git)} for ${live.peer}, and it ${dials(live)}`]),
    ...(live.mtu === git.mtu ? [] : [`git says MTU ${git.mtu} for ${cluster} and ${live.peer}, which is ${live.mtu}`]),
  ];
}

/** Describes clusters in which an address has another meaning in git. */
export function gitSaysOfWhois(live: Whois, git: Whois): readonly string[] {
  const inGit = new Map(git.answers.map((it) => [it.cluster, usesText(it.uses)]));
  return live.answers.flatMap(({ cluster, uses }) => {
    const was = inGit.get(cluster);
    if (was === undefined) return [`git has no cluster ${cluster}`];
    return was === usesText(uses) ? [] : [`git says ${printAddress(live.address)} is ${was} in ${cluster}`];
  });
}

const usesText = (uses: readonly Use[]): string => uses.map(useText).join(', and ') || 'nothing of this fleet';

/** Describes a packet that would have another fate, or other addresses, in git. */
export function gitSaysOfTrace(live: Trace, git: Trace): readonly string[] {
  const textOf = ({ fate, sent, received }: Trace): string =>
    [
      fate.kind,
      ...(sent === null ? [] : [`${live.from.cluster} dials ${printTraced(sent.destination)}`]),
      ...(received === null ? [] : [`the source there is ${printTraced(received.source)}`]),
    ].join(', ');
  return textOf(live) === textOf(git) ? [] : [`git says ${textOf(git)}`];
}
