import { countOf, someOf } from '../../base/core/words.ts';
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
  OF_CLUSTER,
} from '../change-kind.ts';
import type { Action, Difference, OrderEntry } from '../difference.ts';
import { ADDRESSES, anywhere, ENTRY_POINTS, inFolder, isPart, theseFiles } from '../plan-file.ts';
import { shownValue } from './plain-words.ts';

export const filesChanged = changeKind('files-changed')
  .decided({
    identity: ({ cluster }) => [cluster ?? '*'],
    subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
    code: 'plan/breaks-flows',
    judge: () => breaks('change', 'unexplained', before('look-at-the-difference')),
    flows: () => [],
    explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
  })
  .worded({
    section: 'Files',
    title: ({ cluster, paths }) =>
      cluster === null
        ? someOf(paths, NAMED_PATHS)
        : `${cluster}: ${someOf(
            paths.map((path) => path.slice(cluster.length + 1)),
            NAMED_PATHS,
          )}`,
    why: {
      unexplained: 'no change of the network explains it: an edit by hand, another version of weft, or a setting',
    },
    steps: {
      'look-at-the-difference': {
        what: 'look at the difference',
        on: ({ cluster }) => (cluster === null ? 'out/' : `${cluster}/`),
      },
    },
  });

export const layoutChanged = changeKind('layout-changed')
  .decided({
    identity: ({ cluster }) => [cluster ?? '*'],
    subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
    code: null,
    judge: () => harmless('change', 'same-objects'),
    flows: () => [],
    explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
  })
  .worded({
    section: 'Files',
    title: ({ cluster, paths }) => `${cluster ?? 'the fleet'}: ${countOf(paths.length, 'file')} in another layout`,
    why: { 'same-objects': 'white space, quotes or comments change; every object stays the same' },
    steps: {},
  });

export const lockChanged = changeKind('lock-changed')
  .decided({
    // There is at most one.
    identity: () => [],
    subject: () => ABOUT_FLEET,
    code: null,
    judge: () => harmless('change', 'nothing-applied-changes'),
    flows: () => [],
    explains: () => [],
  })
  .worded({
    section: 'Files',
    title: ({ added, removed }) =>
      `only the lock: ${countOf(added, 'line')} added, ${countOf(removed, 'line')} removed`,
    why: { 'nothing-applied-changes': 'nothing that is applied changes' },
    steps: {},
  });

export const orderChanged = changeKind('order-changed')
  .decided({
    ...OF_CLUSTER,
    code: null,
    judge: () => follows('change', 'only-the-first-apply'),
    flows: () => [],
    explains: ({ cluster }) => [
      ADDRESSES,
      ENTRY_POINTS,
      inFolder(cluster, (file) => !isPart(file, 'helm-values', 'gateway-rules', 'node-rules')),
    ],
  })
  .worded({
    section: 'Order',
    title: ({ cluster, to }) => `${cluster} ${orderWords(to)}`,
    why: { 'only-the-first-apply': 'only a first apply changes; existing links stay' },
    steps: {},
  });

export const gitopsChanged = changeKind('gitops-changed')
  .decided({
    identity: ({ tool, action }) => [tool, action],
    subject: () => ABOUT_FLEET,
    code: 'plan/changes-trust',
    judge: ({ action, paths, byHand }) => {
      switch (action) {
        case 'add':
          return changesTrust('add', 'applies-the-bundles', before('check-the-source'));
        case 'change': {
          const steps = [
            ...(byHand.length > 0 ? [after('apply-these-once-more')] : []),
            after('apply-entry-points-again'),
          ];
          return paths.length > 0
            ? harmless('change', 'same-source-and-clusters', ...steps)
            : follows('change', 'part-of-other-changes', ...steps);
        }
        case 'remove':
          // The change adds no trust.
          return breaks('remove', 'nothing-applies-the-bundles', before('check-what-applies-the-bundles'));
      }
    },
    flows: () => [],
    explains: ({ paths }) => [theseFiles(paths, null)],
  })
  .worded({
    section: 'Settings',
    title: ({ tool, action, source }) => {
      switch (action) {
        case 'add':
          return `new entry points for ${tool}, which takes the bundles from ${sourceWords(source)}`;
        case 'change':
          return `the entry points for ${tool} change`;
        case 'remove':
          return `the entry points for ${tool} are removed, which took the bundles from ${sourceWords(source)}`;
      }
    },
    why: {
      'nothing-applies-the-bundles':
        'without its entry point nothing applies the bundles, and a tool that prunes deletes them',
      'applies-the-bundles':
        'whoever can write there decides what runs in the clusters, once these entry points are applied',
      'part-of-other-changes': 'they change with what the fleet consists of',
      'same-source-and-clusters':
        'the same bundles go from the same source to the same clusters; only how and when they are applied is different',
    },
    steps: {
      'check-the-source': {
        what: 'make sure that this source is meant, and who can write there',
        on: ({ source }) => sourceWords(source),
      },
      'apply-these-once-more': {
        what: 'apply these once more: no commit does',
        on: ({ byHand }) => someOf(byHand, NAMED_PATHS),
      },
      'apply-entry-points-again': {
        what: 'let these be applied before the next edit; where they do not apply themselves from git, apply them again',
        on: ({ tool }) => (tool === 'Flux' ? 'out/_flux' : 'out/_argocd'),
      },
      'check-what-applies-the-bundles': {
        what: 'make sure that something else applies the bundles, or that nothing is pruned',
        on: ({ tool }) => tool,
      },
    },
  });

