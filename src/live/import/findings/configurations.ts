import { sortedUnique } from '../../../base/core/collections.ts';
import type { ObservedCluster } from '../../facts/cluster.ts';
import type { LiveEnd } from '../../facts/links.ts';
import type { CidrLists, ObservedConfiguration } from '../../facts/peer.ts';
import { cidrText, endsOf, type Finding, type FindingRule, objectText } from '../finding.ts';
import { usableOwn } from '../infer-networks.ts';

/** A Configuration has the networks that the peer has, those of its own cluster, and a view for each of the peer's. */
export const configurationsAreCurrent: FindingRule = function* (live) {
  for (const end of endsOf(live)) {
    if (end.configuration === null) continue;
    yield* remoteIsStale(end, end.configuration, live.clusters.get(end.remote));
    yield* localIsStale(end, end.configuration, live.clusters.get(end.cluster));
    yield* viewsAreMissing(end, end.configuration);
    yield* networksDiffer(end, end.configuration);
  }
};

const KINDS = ['pod', 'external'] as const;

function* remoteIsStale(
  { cluster, remote }: LiveEnd,
  configuration: ObservedConfiguration,
  peer: ObservedCluster | undefined,
): Iterable<Finding> {
  if (peer === undefined) return;
  for (const kind of KINDS) {
    const [has, is] = [configuration.remote[kind], networksOf(peer, kind)];
    if (is.length === 0 || sameSet(has, is)) continue;
    yield {
      code: 'import/stale-view',
      cluster,
      message: `${objectText('Configuration', configuration)} of "${cluster}" has ${cidrText(has)} as ${kind} CIDR of "${remote}", which has ${cidrText(is)}`,
      hint: `delete the Configuration and apply the bundle of "${cluster}": its view of "${remote}" is then given again`,
    };
  }
}

/** What a cluster's own Networks are, after Liqo has moved what it may move. */
const networksOf = ({ own }: ObservedCluster, kind: (typeof KINDS)[number]): readonly string[] =>
  usableOwn(kind, own[kind]).map((it) => it.given ?? it.asked);

function* localIsStale(
  { cluster }: LiveEnd,
  configuration: ObservedConfiguration,
  own: ObservedCluster | undefined,
): Iterable<Finding> {
  const { local } = configuration;
  if (own === undefined || local === null) return;
  for (const kind of KINDS) {
    const is = networksOf(own, kind);
    if (is.length === 0 || sameSet(local[kind], is)) continue;
    yield {
      code: 'import/stale-local',
      cluster,
      message: `${objectText('Configuration', configuration)} of "${cluster}" has ${cidrText(local[kind])} as ${kind} CIDR of its own cluster, which has ${cidrText(is)}`,
      hint: 'remove `spec.local` from it and restart the controller manager of Liqo, which writes it once',
    };
  }
}

function* viewsAreMissing({ cluster, remote }: LiveEnd, configuration: ObservedConfiguration): Iterable<Finding> {
  const { remote: asked, seen, isReady } = configuration;
  const isWhole = KINDS.every((it) => seen !== null && seen[it].length === asked[it].length);
  if (isWhole && isReady) return;
  const why = isWhole
    ? `Liqo has not confirmed its networks for "${remote}"`
    : `its status does not have a network for each CIDR of "${remote}"`;
  yield {
    code: 'import/not-ready',
    cluster,
    message: `${objectText('Configuration', configuration)} of "${cluster}" is not ready: ${why}`,
    hint: isWhole
      ? 'wait and import again; if it stays, read the log of the controller manager of Liqo, and compare its CRDs with its release'
      : 'read the log of the controller manager of Liqo; the lock has no view that is not there yet',
  };
}

function* networksDiffer({ cluster, peer }: LiveEnd, configuration: ObservedConfiguration): Iterable<Finding> {
  const { remote: asked, seen } = configuration;
  const given = new Map((peer?.networks ?? []).map((it) => [`${it.kind} ${it.asked}`, it]));
  for (const kind of KINDS) {
    for (const [index, cidr] of asked[kind].entries()) {
      const [network, view] = [given.get(`${kind} ${cidr}`), seen?.[kind][index]];
      if (network?.given == null || view === undefined || network.given === view) continue;
      yield {
        code: 'import/other-view',
        cluster,
        message: `${objectText('Network', network)} of "${cluster}" is ${cidrText([network.given])}, and ${objectText('Configuration', configuration)} has ${cidrText([view])} for it`,
        hint: 'restart the controller manager of Liqo and import again; the lock has what the Configuration has',
      };
    }
  }
}

const sameSet = (a: readonly string[], b: CidrLists['pod']): boolean =>
  sortedUnique(a).join(' ') === sortedUnique(b).join(' ');
