import { shortened } from '../../../../base/core/words.ts';
import type { SettingName } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { UPGRADE_CHART } from './plain-steps.ts';
import { insteadOf, LONGEST_VALUE } from './plain-words.ts';

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

/** A key of the topology is its own name. */
const settingWords = (setting: SettingName): string =>
  setting === 'topologyFile' ? "the topology's file name" : setting;

const owner = (cluster: string | null): string => cluster ?? 'the fleet';

const value = (it: string | null): string => (it === null ? "Liqo's default" : shortened(it, LONGEST_VALUE));
