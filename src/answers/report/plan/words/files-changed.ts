import { someOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';

const NAMED_PATHS = 3;

export const filesChangedWords: ChangeWords<'files-changed'> = {
  section: 'Files',
  title: ({ cluster, paths }) =>
    cluster === null
      ? someOf(paths, NAMED_PATHS)
      : `${cluster}: ${someOf(
          paths.map((path) => path.slice(cluster.length + 1)),
          NAMED_PATHS,
        )}`,
  why: { unexplained: 'no change of the network explains it: an edit by hand, another version of weft, or a setting' },
  steps: {
    'look-at-the-difference': {
      what: 'look at the difference',
      on: ({ cluster }) => (cluster === null ? 'out/' : `${cluster}/`),
    },
  },
};
