import { listOf } from '../../../core/words.ts';
import type { ChangeWords } from '../change-words.ts';
import { RECREATE_CONFIGURATION } from './plain-steps.ts';

export const announcedChangedWords: ChangeWords<'announced-changed'> = {
  section: 'Views',
  code: 'plan/view-moves',
  title: ({ cluster, peer, cidr, from, to }) => {
    const networks = (views: typeof to): string => listOf(views.map((view) => view.cidr));
    return `${cluster} configures ${peer} with the ${cidr} CIDR ${networks(to)} instead of ${networks(from)}`;
  },
  why: {
    'network-is-replaced':
      'Liqo 1.2 replaces the Network: until the new one is ready, its status still contains the old addresses',
    'network-is-immutable':
      'before 1.2 the Network of a live Configuration is immutable: the old view stays and its NAT is wrong until the Configuration is recreated',
  },
  steps: { 'recreate-configuration': RECREATE_CONFIGURATION },
};
