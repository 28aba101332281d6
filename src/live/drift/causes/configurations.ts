import { groupBy, sortedUnique } from '../../../base/core/collections.ts';
import { quoted, someOf } from '../../../base/core/words.ts';
import { textsAt } from '../../dumps/json.ts';
import { isFence } from '../../facts/boundaries.ts';
import { configurationProblems, isBehind } from '../../problems/link-problems.ts';
import { missingRoutes } from '../../problems/missing-routes.ts';
import type { ClusterCase, PeerCase } from '../cluster-case.ts';
import { type DifferentField, type Finding, objectsIn, type Problem, problem, valueIn, withEffects } from '../drift.ts';

const KIND = ['Configuration'];

/** Explains differences in a Configuration: the networks of the peer, its own networks, and its processing by Liqo. */
export function* configurations(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  yield* missingConfiguration(it, peer);
  yield* remoteCidr(it, peer);
  yield* staleLocal(it, peer);
  yield* unconfirmed(it, peer);
}

function* missingConfiguration({ cluster, reachedWave }: ClusterCase, { peer, at, pool }: PeerCase): Iterable<Problem> {
  const found = pool.take((one) => one.kind === 'missing' && one.object.kind === 'Configuration');
  const [first] = found;
  if (first?.kind !== 'missing') return;
  yield problem('drift/missing', {
    peer,
    at,
    message: `"${cluster.name}" has no Configuration for "${peer}", so it has no addresses for it`,
    hint: 'apply the bundle; the views are then asked for again',
    isWaiting: first.wave > reachedWave,
    findings: found,
    effects: pool.take((one) => one.object.kind === 'Network'),
  });
}

function* remoteCidr({ cluster }: ClusterCase, { peer, at, pool }: PeerCase): Iterable<Problem> {
  const found = pool.takeFields(KIND, 'spec', 'remote');
  if (found.length === 0) return;
  yield problem('drift/remote-cidr', {
    peer,
    at,
    message: `the Configuration of "${cluster.name}" has ${found.map((one) => `${typeOf(one.path)} ${valueIn(one.live)} for "${peer}", and git has ${valueIn(one.promised)}`).join('; ')}`,
    hint: `if "${peer}" has these networks now, change the topology; otherwise apply the bundle again`,
    details: cluster.traits.namesPeerNetworksByCIDR
      ? []
      : ['before Liqo 1.2 a change of this list has no effect until the Configuration is created again'],
    findings: found,
    effects: pool.take(
      (one) => one.object.kind === 'Network' || (one.object.kind === 'Configuration' && isStatus(one)),
    ),
  });
}

const typeOf = (path: readonly string[]): string =>
  path[3] === 'external' ? 'the external network' : 'the pod network';

const isStatus = (it: Finding): boolean => it.kind === 'different' && it.path[0] === 'status';

/** Liqo writes `spec.local` once and never updates it. Source: liqotech/liqo@v1.2.0 configuration_controller.go. */
function* staleLocal({ cluster }: ClusterCase, { peer, at, pool }: PeerCase): Iterable<Problem> {
  // Until Liqo has written it, the Configuration is only incomplete.
  const found = pool.take((one) => isOfLocal(one) && one.live !== undefined);
  const [first] = found;
  if (first?.kind !== 'different') return;
  yield problem('drift/stale-local', {
    peer,
    at,
    message: `the Configuration of "${cluster.name}" for "${peer}" has ${valueIn(first.live)} as the cluster's own network, and git has ${valueIn(first.promised)}`,
    hint: 'correct "spec.local" together with a change of a list in "spec.remote": Liqo 1.2 does not look at a change of it alone',
    details: [
      `pods of "${cluster.name}" with other addresses reach "${peer}" as the unknown source, without their own address`,
    ],
    findings: found,
  });
}

const isOfLocal = (it: Finding): it is DifferentField =>
  it.kind === 'different' && it.object.kind === 'Configuration' && it.path[0] === 'spec' && it.path[1] === 'local';

/**
 * Reports Configurations that Liqo has not processed. Since 1.2 everything that needs the networks of a peer waits for
 * a condition. A change that affects neither views nor condition is never marked as observed, because Liqo's comparison
 * misses it; older CRDs, which no upgrade of the chart replaces, drop the condition. Source: liqotech/liqo@v1.2.0
 * apis/networking/v1beta1/zz_generated.deepcopy.go, deployments/liqo/charts/liqo-crds/crds,
 * pkg/liqo-controller-manager/networking/utils/configuration.go.
 */
function* unconfirmed({ cluster }: ClusterCase, { peer, at, facts }: PeerCase): Iterable<Problem> {
  const end = { cluster: cluster.name, remote: peer };
  for (const it of facts.configurations.flatMap((one) => [...configurationProblems(end, one)])) {
    if (it.kind !== 'unconfirmed') continue;
    const { condition, generation } = it;
    const about = { peer, at, findings: [] };
    const configuration = `the Configuration of "${cluster.name}" for "${peer}"`;
    if (condition === null) {
      if (!cluster.traits.reportsReadinessAsCondition) continue;
      yield problem('drift/stale-generation', {
        ...about,
        message: `${configuration} has views and no condition NetworkCIDRsConfigured, for which all of Liqo waits`,
        hint: 'apply the CRDs of the release that runs: those before 1.2 drop the condition, and no upgrade of the chart replaces them',
      });
    } else if (isBehind(condition, generation)) {
      yield problem('drift/stale-generation', {
        ...about,
        message: `Liqo has looked at generation ${condition.generation} of ${generation} of ${configuration}`,
        hint: 'wait; if it stays, Liqo 1.2 does not see a change that alters no view: add a network to a list of "spec.remote" and remove it again',
        isWaiting: true,
      });
    } else {
      yield problem('drift/stale-generation', {
        ...about,
        message: `${configuration} is not ready: ${valueIn(condition.type ?? undefined)} is ${valueIn(condition.status ?? undefined)}`,
        hint: 'wait; if it stays, look at the Networks of the peer and at the logs of the IPAM',
        isWaiting: true,
      });
    }
  }
}

