import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../../base/source/source.ts';
import type { ExpectedView } from '../expected/expect-addresses.ts';
import { type FoundText, type KubeObject, nearestKey, textAt, textsAt } from '../kube-object.ts';
import { cidrText } from '../networks.ts';
import type { RebuiltCluster, RebuiltPeer, SeenNetwork } from '../rebuild-network.ts';
import { type CheckContext, compareParts, compareText, forEachCluster, forEachEnd } from './bundle-check.ts';
import { KIND_OF_NETWORKS } from './own-addresses-agree.ts';

/** The files with views of a cluster agree. */
export const viewsAgree = forEachCluster(function* (context, cluster) {
  for (const peer of cluster.peers.values()) {
    yield* annotatedViews(cluster, peer);
    yield* expectedViews(cluster, peer);
  }
  yield* checkPeerNetworks(context, cluster);
});

/** The label by which Liqo before 1.2 marks a Configuration that is ready. Source: liqotech/liqo@v1.1.2 pkg/consts. */
const CONFIGURED = 'configuration.liqo.io/configured';

/** Checks the annotations that health checks of GitOps tools compare with the status of an applied Configuration. */
function* annotatedViews(cluster: RebuiltCluster, { name, configuration, views }: RebuiltPeer): Iterable<Diagnostic> {
  if (!configuration) return;
  for (const kind of ['pod', 'external'] as const) {
    const [first, ...more] = views.filter((it) => it.kind === kind).map((it) => it.seenAs);
    if (!first) continue;
    const key = `liqo-weft/${kind}-views`;
    yield* compareText({
      code: 'verify/view',
      what: `the annotation ${key} of the Configuration of "${cluster.name}" for "${name}"`,
      found: textAt(configuration.node, ['metadata', 'annotations', key]),
      wanted: [first, ...more].map((it) => it.text).join(','),
      phrase: 'other files contain',
      other: first,
    });
  }
}

/** Checks the expected Configuration. */
function* expectedViews(
  cluster: RebuiltCluster,
  { name, expectedConfiguration, views }: RebuiltPeer,
): Iterable<Diagnostic> {
  if (!expectedConfiguration) return;
  const { reportsReadinessAsCondition } = cluster.expected.traits;
  yield* compareText({
    code: 'verify/expected',
    what: `the label ${CONFIGURED} of the expected Configuration of "${cluster.name}" for "${name}"`,
    found: textAt(expectedConfiguration.node, ['metadata', 'labels', CONFIGURED]),
    wanted: reportsReadinessAsCondition ? null : 'true',
    phrase: 'Liqo sets',
  });
  for (const kind of ['pod', 'external'] as const) yield* localNetworks(cluster, name, expectedConfiguration, kind);
  for (const { kind, seenAs, configured } of views) {
    yield* compareText({
      code: 'verify/view',
      what: `the expected view of "${cluster.name}" of the ${kind} CIDR of "${name}"`,
      found: configured,
      wanted: seenAs.text ?? null,
      phrase: 'other files contain',
      other: seenAs,
    });
  }
  for (const kind of ['pod', 'external'] as const) {
    const seen = textsAt(expectedConfiguration.node, ['status', 'remote', 'cidr', kind]);
    const count = views.filter((it) => it.kind === kind).length;
    for (const extra of seen.slice(count)) {
      yield diagnostic(
        'verify/view',
        extra.at,
        `"${cluster.name}" has a view of a ${kind} CIDR that "${name}" does not announce`,
      );
    }
  }
}

/**
 * Checks `spec.local`, which Liqo sets to the cluster's own networks; the order of several pod CIDRs varies from start
 * to start.
 */
function* localNetworks(
  cluster: RebuiltCluster,
  peer: string,
  { node }: KubeObject,
  kind: 'pod' | 'external',
): Iterable<Diagnostic> {
  const path = ['spec', 'local', 'cidr', kind];
  const what = `the local ${kind} CIDR in the expected Configuration of "${cluster.name}" for "${peer}"`;
  const left = new Map(cluster.announces[kind].map((it) => [it.text, it]));
  const extra = textsAt(node, path).filter((it) => !left.delete(it.text));
  const missing = [...left.values()];
  for (let i = 0; i < Math.max(extra.length, missing.length); i++) {
    const [found = { text: undefined, at: nearestKey(node, path) }, other] = [extra[i], missing[i]];
    const phrase = other && { phrase: 'the cluster uses', other };
    yield* compareText({ code: 'verify/expected', what, found, wanted: other?.text ?? null, ...phrase });
  }
}

