import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type FoundText, type KubeObject, nearestKey, textsAt } from '../kube-object.ts';
import type { RebuiltCluster, RebuiltPeer } from '../rebuild-network.ts';
import { forEachCluster } from './bundle-check.ts';

/** Every Configuration about a cluster contains the CIDRs of the cluster itself. */
export const announcementsAgree = forEachCluster(function* (context, cluster) {
  for (const peer of cluster.peers.values()) {
    const remote = context.network.get(peer.name);
    if (!remote) continue;
    for (const configuration of [peer.configuration, peer.expectedConfiguration]) {
      if (configuration) yield* announced(configuration, cluster, remote);
    }
  }
  yield* predictedSpecs(cluster);
});

function* announced(it: KubeObject, cluster: RebuiltCluster, remote: RebuiltCluster): Iterable<Diagnostic> {
  const own = remote.announces;
  for (const kind of ['pod', 'external'] as const) {
    // Without a file that contains the CIDR there is nothing to compare, and another check reports the missing file.
    if (own[kind].length === 0) continue;
    const path = ['spec', 'remote', 'cidr', kind];
    const listed = textsAt(it.node, path);
    const missing: FoundText = { text: undefined, at: nearestKey(it.node, path) };
    for (let i = 0; i < Math.max(listed.length, own[kind].length); i++) {
      const [here, there] = [listed[i] ?? missing, own[kind][i]];
      if (here.text === there?.text) continue;
      const found = here.text === undefined ? 'is missing' : `is ${here.text}`;
      const wanted = there ? `"${remote.name}" has ${there.text}` : `"${remote.name}" has no other`;
      const message = `the ${kind} CIDR of "${remote.name}" for "${cluster.name}" ${found}, but ${wanted}`;
      yield diagnostic('verify/announcement', here.at, message, {
        related: there ? [{ message: `the CIDR in "${remote.name}"`, span: there.at }] : undefined,
      });
    }
  }
}

/** A Configuration with more than the remote's CIDRs: Liqo sets `spec.local`. */
function* predictedSpecs(cluster: RebuiltCluster): Iterable<Diagnostic> {
  for (const peer of cluster.peers.values()) {
    for (const it of configurationsOf(peer)) {
      const spec = it.node.entries.get('spec')?.value;
      const extra = spec?.kind === 'map' ? [...spec.entries].find(([key]) => key !== 'remote') : undefined;
      if (!extra) continue;
      const message = `the Configuration of "${cluster.name}" for "${peer.name}" sets \`${extra[0]}\`, which only Liqo's controller must set`;
      yield diagnostic('verify/announcement', extra[1].key, message);
    }
  }
}

const configurationsOf = ({ objects }: RebuiltPeer): readonly KubeObject[] =>
  objects.filter((it) => it.kind === 'Configuration');
