import { listOf } from '../../../core/words.ts';
import { firstLineWith } from '../../../releases/traits.ts';
import type { ChangeWords } from '../change-words.ts';
import { RECREATE_CONFIGURATION } from './plain-steps.ts';

/** Since this release a Network has its CIDR in its name, so another CIDR is another Network. */
const REPLACING_LINE = firstLineWith('namesPeerNetworksByCIDR');

export const announcedChangedWords: ChangeWords<'announced-changed'> = {
  section: 'Views',
  title: ({ cluster, peer, cidr, from, to }) => {
    const networks = (views: typeof to): string => listOf(views.map((view) => view.cidr));
    return `${cluster} configures ${peer} with the ${cidr} CIDR ${networks(to)} instead of ${networks(from)}`;
  },
  why: {
    'network-is-replaced': `Liqo ${REPLACING_LINE} replaces the Network: until the new one is ready, its status still contains the old addresses`,
    'network-is-immutable': `before ${REPLACING_LINE} the Network of a live Configuration is immutable: the old view stays and its NAT is wrong until the Configuration is recreated`,
  },
  steps: { 'recreate-configuration': RECREATE_CONFIGURATION },
};
