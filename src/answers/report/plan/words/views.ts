import { listOf } from '../../../../base/core/words.ts';
import { firstLineWith } from '../../../../base/releases/traits.ts';
import type { ChangeWords } from '../change-words.ts';
import { COMPARE_VIEWS, cidrs, DELETE_BEFORE_APPLYING, side, VIEW_WORDS } from './plain-words.ts';

export const viewMovedWords: ChangeWords<'view-moved'> = {
  section: 'Views',
  title: ({ cluster, peer, cidr, from, to }) =>
    `${cluster} sees ${peer}'s ${VIEW_WORDS[cidr]} at ${to} instead of ${from}`,
  why: {
    'old-addresses-are-wrong':
      'live flows to the old addresses break, and what was allowed or cached by address is wrong',
  },
  steps: {
    'delete-before-applying': DELETE_BEFORE_APPLYING,
    'compare-views': { what: COMPARE_VIEWS, on: side },
  },
};

/** Since this release the name of a Network contains its CIDR, so another CIDR is another Network. */
const REPLACING_LINE = firstLineWith('namesPeerNetworksByCIDR');

export const announcedChangedWords: ChangeWords<'announced-changed'> = {
  section: 'Views',
  title: ({ cluster, peer, cidr, from, to }) => {
    const [was, is] = [from, to].map((views) => views.map((view) => view.cidr)) as [string[], string[]];
    return `${cluster} configures ${peer} with the ${cidr} ${cidrs(is)} instead of ${listOf(was)}`;
  },
  why: {
    'network-is-replaced': `Liqo ${REPLACING_LINE} replaces the Network, and every connection to it dies: until the new one is ready, the status still contains the old addresses`,
    'network-is-awaited':
      'the cluster asks for other views in the same change, and what it gives them depends on whether this network is still there: its Configuration is made again',
    'every-view-is-new': 'Liqo is installed again in the cluster, and asks for every view anyway',
    'network-is-released': 'the address of the network that leaves stops working; the others stay as they are',
    'network-is-added':
      'the other networks keep their addresses, and nothing is touched before the new one has its own',
    'networks-keep-their-views': 'every network keeps its address, wherever it is in the list',
    'network-is-immutable': `before ${REPLACING_LINE} the Network of a live Configuration is immutable: the old view stays and its NAT is wrong until the Configuration is recreated`,
  },
  steps: {
    'delete-before-applying': DELETE_BEFORE_APPLYING,
    'compare-views': { what: COMPARE_VIEWS, on: side },
    'wait-for-the-new-view': {
      what: 'wait until the status of the Configuration has the new address: its condition stays True with the old one',
      on: side,
    },
    'stop-using-the-network': {
      what: 'make sure that nothing uses these addresses any more',
      on: ({ cluster, peer, from, to }) => {
        const gone = from.filter((view) => to.every((other) => other.cidr !== view.cidr));
        return `${listOf(gone.map((view) => view.seenAs))} for ${peer} in ${cluster}`;
      },
    },
    'wait-for-every-view': {
      what: 'wait until the status of the Configuration has an address for every network in its spec',
      on: side,
    },
  },
};

export const historyChangedWords: ChangeWords<'history-changed'> = {
  section: 'Views',
  title: ({ cluster, peer, cidr, seenAs, to }) =>
    to
      ? `${cluster} keeps seeing ${peer}'s ${VIEW_WORDS[cidr]} at ${seenAs}, which a rebuild would not choose again`
      : `${cluster} would see ${peer}'s ${VIEW_WORDS[cidr]} at ${seenAs} after a rebuild, too`,
  why: {
    'kept-by-the-lock': 'the lock keeps it; a rebuild of the cluster would choose another',
    'same-after-a-rebuild': 'a rebuild of the cluster would choose it again',
  },
  steps: {},
};
