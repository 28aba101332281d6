import { changeKind } from '../change-kind.ts';
import { ADDRESSES, inFolder } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { after, breaks } from '../verdict.ts';

export const announcedChanged = changeKind('announced-changed')({
  identity: ({ cluster, peer, cidr }) => [cluster, peer, cidr],
  subject: aboutSide,
  code: 'plan/view-moves',
  // In older releases the Network of a live Configuration is immutable.
  judge: ({ cluster }, { replacesChangedNetworks }) =>
    replacesChangedNetworks(cluster)
      ? breaks('change', 'network-is-replaced')
      : breaks('change', 'network-is-immutable', after('recreate-configuration')),
  flows: ({ cluster, peer }, context) => flowsThroughTunnel([cluster, peer], context),
  explains: ({ cluster, peer }) => [
    ADDRESSES,
    inFolder(cluster, (file) => isPart(file, 'expected') || peerOf(file) === peer),
  ],
});
