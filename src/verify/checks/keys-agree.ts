import { textAt } from '../kube-object.ts';
import { type BundleCheck, claim, ends } from './bundle-check.ts';

/** A gateway is told the key of the gateway at the other end: another one, and the tunnel never comes up. */
export const keysAgree: BundleCheck = function* (evidence) {
  for (const [cluster, peer] of ends(evidence)) {
    const end = cluster.expected.ends.get(peer.name);
    if (!end || end.remoteKey === null) continue;
    for (const { node } of peer.objects.filter((it) => it.kind === 'PublicKey')) {
      yield* claim({
        code: 'verify/key',
        what: `the public key that "${cluster.name}" has for "${peer.name}"`,
        found: textAt(node, ['spec', 'publicKey']),
        wanted: end.remoteKey,
        says: `the keys file gives the gateway of "${peer.name}"`,
      });
    }
  }
};
