import { countOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';

export const layoutChangedWords: ChangeWords<'layout-changed'> = {
  section: 'Files',
  title: ({ cluster, paths }) => `${cluster ?? 'the fleet'}: ${countOf(paths.length, 'file')} in another layout`,
  why: { 'same-objects': 'white space, quotes or comments change; every object stays the same' },
  steps: {},
};
