import type { ChangeWords } from '../change-words.ts';
import { VIEW_WORDS } from './plain-words.ts';

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
