import { someOf } from '../../base/core/words.ts';
import { tenantNamespace } from '../../base/releases/labels.ts';
import { aboutCluster, after, before, breaks, changeKind, harmless, OF_CLUSTER, together } from '../change-kind.ts';
import { flowsThroughCluster } from '../flows.ts';
import { isMadeByLiqo, keepsOldViews } from '../network-state.ts';
import { ADDRESSES, ENTRY_POINTS, inFolder } from '../plan-file.ts';
import { deleteWithoutGateway, untilAsCompiled } from '../step-command.ts';
import {
  COLLECT_KEYS_AGAIN,
  cidrs,
  namespaceIn,
  PROVE,
  placesFor,
  RELOCK,
  usualPlacesFor,
  withUsualNamespace,
} from './plain-words.ts';

export const clusterAdded = changeKind('cluster-added')
  .decided({
    ...OF_CLUSTER,
    code: null,
    judge: (_, { after: { fleet } }) => {
      const { argo, flux } = fleet.tools;
      const steps = [
        before('install-liqo'),
        ...(argo ? [before('register-in-argo')] : []),
        ...(flux ? [before('register-in-flux')] : []),
        ...(argo || flux ? [] : [together('apply-the-bundle')]),
      ];
      return harmless('add', 'unused-so-far', ...steps);
    },
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
  })
  .worded({
    section: 'Clusters',
    title: ({ cluster, own, destinations }) => {
      const pods = own.pod.length === 0 ? '' : `, with the pod ${cidrs(own.pod)}`;
      const places = destinations.map(({ tool, to }) =>
        tool === 'Flux' ? `; Flux applies it with the kubeconfig ${to}` : `; ${tool} applies it to ${to}`,
      );
      return `${cluster} is new${pods}${places.join('')}`;
    },
    why: { 'unused-so-far': 'no traffic uses it yet' },
    steps: {
      'install-liqo': {
        what: 'install Liqo with the helm-values.yaml of the cluster',
        on: ({ cluster }) => cluster,
      },
      'register-in-argo': { what: 'register the cluster in Argo CD', on: ({ cluster }) => cluster },
      'register-in-flux': {
        what: 'apply the file in the cluster of its Flux, once; a Flux that applies `_flux/clusters.yaml` does it by itself',
        on: ({ cluster }) => `_flux/clusters/${cluster}.yaml`,
      },
      'apply-the-bundle': { what: 'apply the bundle with your own tool', on: ({ cluster }) => cluster },
    },
  });

export const clusterRemoved = changeKind('cluster-removed')
  .decided({
    identity: ({ cluster }) => [cluster],
    subject: ({ cluster, lookalike }) => aboutCluster(cluster, lookalike === null ? [] : [lookalike]),
    code: 'plan/cluster-leaves',
    judge: ({ wasRetired, lookalike, appliers }) => {
      const last = appliers.length === 0 ? [] : [after('delete-what-applied-it')];
      if (wasRetired) return harmless('remove', 'retired-before', ...last);
      return lookalike === null
        ? breaks('remove', 'folder-is-removed', before('retire-cluster-first'), ...last)
        : breaks('remove', 'looks-renamed', before('declare-a-rename'), before('retire-cluster-first'), ...last);
    },
    // The differences of the removed links contain the flows that stop.
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
  })
  .worded({
    section: 'Clusters',
    title: ({ cluster, wasRetired, lookalike }) => {
      if (wasRetired) return `${cluster} was retired and leaves the fleet`;
      return lookalike === null
        ? `${cluster} leaves the fleet`
        : `${cluster} leaves the fleet, and ${lookalike} looks like ${cluster} renamed (same networks, same peers)`;
    },
    why: {
      'retired-before': 'it was retired and has no links any more',
      'folder-is-removed': 'its folder is removed, so a GitOps tool that still applies it deletes everything in it',
      'looks-renamed':
        'without `renamedFrom` these are two clusters: the new one gets addresses, ports and keys of its own, because those of the old one are taken until it is gone',
    },
    steps: {
      'declare-a-rename': {
        what: 'if both are one cluster, write this in the topology and compile again before anything is applied, to keep addresses, ports and keys',
        on: ({ cluster, lookalike }) => `\`renamedFrom: ${cluster}\` in ${lookalike ?? ''}`,
      },
      'retire-cluster-first': {
        what: 'retire it first (`retired: true`), and wait until its own GitOps tool has removed its objects',
        on: ({ cluster }) => cluster,
        commands: ({ cluster }) => [untilAsCompiled(cluster)],
      },
      'delete-what-applied-it': {
        what: 'once the entry points are applied, delete what is left of these, which no commit deletes: without a folder they only fail',
        on: ({ appliers }) => someOf(appliers, NAMED_PEERS),
      },
    },
  });

