import { valueAt } from '../../base/core/collections.ts';
import { parseQuantity } from '../../base/core/quantity.ts';
import { listOf } from '../../base/core/words.ts';
import {
  aboutShare,
  after,
  before,
  breaks,
  changeKind,
  changesTrust,
  harmless,
  OF_SHARE,
  together,
} from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { shareFiles } from '../plan-file.ts';
import { untilAsCompiled } from '../step-command.ts';
import { andDeletes, DELETES_NAMESPACES, loan, names, placeIn, SAVE_THE_VOLUMES } from './plain-words.ts';

export const sliceAdded = changeKind('slice-added')
  .decided({
    identity: ({ consumer, slice }) => [consumer, slice],
    subject: aboutShare,
    code: null,
    judge: () => harmless('add', 'one-more-virtual-node'),
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, slice }) => `${consumer} borrows one more slice from ${provider}: ${slice}`,
    why: { 'one-more-virtual-node': 'the consumer gets one more virtual node, which has the name of the slice' },
    steps: {},
  });

/**
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller (drain.go,
 * ensureNamespaceMapAbsence: the NamespaceMap goes with the last virtual node of a provider).
 */
export const sliceRemoved = changeKind('slice-removed')
  .decided({
    identity: ({ consumer, provider, slice }) => [consumer, provider, slice],
    subject: aboutShare,
    code: 'plan/sharing-ends',
    judge: ({ isReplaced, deleted }) => {
      if (!isReplaced) return breaks('remove', 'its-pods-are-evicted');
      return deleted.length === 0
        ? breaks('remove', 'all-slices-are-replaced', before('add-the-new-slice-before'))
        : breaks('remove', 'namespaces-are-deleted', before('save-the-volumes'), before('add-the-new-slice-before'));
    },
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, slice, deleted }) =>
      `${consumer} no longer borrows slice ${slice} from ${provider}${andDeletes(deleted)}`,
    why: {
      'its-pods-are-evicted': 'its virtual node is drained and removed; evictions respect PodDisruptionBudgets',
      'all-slices-are-replaced':
        'the last virtual node of the provider is removed before the new one is there, and with it every namespace that Liqo made in the provider',
      'namespaces-are-deleted': DELETES_NAMESPACES,
    },
    steps: {
      'save-the-volumes': SAVE_THE_VOLUMES,
      'add-the-new-slice-before': {
        what: 'add the new slice in a change of its own before this one, and wait until its virtual node is there: then nothing is deleted',
        on: ({ slice, provider }) => `${slice} of ${provider}`,
        commands: ({ consumer }) => [untilAsCompiled(consumer)],
      },
    },
  });

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller (handleResourcesStatus). */
export const resourcesChanged = changeKind('resources-changed')
  .decided({
    identity: ({ consumer, slice }) => [consumer, slice],
    subject: aboutShare,
    code: null,
    judge: (it) => {
      if (Object.keys(it.from).some((resource) => valueAt(it.to, resource) === undefined))
        return harmless('change', 'what-is-left-out-stays', after('make-the-slice-again'));
      return isLess(it) ? harmless('change', 'less-for-new-pods') : harmless('change', 'more-for-new-pods');
    },
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Sharing',
    title: (it) =>
      `${it.consumer} borrows from ${it.provider} by slice ${it.slice}: ${listOf(resourceDifferences(it))}`,
    why: {
      'more-for-new-pods': 'quota and virtual node follow; pods that run are not touched',
      'less-for-new-pods':
        'quota and virtual node follow; pods that run stay, and new ones are refused until there is room',
      'what-is-left-out-stays':
        'Liqo adds to what was granted, and takes no resource out of it: what is left out stays granted',
    },
    steps: {
      'make-the-slice-again': {
        what: 'add a slice with another name and remove this one later, if the resource has to go',
        on: ({ consumer, slice }) => `${slice} in ${consumer}`,
      },
    },
  });

const isLess = ({ from, to }: Difference<'resources-changed'>): boolean =>
  Object.entries(from).some(([resource, was]) => {
    const [a, b] = [parseQuantity(was), parseQuantity(valueAt(to, resource) ?? '')];
    return a !== undefined && b !== undefined && b.nanos < a.nanos;
  });

/**
 * The provider answers only slices of the default class automatically, and earlier answers stay unchanged. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller (isInResourceClasses).
 */
