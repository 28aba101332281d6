import { listOf, shortened } from '../../../base/core/words.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { areOfOneLine, releaseOf } from '../../../base/releases/release.ts';
import type { ObservedCluster, OwnRole } from '../../facts/cluster.ts';
import type { ClusterCase, PeerCase } from '../cluster-case.ts';
import { byObject, type Finding, objectsIn, type Problem, problem, valueIn } from '../drift.ts';

/** Explains differences in the values of Liqo's chart: its release, networks and pools. */
export function* installation(it: ClusterCase): Iterable<Problem> {
  yield* release(it);
  yield* otherOwnNetworks(it);
  yield* pools(it);
}

/** Another release line behaves differently; another patch of the same line is only reported. */
function* release({ cluster, facts: { versions }, pool, at, peers }: ClusterCase): Iterable<Problem> {
  const others = versions.filter((it) => it !== `v${cluster.release.version}`);
  const foreign = others.filter((it) => {
    const found = releaseOf(it.replace(/^v/, ''));
    return found === undefined || !areOfOneLine(found, cluster.release);
  });
  const [first] = foreign.length > 0 ? foreign : others;
  if (first === undefined) return;
  const both = versions.length > 1 ? `, and parts of it ${listOf(versions.filter((it) => it !== first))}` : '';
  const isOther = foreign.length > 0;
  yield problem(isOther ? 'drift/release' : 'drift/patch', {
    peer: null,
    at,
    message: `Liqo in "${cluster.name}" is ${shortened(first, 40)}${both}, and git has ${cluster.release.version}`,
    hint: isOther
      ? 'set "liqo.version" of the cluster to what runs, and run drift again: names, views and labels differ between releases'
      : 'set "liqo.version" of the cluster to what runs',
    findings: isOther ? pool.take(isChartNetwork) : [],
    effects: isOther ? [...peers.values()].flatMap((it) => it.pool.take(isNamedByRelease)) : [],
  });
}

/** In another release, a Network of the chart has another name or other labels. */
const isChartNetwork = (it: Finding): boolean =>
  it.object.kind === 'Network' && (it.kind !== 'different' || it.path[1] === 'labels');

const isNamedByRelease = (it: Finding): boolean =>
  ['FirewallConfiguration', 'RouteConfiguration'].includes(it.object.kind) ||
  (it.object.kind === 'Network' && (it.kind === 'missing' || it.kind === 'extra'));

const VALUES: Readonly<Record<OwnRole, readonly [what: string, value: string]>> = {
  pod: ['the pods', 'ipam.podCIDR'],
  service: ['the Services', 'ipam.serviceCIDR'],
  external: ['the external network', 'ipam.externalCIDR'],
  internal: ['the internal network', 'ipam.internalCIDR'],
  reserved: ['a reserved network', 'ipam.reservedSubnets'],
};

/** Reports the cluster's own networks, which the chart creates from its values: one problem per value. */
function* otherOwnNetworks({ cluster, facts, pool, at, peers }: ClusterCase): Iterable<Problem> {
  const found = pool.take((one) => one.object.kind === 'Network' && one.object.namespace === cluster.liqoNamespace);
  if (found.length > 0 && Object.values(facts.own).every((it) => it.length === 0)) {
    yield problem('drift/own-network', {
      peer: null,
      at,
      message: `"${cluster.name}" has none of its own networks, which the chart of Liqo creates`,
      hint: 'install Liqo with helm-values.yaml, or check that the context leads to the right cluster',
      findings: found,
    });
    return;
  }
  for (const ofObject of byObject(found)) {
    const [first] = ofObject;
    if (first === undefined) continue;
    const role = roleOf(facts, first.object.name);
    const [what, value] = role === undefined ? ['a network', 'ipam'] : VALUES[role];
    const field = ofObject.find((one) => one.kind === 'different' && one.path.at(-1) === 'cidr');
    const isMoved = field?.kind === 'different';
    yield problem('drift/own-network', {
      peer: null,
      at,
      message: isMoved
        ? `"${cluster.name}" has ${what} in ${valueIn(field.live)}, and git has ${valueIn(field.promised)}`
        : first.kind === 'missing'
          ? `"${cluster.name}" was installed without ${what} of git: ${objectsIn([first])} is missing`
          : first.kind === 'extra'
            ? `"${cluster.name}" was installed with ${what} that git does not have: ${objectsIn([first])}`
            : `${objectsIn([first])} of "${cluster.name}" was edited`,
      hint: `"helm get values liqo -n ${cluster.liqoNamespace}" shows "${value}" of the installation: write it into the topology, or install Liqo again with helm-values.yaml`,
      details: isMoved ? ['peers request what git has, so they map other addresses than this cluster uses'] : [],
      findings: ofObject,
      effects: isMoved
        ? [...peers.values()].flatMap((peer) => [
            ...peer.pool.takeFields(['Configuration'], 'spec', 'local'),
            ...peer.pool.take((one) => ['FirewallConfiguration', 'RouteConfiguration'].includes(one.object.kind)),
          ])
        : [],
    });
  }
}

