import { listOf } from '../../../../base/core/words.ts';
import type { Difference } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';

export const resourcesChangedWords: ChangeWords<'resources-changed'> = {
  section: 'Sharing',
  title: (it) => `${it.consumer} borrows from ${it.provider} by slice ${it.slice}: ${listOf(differences(it))}`,
  why: {
    'more-for-new-pods': 'quota and virtual node follow; pods that run are not touched',
    'less-for-new-pods':
      'quota and virtual node follow; pods that run stay, and new ones are refused until there is room',
    'what-is-left-out-stays':
      'Liqo adds to what was granted, and takes no resource out of it: what is left out stays granted',
  },
  steps: {
    'make-the-slice-again': {
      what: 'add a slice with another name and remove this one later, if the resource has to go',
      on: ({ consumer, slice }) => `${slice} in ${consumer}`,
    },
  },
};

function differences({ from, to }: Difference<'resources-changed'>): readonly string[] {
  const resources = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return resources
    .filter((it) => from[it] !== to[it])
    .map((it) => {
      const [was, is] = [from[it], to[it]];
      if (was === undefined) return `${it} ${is}`;
      return is === undefined ? `no ${it}` : `${it} ${is} instead of ${was}`;
    });
}
