import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { after, before, breaks } from '../verdict.ts';

/**
 * A virtual kubelet reads network and views once, when it starts. Source: liqotech/liqo@v1.2.0 cmd/virtual-kubelet/root/root.go;
 * later releases pass them as arguments, so that it starts again.
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
  // The difference of the link has the files.
  explains: () => [],
});
