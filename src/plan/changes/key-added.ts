import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { harmless } from '../verdict.ts';

export const keyAdded = changeKind('key-added')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: null,
  judge: () => harmless('add', 'tunnel-had-no-key'),
  flows: () => [],
  // The peer holds the public key.
  explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
});
