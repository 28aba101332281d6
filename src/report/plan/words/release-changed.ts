import { firstLineWith } from '../../../releases/traits.ts';
import type { ChangeWords } from '../change-words.ts';

export const releaseChangedWords: ChangeWords<'release-changed'> = {
  section: 'Clusters',
  title: ({ cluster, from, to }) => `${cluster} runs Liqo ${versionOf(to)} instead of ${versionOf(from)}`,
  why: {
    'upgrade-restarts-gateways':
      'the upgrade of Liqo itself restarts its gateways; the bundle only follows the new release',
  },
  steps: {
    'upgrade-liqo': {
      what: 'upgrade Liqo, then apply this change',
      on: ({ cluster, to }) => `${cluster} to ${versionOf(to)}`,
    },
  },
  fields: ({ from, to }) => ({ from: versionOf(from), to: versionOf(to) }),
};

const versionOf = (version: string | null): string => version ?? `before ${firstLineWith('labelsSharedNetworks')}`;
