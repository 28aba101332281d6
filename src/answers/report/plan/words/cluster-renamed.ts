import { someOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';
import { placesFor, usualPlacesFor } from './plain-places.ts';
import { COMPARE_VIEWS, RELOCK } from './plain-steps.ts';

/** Peers named in one step; a hub has thousands. */
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