export const classChanged = changeKind('class-changed')
  .decided({
    identity: ({ consumer, slice }) => [consumer, slice],
    subject: aboutShare,
    code: 'plan/sharing-ends',
    judge: () => breaks('change', 'answer-of-the-old-class-stays', before('make-another-slice')),
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, slice, from, to }) =>
      `${consumer} asks ${provider} for slice ${slice} of class ${to} instead of ${from}`,
    why: { 'answer-of-the-old-class-stays': 'the provider has answered the old class, and that answer stays as it is' },
    steps: {
      'make-another-slice': {
        what: 'add a slice with another name and the new class instead, and remove this one once the other is ready',
        on: ({ consumer, slice }) => `${slice} in ${consumer}`,
      },
    },
  });

export const requestChanged = changeKind('request-changed')
  .decided({
    identity: ({ consumer, slice }) => [consumer, slice],
    subject: aboutShare,
    code: 'plan/authentication-changes',
    // Liqo makes the same bytes from the same key, so the creator of the request does not matter.
    judge: ({ from, to }) =>
      from === null || to === null
        ? harmless('change', 'liqo-makes-the-same')
        : breaks('change', 'provider-keeps-the-old-one', together('delete-stored-certificate')),
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Keys',
    title: ({ consumer, slice, to }) =>
      to === null
        ? `Liqo makes the certificate request of slice ${slice} of ${consumer}`
        : `slice ${slice} of ${consumer} has another certificate request`,
    why: {
      'liqo-makes-the-same': 'with the same key, Liqo makes the same bytes',
      'provider-keeps-the-old-one': 'a provider refuses another request than the one that it has signed',
    },
    steps: {
      'delete-stored-certificate': {
        what: 'delete this Secret in the provider: until then it refuses the new request',
        on: (it) => `liqo-remote-certificate-${it.slice} of ${placeIn(it, it.provider, it.consumer)}`,
      },
    },
  });

/**
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller,
 * apis/offloading/v1beta1/virtualnode_types.go.
 */
export const nodeChanged = changeKind('node-changed')
  .decided({
    identity: ({ consumer, slice }) => [consumer, slice],
    subject: aboutShare,
    code: 'plan/virtual-node-restarts',
    judge: (it) => {
      // The object is never pruned, because Liqo owns most of it.
      if (it.to === null) return harmless('remove', 'what-was-set-stays', after('remove-it-by-hand'));
      if (evicts(it)) return breaks('change', 'taint-evicts-pods');
      return differsBelow(it, /^offloadingPatch\./)
        ? harmless('change', 'virtual-kubelet-restarts')
        : harmless('change', 'node-follows');
    },
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, slice, from, to }) => {
      if (to === null) return `virtual node ${slice} of ${consumer} gets no settings from git any more`;
      const paths = [...new Set([...Object.keys(from ?? {}), ...Object.keys(to)])].filter(
        (it) => from?.[it] !== to[it],
      );
      return `virtual node ${slice} of ${consumer}: ${names(paths.map((it) => `${it} is ${to[it] ?? 'not set'}`))}`;
    },
    why: {
      'what-was-set-stays': 'no tool prunes the object, of which Liqo owns the rest: what was set stays',
      'taint-evicts-pods': 'pods that do not tolerate the taint are evicted',
      'virtual-kubelet-restarts': 'the virtual kubelet restarts; pods that run go on',
      'node-follows': 'the node follows; pods that run go on',
    },
    steps: {
      'remove-it-by-hand': {
        what: 'remove these settings from the live VirtualNode by hand, if they have to go',
        on: ({ consumer, slice }) => `${slice} in ${consumer}`,
      },
    },
  });

type NodeChanged = Difference<'node-changed'>;

const differsBelow = ({ from, to }: NodeChanged, path: RegExp): boolean =>
  [...Object.keys(from ?? {}), ...Object.keys(to ?? {})].some((it) => path.test(it) && from?.[it] !== to?.[it]);

/** True when the change evicts pods. Taints are numbered, so a different order is a change, too. */
const evicts = (it: NodeChanged): boolean =>
  differsBelow(it, /^taints\./) &&
  Object.entries(it.to ?? {}).some(([path, value]) => /^taints\..*effect$/.test(path) && value === 'NoExecute');

