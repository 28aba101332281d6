import type { ChangeWords } from '../change-words.ts';
import { both, LINK_WORDS } from './plain-words.ts';

export const linkKindChangedWords: ChangeWords<'link-kind-changed'> = {
  section: 'Links',
  title: (it) => `${both(it)}: a ${LINK_WORDS[it.to]} instead of a ${LINK_WORDS[it.from]}`,
  why: { 'tunnel-stays': 'the tunnel stays as it is; only the reason for it changes' },
  steps: {},
};
