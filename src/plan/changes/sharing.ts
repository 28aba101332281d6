import { listOf } from '../../base/core/words.ts';
import { after, before, breaks, changeKind, harmless, OF_SHARE, together } from '../change-kind.ts';
import type { RemoteNamespace } from '../difference.ts';
import { pairOf, type SharePair } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { ENTRY_POINTS, shareAndNamespaceFiles, shareFiles } from '../plan-file.ts';
import {
  andDeletes,
  CHECK_THE_ENDPOINT,
  COLLECT_IDENTITIES,
  checkAnswer,
  DELETES_NAMESPACES,
  GENERATE_KEYS,
  loan,
  placeIn,
  placesOf,
  SAVE_THE_VOLUMES,
  server,
  untilReturned,
  WITHDRAW,
} from './plain-words.ts';

export const shareAdded = changeKind('share-added')
  .decided({
    ...OF_SHARE,
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
  })
  .worded({
    // From now on the consumer runs pods there.
    section: 'Trust',
    title: ({ slices, endpoint, ...it }) =>
      `${it.consumer} borrows from ${it.provider}${endpoint === null ? '' : ` at ${server(endpoint)}`}: ${listOf(slices)}`,
    why: {
      'comes-with-credentials': 'the virtual node appears when the consumer has a kubeconfig of the provider',
      'consumer-has-no-key': 'the consumer has no authentication key, so the provider does not know it yet',
      'key-is-not-known':
        'the consumer has an authentication key that git does not know, so no Tenant is written and what is there stays',
      'provider-has-not-answered':
        'the provider signs the request of the consumer once this is applied; its answer is the second half',
      'both-halves-are-known': 'the consumer gets a virtual node for each slice',
    },
    steps: {
      'generate-keys': { what: GENERATE_KEYS, on: ({ consumer }) => consumer },
      'collect-identity': {
        what: COLLECT_IDENTITIES,
        on: loan,
        commands: ({ provider }) => [{ run: 'collect', clusters: [provider] }],
      },
      'check-the-endpoint': {
        what: CHECK_THE_ENDPOINT,
        on: ({ provider, endpoint }) => (endpoint === null ? provider : `${server(endpoint)} of ${provider}`),
        commands: checkAnswer,
      },
      'provide-kubeconfig': {
        what: 'provide the Secret with the kubeconfig of the provider',
        on: (it) => placeIn(it, it.consumer, it.provider),
      },
    },
  });

export const shareRemoved = changeKind('share-removed')
  .decided({
    ...OF_SHARE,
    code: 'plan/sharing-ends',
    judge: (it, context) => {
      if (isRenamed(it, context)) return verdictOnRenamedCluster(it);
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
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, deleted }) => `${consumer} no longer borrows from ${provider}${andDeletes(deleted)}`,
    why: {
      'namespaces-are-deleted': DELETES_NAMESPACES,
      'virtual-nodes-are-drained':
        'the virtual nodes of the provider are drained and removed, and its pods are evicted',
    },
    steps: {
      'save-the-volumes': SAVE_THE_VOLUMES,
      'withdraw-in-a-change-before': WITHDRAW,
      'end-the-loan-before': {
        what: 'end this loan in a change of its own before Liqo is uninstalled, and wait until these ResourceSlices and their virtual nodes are gone: afterwards nothing removes what they have in the provider',
        on: ({ consumer, slices }) => `${listOf(slices)} in ${consumer}`,
        commands: untilReturned,
      },
      'apply-the-consumer-first': {
        what: 'apply the consumer first, and wait until these ResourceSlices and their virtual nodes are gone: evictions respect PodDisruptionBudgets',
        on: ({ consumer, slices }) => `${listOf(slices)} in ${consumer}`,
        commands: untilReturned,
      },
      'then-apply-the-provider': {
        what: 'only then delete the Tenant in the provider, which no tool prunes: without it, the consumer may no longer delete there what it has made',
        on: (it) => placeIn(it, it.provider, it.consumer),
      },
      'delete-what-stays': {
        what: 'delete what stays: liqo-nonce, liqo-remote-certificate, and one more Secret for each slice',
        on: (it) => placeIn(it, it.provider, it.consumer),
      },
      'delete-the-account': {
        what: 'delete the ServiceAccount and its RoleBinding, which no tool prunes and whose tokens open the provider, and one Secret for each slice',
        on: (it) => `consumer-${it.consumer} of ${placeIn(it, it.provider, it.consumer)}`,
      },
      'delete-tenant-namespaces': {
        what: 'delete the tenant namespaces, which no tool prunes, once they are empty',
        on: (it) => placesOf(it, [it.provider, it.consumer]),
      },
    },
  });

/**
 * The step for a renamed cluster that deletes namespaces. Liqo is installed again under the new name, and would never
 * remove its objects in the other cluster.
 */
const verdictOnRenamedCluster = ({ deleted }: { readonly deleted: readonly RemoteNamespace[] }) =>
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
export const conditionChanged = changeKind('condition-changed')
  .decided({
    ...OF_SHARE,
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
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, from, to, deleted }) =>
      `${provider} treats ${consumer} as ${to} instead of ${from}${andDeletes(deleted)}`,
    why: {
      'namespaces-are-deleted': DELETES_NAMESPACES,
      'provider-takes-all-back': 'the provider deletes what the consumer has made there, and its virtual nodes stop',
      'no-new-pods': 'pods that run in the provider go on, and it accepts no new ones',
      'lends-again': 'the provider lends to the consumer again; slices that it has denied are looked at again',
    },
    steps: { 'save-the-volumes': SAVE_THE_VOLUMES, 'withdraw-in-a-change-before': WITHDRAW },
  });

/** Source: liqotech/liqo@v1.2.0 pkg/utils/getters/k8sGetters.go: one kubeconfig of the control plane for each provider. */
export const policyChanged = changeKind('policy-changed')
  .decided({
    ...OF_SHARE,
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
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, to }) =>
      to === 'TolerateNoHandshake'
        ? `${consumer} comes to ${provider} with credentials instead of a certificate`
        : `${consumer} comes to ${provider} with a certificate instead of credentials`,
    why: {
      'credentials-instead-of-certificate':
        'the Identity is removed, and the consumer cannot reach the provider until it has a kubeconfig; pods that run go on',
      'certificate-instead-of-credentials':
        'the consumer cannot reach the provider until its Identity is there; pods that run go on',
    },
    steps: {
      'replace-the-kubeconfig': {
        what: 'provide the Secret with the kubeconfig once that of the Identity is gone: two of them for one provider are an error',
        on: (it) => placeIn(it, it.consumer, it.provider),
      },
      'remove-the-kubeconfig': {
        what: 'remove the Secret with the kubeconfig before the Identity is applied: two of them for one provider are an error',
        on: (it) => placeIn(it, it.consumer, it.provider),
      },
      'check-the-role-binding': {
        what: 'make sure that liqo-binding-liqo-remote-controlplane names the new subject: Liqo and git make it under one name',
        on: (it) => placeIn(it, it.provider, it.consumer),
      },
    },
  });
