import { aboutSide, after, before, breaks, changeKind, harmless } from '../change-kind.ts';
import { ENTRY_POINTS, type FileClaim, inFolder } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows.ts';
import { NAMED } from '../network-state.ts';
import { isPart, type PlanFile, peerOf } from '../plan-file.ts';

export const namesChanged = changeKind('names-changed')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: 'plan/gateway-changes',
  // A new object is applied before the old one is pruned, and two for one peer are an error in every lookup of Liqo. In
  // addition, a node port cannot be taken twice, and a view is not free until the old Configuration is deleted. Source:
  // liqotech/liqo@v1.2.0 pkg/utils/getters, pkg/tenantNamespace.
  judge: ({ from, to, deleted }) => {
    const changed = new Set(NAMED.filter((it) => from[it] !== to[it]));
    const secret = changed.has('secret') ? [before('provide-the-secret')] : [];
    if (changed.has('namespace')) {
      return breaks(
        'change',
        deleted.length > 0 ? 'namespace-goes-with-what-is-shared' : 'moves-to-another-namespace',
        ...(deleted.length > 0 ? [before('save-the-volumes'), before('withdraw-in-a-change-before')] : []),
        before('provide-the-secret'),
        before('remove-the-old-objects-first'),
        after('compare-views'),
        after('delete-the-old-namespace'),
      );
    }
    if (changed.has('configuration')) {
      return breaks(
        'change',
        'views-are-asked-for-again',
        ...secret,
        before('remove-the-old-objects-first'),
        after('compare-views'),
      );
    }
    if (changed.has('gateway')) {
      return breaks('change', 'gateway-is-made-again', ...secret, before('remove-the-old-objects-first'));
    }
    return changed.has('secret')
      ? breaks('change', 'gateway-reads-another-secret', ...secret)
      : harmless('change', 'same-key-under-another-name');
  },
  flows: ({ cluster, peer }, context) => flowsThroughTunnel([cluster, peer], context),
  explains: ({ cluster, peer }): readonly FileClaim[] => [
    ENTRY_POINTS,
    inFolder(cluster, (file) => isAbout(file, peer)),
    // A consumer's objects contain its namespace in the provider.
    inFolder(peer, (file) => isPart(file, 'expected') || isShared(file, cluster)),
  ],
});

const isAbout = (file: PlanFile, peer: string): boolean =>
  isPart(file, 'expected') ||
  isShared(file, peer) ||
  (isPart(file, 'peer', 'node-rules') && peerOf(file) === peer) ||
  (file.place?.part === 'monitoring' && file.place.name === peer);

const isShared = ({ place }: PlanFile, remote: string): boolean => place?.part === 'sharing' && place.name === remote;
