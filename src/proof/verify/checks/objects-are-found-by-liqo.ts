import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ExpectedEnd } from '../expectation.ts';
import { type KubeObject, nearestKey, textAt } from '../kube-object.ts';
import type { RebuiltCluster } from '../rebuild-network.ts';
import { type CheckContext, compareText, forEachCluster } from './bundle-check.ts';

const REMOTE = 'liqo.io/remote-cluster-id';

/**
 * Names, namespaces and labels by which Liqo finds objects, and annotations by which tools do not delete a tenant
 * namespace. No webhook checks them: a wrong label is at best reported in the log of a controller. Source:
 * liqotech/liqo@v1.2.0 pkg/consts, pkg/tenantNamespace, pkg/utils/getters.
 */
export const objectsAreFoundByLiqo = forEachCluster(function* (context, cluster) {
  for (const peer of cluster.peers.values()) {
    for (const object of peer.objects) {
      const it = { object, cluster: cluster.name, peer: peer.name };
      yield* aboutPeer(it, wantedOf(object, cluster.expected.ends.get(peer.name), true));
      yield* instanceLabel(it);
    }
  }
  yield* predicted(context, cluster);
});

interface PeerObject {
  readonly object: KubeObject;
  readonly cluster: string;
  readonly peer: string;
}

interface FoundObject {
  readonly apiVersion: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const LIQO = { apiVersion: 'networking.liqo.io/v1beta1', annotations: {} };

const OF_CONNECTIONS = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent',
};

/** @param isApplied false for an object that Liqo writes by itself. */
function wantedOf({ kind }: KubeObject, end: ExpectedEnd | undefined, isApplied: boolean): FoundObject | undefined {
  if (end === undefined) return undefined;
  const { peer, names } = end;
  const { namespace } = names;
  const labels = { [REMOTE]: peer };
  switch (kind) {
    case 'Namespace':
      return {
        apiVersion: 'v1',
        name: namespace,
        namespace: null,
        labels: {
          ...labels,
          'liqo.io/tenant-namespace': 'true',
          'pod-security.kubernetes.io/audit': 'privileged',
          'pod-security.kubernetes.io/enforce': 'privileged',
          'pod-security.kubernetes.io/warn': 'privileged',
        },
        annotations: {
          // Without it, an Application is out of sync for ever once the link is removed.
          'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
          'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
          'kustomize.toolkit.fluxcd.io/prune': 'disabled',
        },
      };
    case 'FirewallConfiguration':
      return {
        ...LIQO,
        name: `weft-fence-${peer}`,
        namespace,
        labels: {
          ...labels,
          'networking.liqo.io/firewall-category': 'gateway',
          'networking.liqo.io/firewall-unique': peer,
        },
      };
    case 'PublicKey':
      return {
        ...LIQO,
        name: names.publicKey,
        namespace,
        labels: { ...labels, 'networking.liqo.io/gateway-resource': 'true' },
      };
    case 'Configuration':
      return { ...LIQO, name: names.configuration, namespace, labels };
    case 'GatewayServer':
    case 'GatewayClient':
      return { ...LIQO, name: names.gateway, namespace, labels };
    case 'Connection':
      return {
        ...LIQO,
        name: `gw-${names.gateway}`,
        namespace,
        labels,
        // The gateway writes and owns it: a tool that is given it may create it, and must not change or delete it.
        annotations: isApplied ? OF_CONNECTIONS : {},
      };
    default:
      return undefined;
  }
}

function* aboutPeer({ object, cluster, peer }: PeerObject, wanted: FoundObject | undefined): Iterable<Diagnostic> {
  if (!wanted) return;
  const whose = `of the ${object.kind} of "${cluster}" for "${peer}"`;
  const check = (what: string, path: readonly string[], value: string | null, phrase = 'Liqo requires') =>
    compareText({
      code: 'verify/identity',
      what: `${what} ${whose}`,
      found: textAt(object.node, path),
      wanted: value,
      phrase,
    });
  yield* check('the apiVersion', ['apiVersion'], wanted.apiVersion);
  yield* check('the name', ['metadata', 'name'], wanted.name);
  yield* check('the namespace', ['metadata', 'namespace'], wanted.namespace);
  for (const [key, value] of Object.entries(wanted.labels)) {
    yield* check(`the label ${key}`, ['metadata', 'labels', key], value);
  }
  for (const [key, value] of Object.entries(wanted.annotations)) {
    yield* check(`the annotation ${key}`, ['metadata', 'annotations', key], value, 'GitOps tools require');
  }
}

/**
 * Errors about the label by which Argo CD tracks its own objects. Source: argo-cd docs/user-guide/resource_tracking.md.
 */
function* instanceLabel({ object, cluster, peer }: PeerObject): Iterable<Diagnostic> {
  const path = ['metadata', 'labels', 'app.kubernetes.io/instance'];
  if (textAt(object.node, path).text === undefined) return;
  const message = `the ${object.kind} of "${cluster}" for "${peer}" has a label by which Argo CD tracks its objects`;
  yield diagnostic('verify/identity', nearestKey(object.node, path), message);
}

type Ends = ReadonlyMap<string, ExpectedEnd>;

/**
 * Finds the peer of an expected object by its namespace and name; if only the namespace is wrong, by its name, unless
 * several gateways of the cluster have this name.
 */
function peersByPlace(ends: Ends, nameIn: (end: ExpectedEnd) => string): (it: KubeObject) => string | undefined {
  const places = new Map<string, string>();
  const names = new Map<string, string | undefined>();
  for (const end of ends.values()) {
    const name = nameIn(end);
    places.set(`${end.names.namespace}/${name}`, end.peer);
    names.set(name, names.has(name) ? undefined : end.peer);
  }
  return ({ node, name }) => places.get(`${textAt(node, ['metadata', 'namespace']).text}/${name}`) ?? names.get(name);
}

/** Expected objects are compared with live ones by name, so their names are checked, too. */
function* predicted({ bundle }: CheckContext, cluster: RebuiltCluster): Iterable<Diagnostic> {
  const files = [
    ['configurations', 'Configuration', (it: ExpectedEnd) => it.names.configuration],
    ['connections', 'Connection', (it: ExpectedEnd) => `gw-${it.names.gateway}`],
  ] as const;
  for (const [file, kind, nameIn] of files) {
    const objects = bundle.objects.get(`${cluster.name}/expected/${file}.yaml`) ?? [];
    const { ends: expected } = cluster.expected;
    const left = new Set(expected.keys());
    const peerOf = peersByPlace(expected, nameIn);
    for (const object of objects) {
      const peer = peerOf(object);
      if (object.kind !== kind) {
        const message = `"${cluster.name}" has a ${object.kind} "${object.name}" in ${file}.yaml, which has only objects of kind ${kind}`;
        yield diagnostic('verify/identity', object.at, message);
      }
      if (peer === undefined || !left.delete(peer)) {
        const message = `"${cluster.name}" has an expected ${object.kind} "${object.name}" for no peer, or a second one for a peer`;
        yield diagnostic('verify/unasked-path', object.at, message);
        continue;
      }
      yield* aboutPeer({ object, cluster: cluster.name, peer }, wantedOf(object, expected.get(peer), false));
    }
    const source = bundle.sources.get(`${cluster.name}/expected/${file}.yaml`);
    if (!source || !bundle.objects.has(`${cluster.name}/expected/${file}.yaml`)) continue;
    for (const peer of left) {
      yield diagnostic(
        'verify/missing-object',
        { source, start: 0, end: 0 },
        `the expected object for peer "${peer}" of "${cluster.name}" is missing`,
      );
    }
  }
}
