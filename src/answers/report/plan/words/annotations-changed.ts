import { countOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';

export const annotationsChangedWords: ChangeWords<'annotations-changed'> = {
  section: 'Files',
  title: ({ cluster, paths }) =>
    `${cluster ?? 'the fleet'}: views for health checks in ${countOf(paths.length, 'file')}`,
  why: {
    'only-tools-read-them': 'Argo CD and Flux compare addresses with these annotations; no packet depends on them',
  },
  steps: {},
};
