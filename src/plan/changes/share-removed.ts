import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import type { RemoteNamespace } from '../difference.ts';
import { ENTRY_POINTS } from '../file-claim.ts';
import { pairOf } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { shareAndNamespaceFiles } from '../share-files.ts';
import type { SharePair } from '../sharing-state.ts';
import { after, before, breaks, together } from '../verdict.ts';

export const shareRemoved = changeKind('share-removed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/sharing-ends',
  judge: (it, context) => {
    if (isRenamed(it, context)) return ofARenamedCluster(it);
    const steps = [
      together('apply-the-consumer-first'),
      together('then-apply-the-provider'),
      after(it.policy === 'TolerateNoHandshake' ? 'delete-the-account' : 'delete-what-stays'),
      ...(hasNamespacesOfItsOwn(it, context) ? [after('delete-tenant-namespaces')] : []),
    ];
    return it.deleted.length === 0
      ? breaks('remove', 'virtual-nodes-are-drained', ...steps)
      : breaks(
          'remove',
          'namespaces-are-deleted',
          before('save-the-volumes'),
          before('withdraw-in-a-change-before'),
          ...steps,
        );
  },
  flows: () => [],
  explains: (it) => [...shareAndNamespaceFiles(it), ENTRY_POINTS],
});

/** Liqo is installed again under the new name, and what it should remove in the other cluster would stay for ever. */
const ofARenamedCluster = ({ deleted }: { readonly deleted: readonly RemoteNamespace[] }) =>
  deleted.length === 0
    ? breaks('remove', 'virtual-nodes-are-drained', before('end-the-loan-before'), after('delete-what-stays'))
    : breaks(
        'remove',
        'namespaces-are-deleted',
        before('save-the-volumes'),
        before('withdraw-in-a-change-before'),
        before('end-the-loan-before'),
        after('delete-what-stays'),
      );

const isRenamed = ({ consumer, provider }: SharePair, { before: was }: PlanContext): boolean =>
  !was.clusters.has(consumer) || !was.clusters.has(provider);

/** With a link, the namespaces also contain its objects; a renamed cluster has others afterwards. */
function hasNamespacesOfItsOwn({ consumer, provider }: SharePair, { before: was, after: is }: PlanContext): boolean {
  const pair = pairOf(consumer, provider);
  return !was.links.has(pair) && !is.links.has(pair);
}
