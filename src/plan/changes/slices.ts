import { parseQuantity } from '../../base/core/quantity.ts';
import {
  aboutShare,
  after,
  before,
  breaks,
  changeKind,
  changesTrust,
  harmless,
  idOfShare,
  together,
} from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { shareFiles } from '../file-claim.ts';

export const sliceAdded = changeKind('slice-added')({
  identity: ({ consumer, slice }) => [consumer, slice],
  subject: aboutShare,
  code: null,
  judge: () => harmless('add', 'one-more-virtual-node'),
  flows: () => [],
  explains: shareFiles,
});

/**
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller (drain.go,
 * ensureNamespaceMapAbsence: the NamespaceMap goes with the last virtual node of a provider).
 */
export const sliceRemoved = changeKind('slice-removed')({
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
});

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller (handleResourcesStatus). */
export const resourcesChanged = changeKind('resources-changed')({
  identity: ({ consumer, slice }) => [consumer, slice],
  subject: aboutShare,
  code: null,
  judge: (it) => {
    if (Object.keys(it.from).some((resource) => it.to[resource] === undefined))
      return harmless('change', 'what-is-left-out-stays', after('make-the-slice-again'));
    return isLess(it) ? harmless('change', 'less-for-new-pods') : harmless('change', 'more-for-new-pods');
  },
  flows: () => [],
  explains: shareFiles,
});

const isLess = ({ from, to }: Difference<'resources-changed'>): boolean =>
  Object.entries(from).some(([resource, was]) => {
    const [a, b] = [parseQuantity(was), parseQuantity(to[resource] ?? '')];
    return a !== undefined && b !== undefined && b.nanos < a.nanos;
  });

/**
 * The provider answers only slices of the default class automatically, and earlier answers stay unchanged. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller (isInResourceClasses).
 */
export const classChanged = changeKind('class-changed')({
  identity: ({ consumer, slice }) => [consumer, slice],
  subject: aboutShare,
  code: 'plan/sharing-ends',
  judge: () => breaks('change', 'answer-of-the-old-class-stays', before('make-another-slice')),
  flows: () => [],
  explains: shareFiles,
});

export const requestChanged = changeKind('request-changed')({
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
});

/**
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller,
 * apis/offloading/v1beta1/virtualnode_types.go.
 */
export const nodeChanged = changeKind('node-changed')({
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
export const nodeNetworkChanged = changeKind('node-network-changed')({
  identity: idOfShare,
  subject: aboutShare,
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
});

/**
 * The Secret belongs to the ExternalSecret, and is deleted with it. Source: external-secrets.io, `creationPolicy:
 * Owner`.
 */
export const credentialsChanged = changeKind('credentials-changed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/authentication-changes',
  judge: ({ from, to }) => {
    if (from === null) return harmless('add', 'secret-manager-makes-it', before('check-the-store'));
    return to === null
      ? breaks('remove', 'kubeconfig-goes', before('keep-the-kubeconfig'))
      : changesTrust('change', 'another-kubeconfig', before('check-the-store'));
  },
  flows: () => [],
  explains: shareFiles,
});
