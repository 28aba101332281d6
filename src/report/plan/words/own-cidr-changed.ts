import { listOf } from '../../../core/words.ts';
import type { ChangeWords } from '../change-words.ts';

export const ownCidrChangedWords: ChangeWords<'own-cidr-changed'> = {
  section: 'Addresses',
  title: ({ cluster, role, from, to }) => `${cluster} has the ${role} CIDR ${listOf(to)} instead of ${listOf(from)}`,
  why: { 'own-networks-are-fixed': 'a running Liqo cannot change its own networks' },
  steps: {
    'reinstall-with-new-values': {
      what: 'reinstall Liqo with the new helm-values.yaml, and move the workloads out of the old network',
      on: ({ cluster }) => cluster,
    },
  },
};
