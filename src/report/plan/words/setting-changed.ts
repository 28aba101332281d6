import type { SettingName } from '../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { UPGRADE_CHART } from './plain-steps.ts';

export const settingChangedWords: ChangeWords<'setting-changed'> = {
  section: 'Settings',
  title: ({ cluster, setting, from, to }) =>
    `${owner(cluster)}: ${settingWords(setting)} is ${value(to)} instead of ${value(from)}`,
  why: {
    'name-for-people': 'this name is for people and entry points; no object of Liqo contains it',
    'changes-no-address-port-or-role': 'no address, port or role changes with it',
    'gateways-read-another-secret': 'gateways read another Secret, and stay down until it exists',
    'operator-decides-the-way': "new flows use shortcuts only if the fork's operator reads them",
    'templates-in-another-namespace': 'gateways use templates of another namespace',
    'only-later-decisions': 'only later decisions use the new pools',
  },
  steps: {
    'provide-secrets': {
      what: "provide the Secrets under the new name without Liqo's labels, and remove the old ones with the change: two labelled Secrets of a gateway are an error",
      on: ({ to }) => value(to),
    },
    'check-namespace': {
      what: 'make sure that Liqo runs there',
      on: ({ cluster, to }) => `${owner(cluster)}: ${value(to)}`,
    },
    'upgrade-chart': { what: UPGRADE_CHART, on: ({ cluster }) => cluster ?? 'all clusters' },
  },
  id: ({ cluster, setting }) => `setting-changed ${cluster ?? '*'}/${settingWords(setting)}`,
  fields: ({ setting, from, to }) => ({ setting: settingWords(setting), from: value(from), to: value(to) }),
};

/** A key of the topology is its own name. */
const settingWords = (setting: SettingName): string =>
  setting === 'topologyFile' ? "the topology's file name" : setting;

const owner = (cluster: string | null): string => cluster ?? 'the fleet';

const value = (it: string | null): string => it ?? "Liqo's default";
