import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThatGain } from '../flows-through.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { harmless, together } from '../verdict.ts';

export const keyAdded = changeKind('key-added')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: null,
  judge: ({ cluster, peer }, { is }) =>
    is.areLinked(cluster, peer)
      ? harmless('add', 'tunnel-had-no-key', together('provide-the-secret'))
      : harmless('add', 'other-end-has-no-key', together('provide-the-secret')),
  flows: ({ cluster, peer }, context) => flowsThatGain([cluster, peer], context),
  // The peer holds the public key.
  explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
});
