import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { flowsThatGain } from '../flows-through.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { gatewayText } from '../reachability.ts';
import { aboutSide } from '../subject.ts';
import { before, breaks, harmless, together } from '../verdict.ts';

export const keyAdded = changeKind('key-added')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: 'plan/gateway-changes',
  judge: ({ cluster, peer }, { is, unknownKeys }) => {
    // Files do not show whether it is the key in use or one that takes its place.
    if (unknownKeys.was.has(gatewayText(cluster, peer)))
      return breaks('add', 'key-was-unknown', before('compare-with-live'));
    return is.areLinked(cluster, peer)
      ? harmless('add', 'tunnel-had-no-key', together('provide-the-secret'))
      : harmless('add', 'other-end-has-no-key', together('provide-the-secret'));
  },
  flows: ({ cluster, peer }, context) => flowsThatGain([cluster, peer], context),
  // The peer holds the public key.
  explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
});
