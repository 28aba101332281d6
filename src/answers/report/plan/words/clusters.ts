import { someOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';
import { COMPARE_VIEWS, placesFor, RELOCK, usualPlacesFor } from './plain-words.ts';

export const clusterAddedWords: ChangeWords<'cluster-added'> = {
  section: 'Clusters',
  title: ({ cluster }) => `${cluster} is new`,
  why: { 'unused-so-far': 'no traffic uses it yet' },
  steps: {
    'install-liqo': {
      what: 'install Liqo with the helm-values.yaml of the cluster',
      on: ({ cluster }) => cluster,
    },
    'register-in-argo': { what: 'register the cluster in Argo CD', on: ({ cluster }) => cluster },
    'register-in-flux': {
      what: 'let Flux apply the entry points of the cluster',
      on: ({ cluster }) => `_flux/clusters/${cluster}`,
    },
    'apply-the-bundle': { what: 'apply the bundle with your own tool', on: ({ cluster }) => cluster },
  },
};

export const clusterRemovedWords: ChangeWords<'cluster-removed'> = {
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
      what: 'retire it first (`retired: true`): its own GitOps tool then removes its objects',
      on: ({ cluster }) => cluster,
    },
  },
};

/** The number of peers named in one step; a hub has thousands. */
const NAMED_PEERS = 6;

export const clusterRenamedWords: ChangeWords<'cluster-renamed'> = {
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
    'reinstall-under-new-id': {
      what: 'uninstall Liqo, and install it again with the helm-values.yaml of the new name; a GitOps tool may know the cluster by its old name',
      on: ({ cluster, from }) => `${from} as ${cluster}`,
    },
    'provide-secrets-again': {
      what: 'provide the Secrets with the keys again, in the new cluster for every peer and in every peer for the new namespace',
      on: (it) => placesFor(it, it.cluster, it.peers),
    },
    'remove-the-old-objects-first': {
      what: 'pause the GitOps tools of its peers, delete the gateways and the Configuration of the old name there, and then apply: while these exist, they hold the addresses',
      on: ({ from, peers }) => `${from} in ${someOf(peers, NAMED_PEERS)}`,
    },
    'compare-views': {
      what: COMPARE_VIEWS,
      on: ({ cluster, peers }) => `${cluster} in ${someOf(peers, NAMED_PEERS)}`,
    },
    relock: { what: RELOCK, on: ({ cluster }) => `--relock ${cluster}` },
    'delete-old-namespaces': {
      what: 'delete the tenant namespaces of the old name, which no tool prunes, once the gateways are deleted',
      on: (it) => usualPlacesFor(it, it.from, it.peers),
    },
    'remove-the-former-name': {
      what: 'run `weft keys generate`, which writes the keys under the new name, and then remove `renamedFrom`',
      on: ({ cluster }) => cluster,
    },
  },
};

export const clusterRetiredWords: ChangeWords<'cluster-retired'> = {
  section: 'Clusters',
  title: ({ cluster }) => `${cluster} retires: its bundle becomes empty, its folder stays`,
  why: { 'bundle-becomes-empty': 'its bundle becomes empty and its peers remove their links to it' },
  steps: {
    'remove-entry-once-pruned': {
      what: 'remove the entry from the topology once its GitOps tool has pruned everything',
      on: ({ cluster }) => cluster,
    },
  },
};

export const clusterReturnedWords: ChangeWords<'cluster-returned'> = {
  section: 'Clusters',
  title: ({ cluster }) => `${cluster} is no longer retired`,
  why: { 'had-no-links': 'it had no links' },
  steps: {
    'check-the-installation': {
      what: 'make sure that Liqo runs with the helm-values.yaml of the cluster, and install it again where a network of its own is another one',
      on: ({ cluster }) => cluster,
    },
  },
};