/** For a cluster with another name, which Argo CD takes for another one. */
const ARGO_STEPS = [
  together('register-under-the-new-name'),
  together('take-the-mark-off'),
  after('delete-the-application'),
];

export const clusterRenamed = changeKind('cluster-renamed')
  .decided({
    identity: ({ cluster }) => [cluster],
    subject: ({ cluster, peers }) => aboutCluster(cluster, peers),
    code: 'plan/cluster-leaves',
    // No object with the old ID can stay, neither in the cluster nor in its peers.
    judge: ({ cluster, decisions }, context) => {
      const { argo, flux } = context.before.fleet.tools;
      return breaks(
        'change',
        'cluster-id-is-fixed',
        ...(keepsOldViews(cluster, context.after) ? [before('relock')] : []),
        ...(flux === null ? [] : [before('suspend-kustomizations')]),
        ...(argo === null ? [] : [before('pause-the-application')]),
        before('reinstall-under-new-id'),
        ...(isMadeByLiqo(context.after.fleet) ? [after('collect-keys-again')] : [before('provide-secrets-again')]),
        together('remove-the-old-objects-first'),
        ...(argo === null ? [] : ARGO_STEPS),
        after('compare-views'),
        after('delete-old-namespaces'),
        ...(decisions === 'declared' ? [after('remove-the-former-name')] : []),
      );
    },
    flows: ({ cluster }, context) => flowsThroughCluster(cluster, context),
    explains: ({ cluster, from, peers }) => [
      ADDRESSES,
      ENTRY_POINTS,
      ...[...new Set([from, cluster, ...peers])].map((it) => inFolder(it)),
    ],
  })
  .worded({
    section: 'Clusters',
    title: ({ cluster, from, decisions }) =>
      decisions === 'declared'
        ? `${from} is now called ${cluster}`
        : `${from} is now called ${cluster} (same networks, same peers)`,
    why: {
      'cluster-id-is-fixed':
        'a cluster ID cannot change: Liqo is installed again, and every peer gets a new namespace, new gateways and a new Configuration; ports and keys stay, and so does every address that the peers give again',
    },
    steps: {
      'suspend-kustomizations': {
        what: 'suspend the Kustomizations of the old name and then delete them, after the one that applies them is suspended: suspended ones delete nothing',
        on: ({ from }) => `_flux/clusters/${from}`,
      },
      'pause-the-application': {
        what: 'annotate the Application of the old name with `argocd.argoproj.io/skip-reconcile=true`, or Argo CD makes again what the next step deletes',
        on: ({ from }) => from,
      },
      'reinstall-under-new-id': {
        what: 'pause its GitOps tool, delete its gateways and Configurations (Liqo refuses to be uninstalled before, and their `spec.local` keeps the former networks), uninstall Liqo, and install it again with the helm-values.yaml of the new name; a GitOps tool may know the cluster by its old name',
        on: ({ cluster, from }) => `${from} as ${cluster}`,
        commands: ({ from }) => [{ run: 'delete-links', cluster: from, namespace: null }],
      },
      'provide-secrets-again': {
        what: 'provide the Secrets with the keys again, in the new cluster for every peer and in every peer for the new namespace, where its label `liqo.io/remote-cluster-id` has the new name',
        on: (it) => placesFor(it, it.cluster, it.peers),
      },
      'collect-keys-again': { what: COLLECT_KEYS_AGAIN, on: ({ cluster, peers }) => [cluster, ...peers].join(', ') },
      'remove-the-old-objects-first': {
        what: 'pause the GitOps tools of its peers, delete the gateways and the Configuration of the old name there, and then apply: while these exist, they hold the addresses',
        on: ({ from, peers }) => `${from} in ${someOf(peers, NAMED_PEERS)}`,
        commands: (it) => {
          const usual = new Set(withUsualNamespace(it, it.peers));
          return it.peers.map((peer) => ({
            run: 'delete-links',
            cluster: peer,
            namespace: usual.has(peer) ? tenantNamespace(it.from) : namespaceIn(it, peer, it.cluster),
          }));
        },
      },
      'register-under-the-new-name': {
        what: 'replace the registration of the old name in Argo CD by one of the new name, unless `gitops.name` keeps it: two names of one API server are one cluster to it',
        on: ({ cluster, from }) => `${from} as ${cluster}`,
      },
      'delete-the-application': {
        what: 'once the entry points are applied, delete the Application of the old name, which leaves its objects: before, the ApplicationSet makes it again',
        on: ({ from }) => from,
      },
      'take-the-mark-off': {
        what: 'take the mark of the Application of the old name off the tenant namespaces: that of the new name refuses objects with it',
        on: ({ from }) => from,
        commands: (it) =>
          it.peers.map((peer) => ({
            run: 'unmark-namespace',
            cluster: it.cluster,
            namespace: namespaceIn(it, it.cluster, peer),
          })),
      },
      'compare-views': {
        what: PROVE,
        on: ({ cluster, peers }) => `the view of ${cluster} in ${someOf(peers, NAMED_PEERS)}`,
      },
      relock: { what: RELOCK, on: ({ cluster }) => `--relock ${cluster}` },
      'delete-old-namespaces': {
        what: 'delete the tenant namespaces of the old name, which no tool prunes, once the gateways are deleted',
        on: (it) => usualPlacesFor(it, it.from, it.peers),
        commands: (it) =>
          withUsualNamespace(it, it.peers).map((peer) =>
            deleteWithoutGateway(peer, tenantNamespace(it.from), `gw-${it.from}`),
          ),
      },
      'remove-the-former-name': {
        what: 'run `weft keys generate`, which writes the keys under the new name, and then remove `renamedFrom`',
        on: ({ cluster }) => cluster,
      },
    },
  });

