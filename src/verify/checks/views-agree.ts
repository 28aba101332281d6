import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { startOf } from '../../source/source.ts';
import { type FoundText, type KubeObject, textAt, textsAt } from '../kube-object.ts';
import type { RebuiltCluster, RebuiltPeer, SeenNetwork } from '../rebuild-network.ts';
import { type BundleCheck, claim, type Evidence, ends } from './bundle-check.ts';

/** What a cluster will call its peers' networks stands in several files: they say the same. */
export const viewsAgree: BundleCheck = function* (evidence) {
  for (const [cluster, peer] of ends(evidence)) yield* expectedViews(cluster, peer);
  for (const cluster of evidence.network.values()) yield* networksOf(evidence, cluster);
};

/** How Liqo says before 1.2 that a Configuration has its networks. Source: liqotech/liqo@v1.1.2 pkg/consts. */
const CONFIGURED = 'configuration.liqo.io/configured';

/** The Configuration that is expected back. */
function* expectedViews(cluster: RebuiltCluster, { name, answered, views }: RebuiltPeer): Iterable<Diagnostic> {
  if (!answered) return;
  const { reportsReadinessAsCondition } = cluster.expected.traits;
  yield* claim({
    code: 'verify/expected',
    what: `the label ${CONFIGURED} of what "${cluster.name}" expects for "${name}"`,
    found: textAt(answered.node, ['metadata', 'labels', CONFIGURED]),
    wanted: reportsReadinessAsCondition ? null : '"true"',
    says: 'Liqo writes',
  });
  for (const { kind, seenAs, configured } of views) {
    yield* claim({
      code: 'verify/view',
      what: `what "${cluster.name}" expects to call the ${kind} CIDR of "${name}"`,
      found: configured,
      wanted: seenAs.text ?? null,
      says: 'the other files have',
      other: seenAs,
    });
  }
  for (const kind of ['pod', 'external'] as const) {
    const seen = textsAt(answered.node, ['status', 'remote', 'cidr', kind]);
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

/** Liqo makes a Network of each CIDR of a Configuration, and its status is the view. */
function* networksOf({ bundle }: Evidence, cluster: RebuiltCluster): Iterable<Diagnostic> {
  const path = `${cluster.name}/expected/networks.yaml`;
  const source = bundle.sources.get(path);
  const objects = bundle.objects.get(path);
  if (!source || !objects) return;
  const ofPeers = objects.filter((it) => typeOf(it) === undefined);
  const left = new Map<string, KubeObject>();
  for (const it of ofPeers) {
    const key = `${textAt(it.node, ['metadata', 'namespace']).text}/${it.name}`;
    if (left.has(key)) yield diagnostic('verify/view', it.at, `"${cluster.name}" expects Network "${it.name}" twice`);
    left.set(key, it);
  }
  for (const peer of cluster.peers.values()) {
    for (const view of peer.views) {
      const name = networkName(cluster, peer, view);
      const key = `liqo-tenant-${peer.name}/${name}`;
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
      `"${cluster.name}" expects Network "${it.name}", and no Configuration asks for it`,
    );
  }
}

const typeOf = (it: KubeObject): string | undefined =>
  textAt(it.node, ['metadata', 'labels', 'ipam.liqo.io/network-type']).text;

interface Seen {
  readonly cluster: RebuiltCluster;
  readonly peer: RebuiltPeer;
  readonly view: SeenNetwork;
}

function networkName(cluster: RebuiltCluster, peer: RebuiltPeer, { kind, cidr }: SeenNetwork): string {
  const short = `${peer.name}-${kind}`;
  return cluster.expected.traits.namesPeerNetworksByCIDR
    ? `${short}-${(cidr.text ?? '').replace(/[./]/g, '-')}`
    : short;
}

function* sameNetwork({ node }: KubeObject, { cluster, peer, view }: Seen): Iterable<Diagnostic> {
  const what = `the ${view.kind} Network of "${cluster.name}" for "${peer.name}"`;
  const check = (part: string, path: readonly string[], { text, at }: FoundText) =>
    claim({
      code: 'verify/view',
      what: `the ${part} of ${what}`,
      found: textAt(node, path),
      wanted: text ?? null,
      says: 'the other files have',
      other: { text, at },
    });
  yield* check('spec', ['spec', 'cidr'], view.cidr);
  yield* check('status', ['status', 'cidr'], view.seenAs);
  for (const [key, wanted] of [
    ['liqo.io/remote-cluster-id', peer.name],
    ['configuration.liqo.io/cidr-type', view.kind],
  ] as const) {
    const found = textAt(node, ['metadata', 'labels', key]);
    if (found.text === wanted || found.text === JSON.stringify(wanted)) continue;
    yield* claim({ code: 'verify/identity', what: `the label ${key} of ${what}`, found, wanted, says: 'Liqo writes' });
  }
}
