import { countOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';

export const lockChangedWords: ChangeWords<'lock-changed'> = {
  section: 'Files',
  title: ({ added, removed }) => `only the lock: ${countOf(added, 'line')} added, ${countOf(removed, 'line')} removed`,
  why: { 'nothing-applied-changes': 'nothing that is applied changes' },
  steps: {},
};
