import { listOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';
import { cidrs, RELOCK, UPGRADE_CHART } from './plain-words.ts';

export const ownCidrChangedWords: ChangeWords<'own-cidr-changed'> = {
  section: 'Addresses',
  title: ({ cluster, role, from, to }) => `${cluster} has the ${role} ${cidrs(to)} instead of ${listOf(from)}`,
  why: {
    'own-networks-are-fixed': 'a running Liqo cannot change this network: Liqo is installed again',
    'pods-need-new-addresses': 'every pod in the network that leaves needs another address, and its connections die',
    'pod-network-goes': 'no pod can be reached in the network that leaves',
    'pod-network-comes':
      'the pods of today keep their addresses; pods in the new network reach peers from the unknown source until the Configurations of this cluster are recreated',
    'same-networks': 'the networks stay, in another order',
  },
  steps: {
    'reinstall-with-new-values': {
      what: 'retire the cluster (`retired: true`), reinstall Liqo with the new helm-values.yaml, move the workloads out of the old network, and then remove `retired`',
      on: ({ cluster }) => cluster,
    },
    relock: {
      what: RELOCK,
      on: ({ cluster }) => `--relock ${cluster}`,
    },
    'add-before-removing': {
      what: 'do it in two changes, since a running Liqo cannot change its only pod network and no link is interrupted then: add the new network to the list, and remove the old one once no pod is in it',
      on: ({ cluster, from, to }) => `${cluster}: first podCIDR: [${[...new Set([...from, ...to])].join(', ')}]`,
    },
    'empty-the-network': {
      what: 'move every pod out of the network',
      on: ({ cluster, from, to }) => `${listOf(from.filter((it) => !to.includes(it)))} in ${cluster}`,
    },
    'upgrade-and-restart': {
      what: `${UPGRADE_CHART}, and restart its controller-manager`,
      on: ({ cluster }) => cluster,
    },
    'use-the-network': {
      what: 'let pods use the new network, once all peers have an address for it',
      on: ({ cluster, from, to }) => `${listOf(to.filter((it) => !from.includes(it)))} in ${cluster}`,
    },
  },
};

export const blockCarvedWords: ChangeWords<'block-carved'> = {
  section: 'Addresses',
  title: ({ cluster, block, cidr }) => `${cluster} gets ${cidr} as its ${block} CIDR`,
  why: { 'block-of-its-own': 'no other cluster of the fleet uses this block' },
  steps: {},
};

export const blockReturnedWords: ChangeWords<'block-returned'> = {
  section: 'Addresses',
  title: ({ cluster, block, cidr }) => `${cluster} releases ${cidr}, its ${block} CIDR`,
  why: { 'free-for-others': 'other clusters can use the block again' },
  steps: {},
};

export const reservationChangedWords: ChangeWords<'reservation-changed'> = {
  section: 'Addresses',
  title: ({ cluster, added, removed }) => {
    const parts = [
      ...(added.length > 0 ? [`reserves ${listOf(added)}`] : []),
      ...(removed.length > 0 ? [`no longer reserves ${listOf(removed)}`] : []),
    ];
    return `${cluster} ${parts.length === 0 ? 'lists its reservations in another order' : listOf(parts)}`;
  },
  why: {
    'chart-needs-an-upgrade': "Liqo's chart must be upgraded with it; views that move are listed separately",
  },
  steps: { 'upgrade-chart': { what: UPGRADE_CHART, on: ({ cluster }) => cluster } },
};
