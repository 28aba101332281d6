import { shortened } from '../../../../base/core/words.ts';
import type { Difference } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { LONGEST_VALUE } from './plain-words.ts';

export const gitopsChangedWords: ChangeWords<'gitops-changed'> = {
  section: 'Settings',
  title: ({ tool, action, source }) => {
    switch (action) {
      case 'add':
        return `new entry points for ${tool}, which takes the bundles from ${sourceWords(source)}`;
      case 'change':
        return `the entry points for ${tool} change`;
      case 'remove':
        return `the entry points for ${tool} are removed, which took the bundles from ${sourceWords(source)}`;
    }
  },
  why: {
    'nothing-applies-the-bundles':
      'without its entry point nothing applies the bundles, and a tool that prunes deletes them',
    'applies-the-bundles':
      'whoever can write there decides what runs in the clusters, once these entry points are applied',
    'same-source-and-clusters':
      'the same bundles go from the same source to the same clusters; only how and when they are applied is different',
  },
  steps: {
    'check-the-source': {
      what: 'make sure that this source is meant, and who can write there',
      on: ({ source }) => sourceWords(source),
    },
    'apply-entry-points-again': {
      what: 'apply the entry points again before the next edit: nothing else does',
      on: ({ tool }) => (tool === 'Flux' ? 'out/_flux' : 'out/_argocd'),
    },
    'check-what-applies-the-bundles': {
      what: 'make sure that something else applies the bundles, or that nothing is pruned',
      on: ({ tool }) => tool,
    },
  },
};

/** `https://git.example.com/fleet.git, revision main`. */
function sourceWords(source: Difference<'gitops-changed'>['source']): string {
  const { repository, revision, source: object } = source ?? {};
  if (!repository) return object ?? 'an unknown one';
  return `${shortened(repository, LONGEST_VALUE)}, revision ${shortened(revision ?? '', LONGEST_VALUE)}`;
}