/** Checks the Networks that Liqo creates for each CIDR of a Configuration; their status is the view. */
function* checkPeerNetworks({ bundle }: CheckContext, cluster: RebuiltCluster): Iterable<Diagnostic> {
  const path = `${cluster.name}/expected/networks.yaml`;
  const source = bundle.sources.get(path);
  const objects = bundle.objects.get(path);
  if (!source || !objects) return;
  const ofPeers = objects.filter((it) => typeOf(it) === undefined);
  const left = new Map<string, KubeObject>();
  for (const it of ofPeers) {
    const key = `${textAt(it.node, ['metadata', 'namespace']).text}/${it.name}`;
    if (left.has(key))
      yield diagnostic('verify/view', it.at, `"${cluster.name}" has the expected Network "${it.name}" twice`);
    left.set(key, it);
  }
  for (const peer of cluster.peers.values()) {
    const { names } = peer;
    for (const view of peer.views) {
      const name = networkName(cluster, names.configuration, view);
      const key = `${names.namespace}/${name}`;
      const it = left.get(key);
      left.delete(key);
      if (it) yield* sameNetwork(it, { cluster, peer, view });
      else
        yield diagnostic(
          'verify/view',
          startOf(source),
          `the Network "${name}" for peer "${peer.name}" of "${cluster.name}" is missing`,
        );
    }
  }
  for (const it of left.values()) {
    yield diagnostic(
      'verify/view',
      it.at,
      `"${cluster.name}" has an expected Network "${it.name}" that belongs to no Configuration`,
    );
  }
}

const typeOf = (it: KubeObject): string | undefined =>
  textAt(it.node, ['metadata', 'labels', 'ipam.liqo.io/network-type']).text;

interface SeenView {
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
  readonly view: SeenNetwork;
}

function networkName(cluster: RebuiltCluster, configuration: string, { kind, cidr }: SeenNetwork): string {
  const short = `${configuration}-${kind}`;
  return cluster.expected.traits.namesPeerNetworksByCIDR
    ? `${short}-${(cidr.text ?? '').replace(/[./]/g, '-')}`
    : short;
}

function* sameNetwork({ node }: KubeObject, { cluster, peer, view }: SeenView): Iterable<Diagnostic> {
  const what = `the ${view.kind} Network of "${cluster.name}" for "${peer.name}"`;
  const check = (part: string, path: readonly string[], { text, at }: FoundText) =>
    compareText({
      code: 'verify/view',
      what: `the ${part} of ${what}`,
      found: textAt(node, path),
      wanted: text ?? null,
      phrase: 'other files contain',
      other: { text, at },
    });
  yield* compareParts({ code: 'verify/identity', what, node }, KIND_OF_NETWORKS);
  yield* check('spec', ['spec', 'cidr'], view.cidr);
  yield* check('status', ['status', 'cidr'], view.seenAs);
  // Source: liqotech/liqo@v1.2.0 apis/ipam/v1alpha1/network_types.go: the controller writes the number even if it is 0.
  yield* compareText({
    code: 'verify/expected',
    what: `the number of preallocated addresses of ${what}`,
    found: textAt(node, ['spec', 'preAllocated']),
    wanted: '0',
    type: 'number',
    phrase: 'Liqo sets',
  });
  for (const [key, wanted] of [
    ['liqo.io/remote-cluster-id', peer.name],
    ['configuration.liqo.io/cidr-type', view.kind],
  ] as const) {
    const found = textAt(node, ['metadata', 'labels', key]);
    yield* compareText({
      code: 'verify/identity',
      what: `the label ${key} of ${what}`,
      found,
      wanted,
      phrase: 'Liqo sets',
    });
  }
}

/**
 * The views of a cluster equal those of the lock, and those that its IPAM assigns when the links join in their order.
 */
export const viewsFollowTheIpam = forEachEnd(function* (context, cluster, peer) {
  const views = context.addresses.get(cluster.name)?.views?.get(peer.name);
  for (const [i, seen] of peer.views.entries()) {
    const wanted = views?.[i];
    // A view that no file contains is reported by another check.
    if (wanted && seen.seenAs.text !== undefined) yield* follows(seen, wanted, { cluster, peer });
  }
});

interface ViewPair {
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
}

function* follows(
  { kind, cidr, seenAs }: SeenNetwork,
  { seenAs: given }: ExpectedView,
  { cluster, peer }: ViewPair,
): Iterable<Diagnostic> {
  if (given !== null && cidrText(given) === seenAs.text) return;
  const assigns = given === null ? 'has no free network for it' : `assigns ${cidrText(given)}`;
  const message = `"${cluster.name}" sees the ${kind} CIDR ${cidr.text} of "${peer.name}" as ${seenAs.text}, but its IPAM ${assigns}`;
  yield diagnostic('verify/view', seenAs.at, message, {
    hint: 'run "weft compile", and commit out/ with the lock file',
  });
}
