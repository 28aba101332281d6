import { aboutShare, after, before, breaks, changeKind, harmless, idOfShare, together } from '../change-kind.ts';
import type { RemoteNamespace } from '../difference.ts';
import { ENTRY_POINTS, shareAndNamespaceFiles, shareFiles } from '../file-claim.ts';
import { pairOf } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import type { SharePair } from '../sharing-state.ts';

export const shareAdded = changeKind('share-added')({
  identity: idOfShare,
  subject: aboutShare,
  code: null,
  judge: ({ policy, endpoint, consumer }, { unknownKeys }) => {
    if (policy === 'TolerateNoHandshake')
      return harmless('add', 'comes-with-credentials', together('provide-kubeconfig'));
    if (policy === null && unknownKeys.is.has(consumer)) return harmless('add', 'key-is-not-known');
    if (policy === null)
      return harmless('add', 'consumer-has-no-key', before('generate-keys'), after('collect-identity'));
    return endpoint === null
      ? harmless('add', 'provider-has-not-answered', after('collect-identity'))
      : harmless('add', 'both-halves-are-known', before('check-the-endpoint'));
  },
  flows: () => [],
  explains: (it) => [...shareAndNamespaceFiles(it), ENTRY_POINTS],
});

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

/**
 * The step for a renamed cluster that deletes namespaces. Liqo is installed again under the new name, and would never
 * remove its objects in the other cluster.
 */
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

/**
 * True when the two clusters' namespaces contain nothing but the loan. With a link they also contain its objects, and a
 * renamed cluster uses other namespaces afterwards.
 */
function hasNamespacesOfItsOwn({ consumer, provider }: SharePair, { before: was, after: is }: PlanContext): boolean {
  const pair = pairOf(consumer, provider);
  return !was.links.has(pair) && !is.links.has(pair);
}

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/tenant-controller (handleTenantDrained, handleTenantCordoned). */
export const conditionChanged = changeKind('condition-changed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/sharing-ends',
  judge: ({ to, deleted }) => {
    switch (to) {
      case 'Drained':
        return deleted.length === 0
          ? breaks('change', 'provider-takes-all-back')
          : breaks(
              'change',
              'namespaces-are-deleted',
              before('save-the-volumes'),
              before('withdraw-in-a-change-before'),
            );
      case 'Cordoned':
        return breaks('change', 'no-new-pods');
      default:
        return harmless('change', 'lends-again');
    }
  },
  flows: () => [],
  explains: shareFiles,
});

/** Source: liqotech/liqo@v1.2.0 pkg/utils/getters/k8sGetters.go: one kubeconfig of the control plane for each provider. */
export const policyChanged = changeKind('policy-changed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/authentication-changes',
  judge: ({ to }) =>
    to === 'TolerateNoHandshake'
      ? breaks(
          'change',
          'credentials-instead-of-certificate',
          together('replace-the-kubeconfig'),
          after('check-the-role-binding'),
        )
      : breaks(
          'change',
          'certificate-instead-of-credentials',
          together('remove-the-kubeconfig'),
          after('check-the-role-binding'),
        ),
  flows: () => [],
  explains: shareFiles,
});
