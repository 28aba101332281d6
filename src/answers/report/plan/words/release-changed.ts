import { someOf } from '../../../../base/core/words.ts';
import { firstLineWith } from '../../../../base/releases/traits.ts';
import type { Difference } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';

/** Views named for one cluster; a hub can have thousands. */
const NAMED_VIEWS = 6;

const versionOf = (version: string | null): string => version ?? `before ${firstLineWith('labelsSharedNetworks')}`;

const target = ({ cluster, to }: Difference<'release-changed'>): string => `${cluster} to ${versionOf(to)}`;

export const releaseChangedWords: ChangeWords<'release-changed'> = {
  section: 'Clusters',
  title: ({ cluster, from, to }) => `${cluster} runs Liqo ${versionOf(to)} instead of ${versionOf(from)}`,
  why: {
    'upgrade-restarts-gateways':
      'the upgrade of Liqo itself restarts all its gateways; the bundle only follows the new release',
    'upgrade-asks-again':
      'the upgrade restarts all its gateways and asks for every view again; no view depends on the order of asking',
    'upgrade-may-move-views':
      'the upgrade restarts all its gateways and asks for every view again, in any order: views that depend on the order can move or swap',
    'downgrade-restarts-gateways':
      'the downgrade of Liqo itself restarts all its gateways; the bundle only follows the older release',
    'downgrade-asks-again':
      'the downgrade restarts all its gateways and asks for every view again under other names, while the Networks of the newer release can still hold their addresses',
  },
  steps: {
    'upgrade-crds': { what: 'apply the CRDs of the new release: `helm upgrade` leaves the old ones', on: target },
    'upgrade-liqo': {
      what: 'upgrade Liqo, clusters that dial after those that they dial, and then apply this change',
      on: target,
    },
    'downgrade-liqo': {
      what: 'downgrade Liqo, clusters that dial after those that they dial, and then apply this change',
      on: target,
    },
    'compare-all-views': {
      what: 'compare the status of every Configuration with expected/configurations.yaml',
      on: ({ cluster }) => cluster,
    },
    'compare-views-that-may-move': {
      what: 'compare the status of every Configuration with expected/configurations.yaml; these views may have moved',
      on: ({ cluster, mayMove }) =>
        `${cluster}: ${someOf(
          mayMove.map((it) => `${it.peer} ${it.seenAs}`),
          NAMED_VIEWS,
        )}`,
    },
  },
};