export const clusterRetired = changeKind('cluster-retired')
  .decided({
    ...OF_CLUSTER,
    code: 'plan/cluster-leaves',
    judge: () => breaks('remove', 'bundle-becomes-empty', after('remove-entry-once-pruned')),
    // The differences of the removed links contain the flows that stop.
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
  })
  .worded({
    section: 'Clusters',
    title: ({ cluster }) => `${cluster} retires: its bundle becomes empty, its folder stays`,
    why: { 'bundle-becomes-empty': 'its bundle becomes empty and its peers remove their links to it' },
    steps: {
      'remove-entry-once-pruned': {
        what: 'remove the entry from the topology once its GitOps tool has pruned everything',
        on: ({ cluster }) => cluster,
        commands: ({ cluster }) => [untilAsCompiled(cluster)],
      },
    },
  });

/** A cluster is no longer retired. */
export const clusterReturned = changeKind('cluster-returned')
  .decided({
    ...OF_CLUSTER,
    code: null,
    judge: () => harmless('add', 'had-no-links', before('check-the-installation')),
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster), ENTRY_POINTS],
  })
  .worded({
    section: 'Clusters',
    title: ({ cluster }) => `${cluster} is no longer retired`,
    why: { 'had-no-links': 'it had no links' },
    steps: {
      'check-the-installation': {
        what: 'make sure that Liqo runs with the helm-values.yaml of the cluster, and install it again where a network of its own is another one',
        on: ({ cluster }) => cluster,
      },
    },
  });

/** The number of peers, or of objects for each, named in one step; a hub has thousands. */
const NAMED_PEERS = 6;
