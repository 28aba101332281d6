import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { breaks, together } from '../verdict.ts';

export const keyChanged = changeKind('key-changed')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: 'plan/gateway-changes',
  // A changed Secret does not restart the pod, which reads its key only when it starts; a changed PublicKey replaces the peer at once.
  judge: () => breaks('change', 'ends-have-different-keys', together('replace-secret'), together('apply-server-first')),
  flows: ({ cluster, peer }, context) => flowsThroughTunnel([cluster, peer], context),
  // The peer holds the public key.
  explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
});
