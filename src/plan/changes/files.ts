import {
  ABOUT_FLEET,
  aboutCluster,
  after,
  before,
  breaks,
  changeKind,
  changesTrust,
  follows,
  harmless,
} from '../change-kind.ts';
import { ADDRESSES, ENTRY_POINTS, inFolder, theseFiles } from '../file-claim.ts';
import { isPart } from '../plan-file.ts';

export const filesChanged = changeKind('files-changed')({
  identity: ({ cluster }) => [cluster ?? '*'],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: 'plan/breaks-flows',
  judge: () => breaks('change', 'unexplained', before('look-at-the-difference')),
  flows: () => [],
  explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
});

export const layoutChanged = changeKind('layout-changed')({
  identity: ({ cluster }) => [cluster ?? '*'],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: null,
  judge: () => harmless('change', 'same-objects'),
  flows: () => [],
  explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
});

export const lockChanged = changeKind('lock-changed')({
  // There is at most one.
  identity: () => [],
  subject: () => ABOUT_FLEET,
  code: null,
  judge: () => harmless('change', 'nothing-applied-changes'),
  flows: () => [],
  explains: () => [],
});

export const orderChanged = changeKind('order-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: () => follows('change', 'only-the-first-apply'),
  flows: () => [],
  explains: ({ cluster }) => [
    ADDRESSES,
    ENTRY_POINTS,
    inFolder(cluster, (file) => !isPart(file, 'helm-values', 'gateway-rules', 'node-rules')),
  ],
});

export const gitopsChanged = changeKind('gitops-changed')({
  identity: ({ tool, action }) => [tool, action],
  subject: () => ABOUT_FLEET,
  code: 'plan/changes-trust',
  judge: ({ action }) => {
    switch (action) {
      case 'add':
        return changesTrust('add', 'applies-the-bundles', before('check-the-source'));
      case 'change':
        return harmless('change', 'same-source-and-clusters', after('apply-entry-points-again'));
      case 'remove':
        // The change adds no trust.
        return breaks('remove', 'nothing-applies-the-bundles', before('check-what-applies-the-bundles'));
    }
  },
  flows: () => [],
  explains: ({ paths }) => [theseFiles(paths, null)],
});

export const alertsChanged = changeKind('alerts-changed')({
  identity: ({ cluster, action }) => [cluster, action],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: null,
  judge: ({ action }) =>
    action === 'add' ? harmless(action, 'only-alerts', after('apply-alerts')) : harmless(action, 'only-alerts'),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'monitoring'))],
});

export const annotationsChanged = changeKind('annotations-changed')({
  identity: ({ cluster }) => [cluster ?? '*'],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: null,
  judge: () => harmless('change', 'only-tools-read-them'),
  flows: () => [],
  explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
});
