import { shortened, someOf } from '../../../../base/core/words.ts';
import { firstLineWith } from '../../../../base/releases/traits.ts';
import type { Difference, SettingName } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { insteadOf, LONGEST_VALUE, UPGRADE_CHART } from './plain-words.ts';

/** The number of views named for one cluster; a hub can have thousands. */
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

export const settingChangedWords: ChangeWords<'setting-changed'> = {
  section: 'Settings',
  title: ({ cluster, setting, from, to }) =>
    `${owner(cluster)}: ${settingWords(setting)} is ${insteadOf({ from, to }, "Liqo's default")}`,
  why: {
    'name-for-people': 'this name is for people and entry points; no object of Liqo contains it',
    'changes-no-address-port-or-role': 'no address, port or role changes with it',
    'gateways-read-another-secret': 'gateways read another Secret, and stay down until it exists',
    'operator-decides-the-way': "new flows use shortcuts only if the fork's operator reads them",
    'templates-in-another-namespace': 'gateways use templates of another namespace',
    'chart-changes-every-gateway':
      'with the new values the chart changes the templates of all gateways of the cluster, which restart',
    'only-for-new-slices': 'slices that were answered keep what they got; later ones get the new values',
    'only-for-new-virtual-nodes':
      'virtual nodes that exist keep what they were made with; later ones get the new values',
    'only-later-decisions': 'only later decisions use the new pools',
    'another-api-server':
      'what peers offload goes there, with the Secrets, ConfigMaps and tokens of their namespaces, once they have its answer; and they believe what it reports',
    'peers-use-another-api-server': 'peers use the new address for what they offload from now on',
    'peers-see-other-sources':
      'peers see new flows of its pods with another source, which their policies may not allow; open flows keep theirs',
    'another-installation': 'the values of the chart change, and no address, port or role of a link',
  },
  steps: {
    'check-the-api-server': {
      what: 'make sure that this is the API server of the cluster, with the authority that has signed its certificate',
      on: ({ cluster }) => owner(cluster),
    },
    'provide-secrets': {
      what: "provide the Secrets under the new name without Liqo's labels, and remove the old ones with the change: two labelled Secrets of a gateway are an error",
      on: ({ to }) => value(to),
    },
    'check-namespace': {
      what: 'make sure that Liqo runs there',
      on: ({ cluster, to }) => `${owner(cluster)}: ${value(to)}`,
    },
    'check-policies': {
      what: 'allow the new source addresses in the policies of its peers: "weft trace" shows them',
      on: ({ cluster }) => cluster ?? 'all clusters',
    },
    'upgrade-chart': { what: UPGRADE_CHART, on: ({ cluster }) => cluster ?? 'all clusters' },
  },
};

/** The name of a setting; a key of the topology is used as it is. */
const settingWords = (setting: SettingName): string =>
  setting === 'topologyFile' ? "the topology's file name" : setting;

const owner = (cluster: string | null): string => cluster ?? 'the fleet';

const value = (it: string | null): string => (it === null ? "Liqo's default" : shortened(it, LONGEST_VALUE));