/** Kinds from which Liqo derives its rules: other rules may be an effect of a difference in one of them. */
const DECIDING = new Set(['Namespace', 'Configuration', 'Network']);

/**
 * Explains rules of gateways and nodes that do not match the cluster's objects. Runs after all other causes; returns
 * all problems of the peer.
 */
export function translated(it: ClusterCase, peer: PeerCase, problems: readonly Problem[]): readonly Problem[] {
  const cause = problems.findIndex((one) => one.findings.some(({ object }) => DECIDING.has(object.kind)));
  // Before the Configuration has its views there are no rules.
  const isReady = peer.facts.configurations.some((one) => one.seen !== null);
  const take = (kind: string): readonly Finding[] =>
    peer.pool.take(
      (one) => one.object.kind === kind && !isFence(one.object) && (cause !== -1 || isReady || one.kind !== 'missing'),
    );
  const [rules, routes] = [take('FirewallConfiguration'), take('RouteConfiguration')];
  if (cause !== -1)
    return problems.map((one, index) => (index === cause ? withEffects(one, [...rules, ...routes]) : one));
  return [
    ...problems,
    ...(rules.length === 0 ? [] : [otherRules(it, peer, rules)]),
    ...(routes.length === 0 ? [] : [otherRoutes(it, peer, routes)]),
  ];
}

/**
 * Reports routes from the gateways of a cluster to its nodes, which packets from one peer to another need; one problem
 * a cluster. They follow from the views that the cluster has. Peers with a cause of their own are left out.
 */
export function* transitRoutes({ cluster, live, at }: ClusterCase, found: readonly Problem[]): Iterable<Problem> {
  const explained = new Set(
    found.flatMap((one) => (one.findings.some(({ object }) => DECIDING.has(object.kind)) ? [one.peer] : [])),
  );
  const missing = missingRoutes(live).filter((one) => one.of === 'to-node' && !explained.has(one.peer));
  if (missing.length === 0) return;
  const peers = sortedUnique(missing.map((one) => one.peer));
  const objects = [...groupBy(missing, (one) => [one.object.name])];
  const [only, ...more] = peers;
  yield problem('drift/routes', {
    peer: more.length === 0 ? (only ?? null) : null,
    at,
    message: `"${cluster.name}" forwards nothing to ${someOf(peers.map(quoted), NAMED)}: ${objects.length === 1 ? 'a RouteConfiguration of a node lacks' : `RouteConfigurations of ${objects.length} nodes lack`} routes`,
    hint: 'touch a Configuration of the cluster, for instance with an annotation: Liqo then writes these routes again, and does not repair them by itself',
    details: objects.map(([name, those]) =>
      those.every((one) => one.exists)
        ? `"${name}" lacks ${someOf(
            those.flatMap((one) => one.networks),
            NAMED,
          )}`
        : `"${name}" is missing`,
    ),
    findings: [],
  });
}

const NAMED = 6;

function otherRoutes({ cluster }: ClusterCase, { peer, at }: PeerCase, findings: readonly Finding[]): Problem {
  const isMissing = findings.every((one) => one.kind === 'missing');
  return problem('drift/routes', {
    peer,
    at,
    message: isMissing
      ? `"${cluster.name}" has no routes to "${peer}": ${objectsIn(findings)} is missing`
      : `"${cluster.name}" has other routes to "${peer}" than follow from git: ${objectsIn(findings)}`,
    hint: findings.some((one) => one.object.name.endsWith('-gw-ext'))
      ? 'touch the Configuration of the peer, for instance with an annotation: Liqo then writes its routes again, and does not repair them by itself'
      : 'look at the InternalFabric of the peer and at the logs of Liqo: it writes these routes again by itself',
    details: findings.flatMap(changedRules),
    findings,
  });
}

function otherRules({ cluster }: ClusterCase, { peer, at }: PeerCase, findings: readonly Finding[]): Problem {
  const isMissing = findings.every((one) => one.kind === 'missing');
  return problem('drift/nat-rules', {
    peer,
    at,
    message: isMissing
      ? `"${cluster.name}" has no rules for the addresses of "${peer}": ${objectsIn(findings)} is missing`
      : `"${cluster.name}" translates addresses of "${peer}" by other rules than git has: ${objectsIn(findings)}`,
    hint: 'touch the Configuration of the peer, for instance with an annotation: Liqo then writes its rules again, within seconds, and does not repair them by itself',
    details: findings.flatMap(changedRules),
    findings,
  });
}

/** Lists the rules that should be removed, and those that are missing. */
function changedRules(it: Finding): readonly string[] {
  if (it.kind !== 'different') return [];
  const [there, wanted] = [textsAt(it.live), textsAt(it.promised)];
  const chain = it.object.kind === 'RouteConfiguration' ? 'the table' : `the chain ${it.path.at(-1) ?? ''}`;
  return [
    ...there.filter((line) => !wanted.includes(line)).map((line) => `${chain} has   ${line}`),
    ...wanted.filter((line) => !there.includes(line)).map((line) => `${chain} lacks ${line}`),
  ];
}