/**
 * A virtual kubelet reads its network and views once, when it starts. Source: liqotech/liqo@v1.2.0
 * cmd/virtual-kubelet/root/root.go; later releases pass them as arguments, so that it restarts.
 */
export const nodeNetworkChanged = changeKind('node-network-changed')
  .decided({
    ...OF_SHARE,
    code: 'plan/virtual-node-restarts',
    judge: ({ because }) => {
      switch (because) {
        case 'link-added':
          return breaks('change', 'started-without-a-link', after('restart-virtual-kubelets'));
        case 'link-removed':
          return breaks('change', 'lends-without-a-link', before('end-sharing-first'));
        case 'view-moved':
          return breaks('change', 'started-with-other-views', after('restart-virtual-kubelets'));
      }
    },
    flows: () => [],
    // The difference of the link explains the files.
    explains: () => [],
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, because, slices }) => {
      const isOne = slices.length === 1;
      const nodes = `virtual ${isOne ? 'node' : 'nodes'} ${listOf(slices)} of ${consumer}`;
      switch (because) {
        case 'link-added':
          return `${nodes} started without a link to ${provider}`;
        case 'link-removed':
          return `${nodes} ${isOne ? 'has' : 'have'} pods in ${provider}, and there is no link any more`;
        case 'view-moved':
          return `${nodes} started with other addresses of the pods in ${provider}`;
      }
    },
    why: {
      'started-without-a-link':
        'up to Liqo 1.2 a virtual kubelet reads the network when it starts: it goes on with addresses of pods that no cluster can reach',
      'started-with-other-views':
        'up to Liqo 1.2 a virtual kubelet reads the network when it starts: it goes on with the old addresses of pods',
      'lends-without-a-link': 'the virtual nodes stay ready, and no Service between the two clusters works any more',
    },
    steps: {
      'restart-virtual-kubelets': {
        what: 'restart these Deployments, once the Configuration of the provider has its addresses',
        commands: ({ consumer }) => [untilAsCompiled(consumer)],
        on: (it) => `${listOf(it.slices.map((slice) => `vk-${slice}`))} of ${placeIn(it, it.consumer, it.provider)}`,
      },
      'end-sharing-first': { what: 'end sharing first, or keep the link', on: loan },
    },
  });

/**
 * The Secret belongs to the ExternalSecret, and is deleted with it. Source: external-secrets.io, `creationPolicy:
 * Owner`.
 */
export const credentialsChanged = changeKind('credentials-changed')
  .decided({
    ...OF_SHARE,
    code: 'plan/authentication-changes',
    judge: ({ from, to }) => {
      if (from === null) return harmless('add', 'secret-manager-makes-it', before('check-the-store'));
      return to === null
        ? breaks('remove', 'kubeconfig-goes', before('keep-the-kubeconfig'))
        : changesTrust('change', 'another-kubeconfig', before('check-the-store'));
    },
    flows: () => [],
    explains: shareFiles,
  })
  .worded({
    section: 'Sharing',
    title: ({ consumer, provider, from, to }) => {
      const whose = `${consumer} gets its kubeconfig of ${provider}`;
      if (to === null) return `${whose} from no secret manager any more`;
      return from === null ? `${whose} from ${to}` : `${whose} from ${to} instead of ${from}`;
    },
    why: {
      'secret-manager-makes-it': 'the secret manager makes the Secret, and replaces one that was made by hand',
      'another-kubeconfig':
        'the Secrets, ConfigMaps and tokens of offloaded namespaces go to the server in that kubeconfig, and the consumer believes what it answers',
      'kubeconfig-goes':
        'the Secret is deleted with its ExternalSecret, and the virtual nodes of the provider stop; pods that run go on',
    },
    steps: {
      'check-the-store': {
        what: 'make sure that the store has the kubeconfig of the provider under this key',
        on: ({ provider, to }) => `${to ?? ''} for ${provider}`,
      },
      'keep-the-kubeconfig': {
        what: 'provide the Secret by other means',
        on: (it) => placeIn(it, it.consumer, it.provider),
      },
    },
  });

function resourceDifferences({ from, to }: Difference<'resources-changed'>): readonly string[] {
  const resources = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return resources
    .filter((it) => from[it] !== to[it])
    .map((it) => {
      const [was, is] = [from[it], to[it]];
      if (was === undefined) return `${it} ${is}`;
      return is === undefined ? `no ${it}` : `${it} ${is} instead of ${was}`;
    });
}
