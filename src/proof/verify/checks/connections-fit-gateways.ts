import { groupBy } from '../../../base/core/group-by.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type KubeObject, textAt } from '../kube-object.ts';
import type { RebuiltCluster, RebuiltPeer } from '../rebuild-network.ts';
import { compareText, forEachCluster } from './bundle-check.ts';

/** The Connection that a gateway writes refers to that gateway and its role. */
export const connectionsFitGateways = forEachCluster(function* ({ bundle }, cluster) {
  const expected = bundle.objects.get(`${cluster.name}/expected/connections.yaml`) ?? [];
  const byNamespace = groupBy(expected, (it) => [textAt(it.node, ['metadata', 'namespace']).text ?? '']);
  for (const peer of cluster.peers.values()) {
    const { names } = peer;
    const found = [...(byNamespace.get(names.namespace) ?? []), ...peer.objects].filter(
      (it) => it.kind === 'Connection' && it.name === `gw-${names.gateway}`,
    );
    for (const it of found) yield* fits(it, cluster, peer);
    for (const { node } of found.filter((it) => expected.includes(it))) {
      yield* compareText({
        code: 'verify/expected',
        what: `the status of the Connection of "${cluster.name}" to "${peer.name}"`,
        found: textAt(node, ['status', 'value']),
        wanted: 'Connected',
        phrase: 'the gateway writes',
      });
    }
  }
});

function* fits({ node }: KubeObject, cluster: RebuiltCluster, peer: RebuiltPeer): Iterable<Diagnostic> {
  const end = cluster.expected.ends.get(peer.name);
  if (!end) return;
  const role = end.role === 'server' ? 'Server' : 'Client';
  const whose = `of the Connection of "${cluster.name}" to "${peer.name}"`;
  const check = (what: string, path: readonly string[], wanted: string) =>
    compareText({
      code: 'verify/expected',
      what: `${what} ${whose}`,
      found: textAt(node, path),
      wanted,
      phrase: 'the gateway writes',
    });
  yield* check('the type', ['spec', 'type'], role);
  yield* check('the kind', ['spec', 'gatewayRef', 'kind'], `WgGateway${role}`);
  yield* check('the gateway', ['spec', 'gatewayRef', 'name'], end.names.gateway);
  yield* check('the namespace', ['spec', 'gatewayRef', 'namespace'], end.names.namespace);
  yield* check('the apiVersion', ['spec', 'gatewayRef', 'apiVersion'], 'networking.liqo.io/v1beta1');
}
