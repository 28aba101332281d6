import { aboutShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { shareFiles } from '../share-files.ts';
import { after, breaks, harmless } from '../verdict.ts';

/**
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller,
 * apis/offloading/v1beta1/virtualnode_types.go.
 */
export const nodeChanged = changeKind('node-changed')({
  identity: ({ consumer, slice }) => [consumer, slice],
  subject: aboutShare,
  code: 'plan/virtual-node-restarts',
  judge: (it) => {
    // The object is never pruned, since most of it is Liqo's.
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

/** Taints are numbered, so another order counts, too. */
const evicts = (it: NodeChanged): boolean =>
  differsBelow(it, /^taints\./) &&
  Object.entries(it.to ?? {}).some(([path, value]) => /^taints\..*effect$/.test(path) && value === 'NoExecute');
