import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ExpectedEnd } from '../expectation.ts';
import { templateNameOf } from '../expected/own-template.ts';
import { type KubeObject, textAt, textsAt } from '../kube-object.ts';
import type { RebuiltCluster, RebuiltPeer } from '../rebuild-network.ts';
import { type BundleCheck, claim, type Evidence, ends } from './bundle-check.ts';
import { claimPart } from './claim-part.ts';

/** Both ends of a tunnel fit together: one serves, one dials, where and with what MTU the topology says. */
export const gatewaysAgree: BundleCheck = function* (evidence) {
  for (const [cluster, peer] of ends(evidence)) {
    const end = cluster.expected.ends.get(peer.name);
    if (!end || !peer.gateway) continue;
    const scene = { evidence, cluster, peer, end, gateway: peer.gateway, other: otherEnd(evidence, cluster, peer) };
    if (peer.gateway.kind === (end.role === 'server' ? 'GatewayServer' : 'GatewayClient')) {
      yield* mtuOf(scene);
      yield* end.role === 'server' ? serverOf(scene) : clientOf(scene);
      yield* secretOf(scene);
      yield* templateOf(scene);
    } else {
      yield wrongRole(scene);
    }
  }
};

interface Scene {
  readonly evidence: Evidence;
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
  readonly end: ExpectedEnd;
  readonly gateway: KubeObject;
  /** The gateway at the other end of the tunnel. */
  readonly other: KubeObject | undefined;
}

const otherEnd = ({ network }: Evidence, cluster: RebuiltCluster, peer: RebuiltPeer): KubeObject | undefined =>
  network.get(peer.name)?.peers.get(cluster.name)?.gateway;

const whose = ({ cluster, peer }: Scene): string => `of the gateway of "${cluster.name}" towards "${peer.name}"`;

function wrongRole({ cluster, peer, end, gateway, other }: Scene): Diagnostic {
  const twice = other?.kind === gateway.kind;
  const is = gateway.kind === 'GatewayServer' ? 'serves' : 'dials';
  const message = `the gateway of "${cluster.name}" towards "${peer.name}" ${is}, and ${
    twice ? 'so does the one at the other end' : `the topology makes it the ${end.role}`
  }`;
  return diagnostic('verify/role', gateway.at, message, {
    related: other ? [{ message: 'the gateway at the other end', span: other.at }] : undefined,
  });
}

/** Source: liqotech/liqo@v1.2.0 docs: nothing verifies that both ends use one MTU. */
function* mtuOf(scene: Scene): Iterable<Diagnostic> {
  const { gateway, other, end } = scene;
  const there = other && textAt(other.node, ['spec', 'mtu']);
  const found = textAt(gateway.node, ['spec', 'mtu']);
  yield* claim({
    code: 'verify/mtu',
    what: `the MTU ${whose(scene)}`,
    found,
    wanted: String(end.link.mtuBytes),
    ...(there && there.text !== found.text ? { other: there } : {}),
  });
}

function* serverOf(scene: Scene): Iterable<Diagnostic> {
  const { node } = scene.gateway;
  const { serviceType, loadBalancerIP } = scene.end.link.endpoint;
  const { servicePort, nodePort } = scene.peer.endpoint;
  const check = (name: string, field: string, wanted: string | null) =>
    claim({
      code: 'verify/endpoint',
      what: `the ${name} ${whose(scene)}`,
      found: textAt(node, ['spec', 'endpoint', field]),
      wanted,
      other: field === 'nodePort' && scene.other ? textAt(scene.other.node, ['spec', 'endpoint', 'port']) : undefined,
    });
  yield* check('service port', 'port', servicePort);
  yield* check('service type', 'serviceType', serviceType);
  yield* check('node port', 'nodePort', nodePort);
  yield* check('load balancer address', 'loadBalancerIP', loadBalancerIP);
  const { gateway, traits } = scene.cluster.expected.declared;
  const isAnnotated = traits.annotatesGatewayServices && Object.keys(gateway.serviceAnnotations).length > 0;
  yield* claimPart({
    code: 'verify/endpoint',
    what: whose(scene).replace('of ', ''),
    node,
    path: ['spec', 'serviceAnnotations'],
    wanted: isAnnotated ? gateway.serviceAnnotations : undefined,
  });
}

function* clientOf(scene: Scene): Iterable<Diagnostic> {
  const { end, gateway, other } = scene;
  const { address, serviceType } = end.link.endpoint;
  const { dialled: port, nodePort, servicePort } = scene.peer.endpoint;
  const listening = serviceType === 'NodePort' ? 'nodePort' : 'port';
  const [first, ...more] = textsAt(gateway.node, ['spec', 'endpoint', 'addresses']);
  yield* claim({
    code: 'verify/endpoint',
    what: `the address that the gateway of "${end.cluster}" dials for "${end.peer}"`,
    found: first ?? textAt(gateway.node, ['spec', 'endpoint', 'addresses']),
    wanted: address,
  });
  for (const extra of more) {
    yield diagnostic(
      'verify/endpoint',
      extra.at,
      `the gateway of "${end.cluster}" towards "${end.peer}" has a second address, which Liqo does not dial`,
    );
  }
  // With a forwarded port the two differ on purpose.
  const direct = port === (nodePort ?? servicePort);
  yield* claim({
    code: 'verify/endpoint',
    what: `the port that the gateway of "${end.cluster}" dials for "${end.peer}"`,
    found: textAt(gateway.node, ['spec', 'endpoint', 'port']),
    wanted: port,
    ...(direct ? { says: `"${end.peer}" listens on` } : {}),
    other: other && direct ? textAt(other.node, ['spec', 'endpoint', listening]) : undefined,
  });
  yield* claim({
    code: 'verify/endpoint',
    what: `the protocol ${whose(scene)}`,
    found: textAt(gateway.node, ['spec', 'endpoint', 'protocol']),
    wanted: 'UDP',
    says: 'WireGuard needs',
  });
}

function* secretOf(scene: Scene): Iterable<Diagnostic> {
  yield* claim({
    code: 'verify/template',
    what: `the key Secret ${whose(scene)}`,
    found: textAt(scene.gateway.node, ['spec', 'secretRef', 'name']),
    wanted: scene.evidence.expected.keySecretName,
  });
}

/** A gateway is rendered from the template that its link names, else from weft's own where it needs one, else from the chart's. */
function* templateOf(scene: Scene): Iterable<Diagnostic> {
  const { end, gateway, cluster, peer } = scene;
  const ref = `${end.role}TemplateRef`;
  const kind = end.role === 'server' ? 'WgGatewayServerTemplate' : 'WgGatewayClientTemplate';
  const check = (field: string, wanted: string) =>
    claim({
      code: 'verify/template',
      what: `the template's ${field} ${whose(scene)}`,
      found: textAt(gateway.node, ['spec', ref, field]),
      wanted,
    });
  yield* check('apiVersion', 'networking.liqo.io/v1beta1');
  yield* check('kind', kind);
  yield* check('namespace', end.template?.namespace ?? cluster.expected.liqoNamespace);
  const { declared } = cluster.expected;
  yield* check('name', end.template?.name ?? templateNameOf(end, declared, peer.endpoint.servicePort));
}
