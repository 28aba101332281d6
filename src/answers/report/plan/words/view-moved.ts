import type { ChangeWords } from '../change-words.ts';
import { COMPARE_VIEWS, DELETE_BEFORE_APPLYING, side } from './plain-steps.ts';
import { VIEW_WORDS } from './plain-words.ts';

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