const ROLES: readonly OwnRole[] = ['pod', 'service', 'external', 'internal', 'reserved'];

/** Returns the role of a Network by its label; for one that is absent, by its name. */
const roleOf = ({ own }: ObservedCluster, name: string): OwnRole | undefined =>
  ROLES.find((role) => own[role].some((it) => it.name === name)) ??
  ROLES.find((role) =>
    role === 'reserved' ? name.startsWith('reserved-') : /^(.*)-cidr(-|$)/.exec(name)?.[1] === role,
  );

/** Reports the pools of the IPAM. A dump contains its Deployment only if the user dumped it. */
function* pools({ cluster, facts, at }: ClusterCase): Iterable<Problem> {
  const found = facts.pools ?? [];
  const wanted = cluster.pools.map((it) => printPrefix(it.value));
  if (found.length === 0 || found.join() === wanted.join()) return;
  yield problem('drift/pools', {
    peer: null,
    at,
    message: `the IPAM of "${cluster.name}" assigns from ${shortened(listOf(found), 200)}, and git has ${listOf(wanted)}`,
    hint: 'set "ipam.pools" of the cluster to these, in this order, or install Liqo again with helm-values.yaml',
    findings: [],
  });
}

/** `milan-pod` up to Liqo 1.1, `milan-pod-10-200-0-0-16` since 1.2. */
const NEW_NAME = /-(pod|external)-\d+-\d+-\d+-\d+-\d+$/;
const OLD_NAME = /-(pod|external)$/;

/**
 * Reports networks of a peer with the names of another release. An upgraded Liqo requests every view again under the
 * new names and deletes the old Networks, in any order. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/configuration/network.go.
 */
export function* halfUpgrade({ cluster }: ClusterCase, peer: PeerCase): Iterable<Problem> {
  const isNew = cluster.traits.namesPeerNetworksByCIDR;
  const other = isNew ? OLD_NAME : NEW_NAME;
  const extra = peer.pool.take(
    (one) => one.kind === 'extra' && one.object.kind === 'Network' && other.test(one.object.name),
  );
  if (extra.length === 0) return;
  const missing = peer.pool.take((one) => one.kind === 'missing' && one.object.kind === 'Network');
  const ours = peer.facts.networks.filter((it) => !other.test(it.name)).length;
  const release = isNew ? 'before 1.2' : 'since 1.2';
  yield problem('drift/half-upgrade', {
    peer: peer.peer,
    at: peer.at,
    message:
      ours > 0
        ? `"${cluster.name}" has Networks of "${peer.peer}" under the names of two releases: ${objectsIn(extra)} of Liqo ${release} besides those of git`
        : `the Networks of "${cluster.name}" for "${peer.peer}" have the names of Liqo ${release}: ${objectsIn(extra)}`,
    hint: 'let the upgrade of Liqo end, then run drift again, with --wait for instance: every view is asked for again, and may come out otherwise',
    findings: [...extra, ...missing],
  });
}
