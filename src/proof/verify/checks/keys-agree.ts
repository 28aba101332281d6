import { textAt } from '../kube-object.ts';
import { compareText, forEachEnd } from './bundle-check.ts';

/** A PublicKey contains the key of the gateway at the other end: with another one the tunnel never connects. */
export const keysAgree = forEachEnd(function* (_, cluster, peer) {
  const end = cluster.expected.ends.get(peer.name);
  if (!end || end.remoteKey === null) return;
  for (const { node } of peer.objects.filter((it) => it.kind === 'PublicKey')) {
    yield* compareText({
      code: 'verify/key',
      what: `the public key that "${cluster.name}" has for "${peer.name}"`,
      found: textAt(node, ['spec', 'publicKey']),
      wanted: end.remoteKey,
      phrase: 'the keys file contains',
    });
  }
});