export const alertsChanged = changeKind('alerts-changed')
  .decided({
    identity: ({ cluster, action }) => [cluster, action],
    subject: ({ cluster }) => aboutCluster(cluster),
    code: null,
    judge: ({ action }) =>
      action === 'add' ? harmless(action, 'only-alerts', after('apply-alerts')) : harmless(action, 'only-alerts'),
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'monitoring'))],
  })
  .worded({
    section: 'Settings',
    title: ({ cluster, action }) => `${cluster} ${WHAT[action]}`,
    why: { 'only-alerts': 'Prometheus reads them; no packet takes another way' },
    steps: {
      'apply-alerts': {
        what: 'apply the folder, once the Prometheus operator is installed there; no entry point of Argo CD or Flux does',
        on: ({ cluster }) => `${cluster}/monitoring`,
      },
    },
  });

export const probersChanged = changeKind('probers-changed')
  .decided({
    identity: ({ action }) => [action],
    subject: () => ABOUT_FLEET,
    code: 'plan/changes-trust',
    judge: ({ action }) => {
      switch (action) {
        case 'add':
          return harmless(action, 'has-no-rights', after('dial'));
        case 'remove':
          return harmless(action, 'pruned-with-its-namespace');
        case 'change':
          // A prober without rights is that of weft alone: any other may have them.
          return changesTrust(action, 'runs-in-every-cluster', before('check-the-prober'));
      }
    },
    flows: () => [],
    explains: () => [anywhere((file) => isPart(file, 'conformance', 'kustomization')), ENTRY_POINTS],
  })
  .worded({
    section: 'Settings',
    title: ({ probed, action, from, to }) =>
      `${PROBERS[action]} in ${someOf(probed, NAMED_PEERS)}, ${action === 'remove' ? 'which ran' : 'which runs'} ${(action === 'remove' ? from : to).join(', ')}`,
    why: {
      'has-no-rights': 'a prober has no rights in its cluster, and no other packet takes another way',
      'pruned-with-its-namespace': 'Argo CD and Flux delete it with its namespace; no other packet takes another way',
      'runs-in-every-cluster':
        'it runs in every cluster of the fleet, with the image and the rights that its new file gives it',
    },
    steps: {
      dial: {
        what: 'dial from each cluster to each with `weft conformance`, once the probers run',
        on: ({ probed }) => someOf(probed, NAMED_PEERS),
      },
      'check-the-prober': {
        what: 'look at the difference, and make sure that this image is meant',
        on: ({ to }) => to.join(', '),
      },
    },
  });

const PROBERS: Readonly<Record<Action, string>> = {
  add: 'a prober',
  change: 'another prober',
  remove: 'no prober any more',
};

export const annotationsChanged = changeKind('annotations-changed')
  .decided({
    identity: ({ cluster }) => [cluster ?? '*'],
    subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
    code: null,
    judge: () => harmless('change', 'only-tools-read-them'),
    flows: () => [],
    explains: ({ cluster, paths }) => [theseFiles(paths, cluster)],
  })
  .worded({
    section: 'Files',
    title: ({ cluster, paths }) =>
      `${cluster ?? 'the fleet'}: annotations for Argo CD and Flux in ${countOf(paths.length, 'file')}`,
    why: {
      'only-tools-read-them':
        'Argo CD and Flux order, compare and check objects by these annotations; no packet depends on them',
    },
    steps: {},
  });

const NAMED_PATHS = 3;

/** The number of peers named in an order; a hub can have thousands. */
const NAMED_PEERS = 6;

function orderWords(entries: readonly OrderEntry[]): string {
  const ordered = entries.filter((it) => it.turn !== null).map((it) => it.peer);
  if (ordered.length === 0) return 'makes its links in any order';
  if (ordered.length === 1) return `makes its link to ${ordered[0] ?? ''} last`;
  return `makes these links one after the other: ${someOf(ordered, NAMED_PEERS)}`;
}

/** Words for a repository: `https://git.example.com/fleet.git, revision main`. */
function sourceWords(source: Difference<'gitops-changed'>['source']): string {
  const { repository, revision, source: object } = source ?? {};
  if (!repository) return object ?? 'an unknown one';
  return `${shownValue(repository)}, revision ${shownValue(revision ?? '')}`;
}

const WHAT: Readonly<Record<Action, string>> = {
  add: 'gets alerts on its tunnels',
  change: 'has other alerts on its tunnels',
  remove: 'loses alerts on its tunnels',
};
