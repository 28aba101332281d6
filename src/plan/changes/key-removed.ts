import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThatLose } from '../flows-through.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { before, breaks } from '../verdict.ts';

export const keyRemoved = changeKind('key-removed')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: 'plan/gateway-changes',
  judge: () => breaks('remove', 'peer-loses-the-key', before('restore-key')),
  flows: ({ cluster, peer }, context) => flowsThatLose([cluster, peer], context),
  // The peer holds the public key.
  explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
});
