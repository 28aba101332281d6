import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type FoundText, type KubeObject, nearestKey, textsAt } from '../kube-object.ts';
import type { RebuiltCluster, RebuiltPeer } from '../rebuild-network.ts';
import { type BundleCheck, type Evidence, ends } from './bundle-check.ts';

/** What is announced of a cluster is what the cluster says of itself, in every Configuration about it. */
export const announcementsAgree: BundleCheck = function* (evidence) {
  for (const [cluster, peer] of ends(evidence)) {
    const remote = evidence.network.get(peer.name);
    if (!remote) continue;
    for (const configuration of [peer.configuration, peer.answered]) {
      if (configuration) yield* announced(configuration, cluster, remote);
    }
  }
  yield* predictedSpecs(evidence);
};

function* announced(it: KubeObject, cluster: RebuiltCluster, remote: RebuiltCluster): Iterable<Diagnostic> {
  const own = remote.announces;
  for (const kind of ['pod', 'external'] as const) {
    // Where no file tells it there is nothing to compare with, which another rule tells.
    if (own[kind].length === 0) continue;
    const path = ['spec', 'remote', 'cidr', kind];
    const told = textsAt(it.node, path);
    const missing: FoundText = { text: undefined, at: nearestKey(it.node, path) };
    for (let i = 0; i < Math.max(told.length, own[kind].length); i++) {
      const [here, there] = [told[i] ?? missing, own[kind][i]];
      if (here.text === there?.text) continue;
      const says = there ? `"${remote.name}" has ${there.text}` : `"${remote.name}" has no further one`;
      const message = `"${cluster.name}" is told ${here.text ?? 'no'} as ${kind} CIDR of "${remote.name}", and ${says}`;
      yield diagnostic('verify/announcement', here.at, message, {
        related: there ? [{ message: `"${remote.name}" itself`, span: there.at }] : undefined,
      });
    }
  }
}

/** A Configuration with more than the remote's CIDRs: `spec.local` is Liqo's to write. */
function* predictedSpecs(evidence: Evidence): Iterable<Diagnostic> {
  for (const [cluster, peer] of ends(evidence)) {
    for (const it of configurationsOf(peer)) {
      const spec = it.node.entries.get('spec')?.value;
      const extra = spec?.kind === 'map' ? [...spec.entries].find(([key]) => key !== 'remote') : undefined;
      if (!extra) continue;
      const message = `the Configuration of "${cluster.name}" for "${peer.name}" sets ${extra[0]}, which Liqo's controller writes`;
      yield diagnostic('verify/announcement', extra[1].key, message);
    }
  }
}

const configurationsOf = ({ objects }: RebuiltPeer): readonly KubeObject[] =>
  objects.filter((it) => it.kind === 'Configuration');
