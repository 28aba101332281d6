import { type ClusterCase, ofKind, type PeerCase } from '../cluster-case.ts';
import { type Problem, problem } from '../problem.ts';

const GATEWAYS = ['GatewayServer', 'GatewayClient'];

/**
 * A gateway of the other role, a gateway or a Configuration beside the one of git. Liqo looks for exactly one of each per
 * remote cluster. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/route/k8s.go.
 */
export function* secondObjects(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  if (peer.promised.length === 0) return;
  yield* gateways(it, peer);
  yield* configurations(it, peer);
}

function* gateways({ cluster }: ClusterCase, { peer, at, pool, live }: PeerCase): Iterable<Problem> {
  const extra = pool.take((one) => one.kind === 'extra' && GATEWAYS.includes(one.object.kind));
  const [second] = extra;
  if (second === undefined) return;
  const connections = new Set(extra.map((one) => `${one.object.namespace ?? ''}/gw-${one.object.name}`));
  const effects = pool.take(
    (one) => one.kind === 'extra' && connections.has(`${one.object.namespace ?? ''}/${one.object.name}`),
  );
  const missing = pool.take((one) => one.kind === 'missing' && GATEWAYS.includes(one.object.kind));
  const [promised] = missing;
  if (promised !== undefined) {
    yield problem('drift/gateway-role', {
      peer,
      at,
      message:
        promised.object.kind === second.object.kind
          ? `the gateway of "${cluster.name}" for "${peer}" is called "${second.object.name}", and git has "${promised.object.name}"`
          : `"${cluster.name}" has a ${second.object.kind} for "${peer}", and git has a ${promised.object.kind}`,
      hint: 'change the topology to what runs, or delete this gateway, wait until it is gone, and apply the bundle',
      findings: [...missing, ...extra],
      effects: [...effects, ...pool.take((one) => one.kind === 'missing' && one.object.kind === 'Connection')],
    });
    return;
  }
  const first = ofKind(live, ...GATEWAYS).find((one) => one.metadata.name !== second.object.name);
  yield problem('drift/second-gateway', {
    peer,
    at,
    message: `"${cluster.name}" has two gateways for "${peer}": ${first?.kind ?? 'one'} "${first?.metadata.name ?? peer}" of git, and ${second.object.kind} "${second.object.name}"`,
    hint: 'delete the one that git does not have: with two, Liqo makes no routes',
    findings: extra,
    effects,
  });
}

function* configurations({ cluster }: ClusterCase, { peer, at, pool }: PeerCase): Iterable<Problem> {
  const extra = pool.take((one) => one.kind === 'extra' && one.object.kind === 'Configuration');
  const [second] = extra;
  if (second === undefined) return;
  const missing = pool.take((one) => one.kind === 'missing' && one.object.kind === 'Configuration');
  const isOnly = missing.length > 0;
  yield problem('drift/second-configuration', {
    peer,
    at,
    message: isOnly
      ? `the Configuration of "${cluster.name}" for "${peer}" is "${second.object.name}", and git has "${missing[0]?.object.name ?? ''}"`
      : `"${cluster.name}" has two Configurations for "${peer}": the one of git, and "${second.object.name}"`,
    hint: 'delete the one that git does not have: with two, Liqo uses neither',
    findings: [...missing, ...extra],
    effects: pool.take(
      (one) =>
        one.object.kind === 'Network' &&
        ((one.kind === 'extra' && extra.some((it) => one.object.name.startsWith(`${it.object.name}-`))) || isOnly),
    ),
  });
}
