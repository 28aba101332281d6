import { someOf } from '../../base/core/words.ts';
import { isOlder } from '../../base/releases/release.ts';
import { firstLineWith } from '../../base/releases/traits.ts';
import {
  ABOUT_FLEET,
  aboutCluster,
  after,
  before,
  breaks,
  changeKind,
  changesTrust,
  harmless,
  OF_CLUSTER,
  together,
  type Verdict,
} from '../change-kind.ts';
import type { Difference, SettingChange, SettingName } from '../difference.ts';
import { type Flows, flowsThroughCluster } from '../flows.ts';
import type { PlanContext } from '../plan-context.ts';
import {
  anywhere,
  hasOwnNetworks,
  inFolder,
  isAboutShortcuts,
  isEntryPoint,
  isExpected,
  isPart,
  type PlanFile,
} from '../plan-file.ts';
import { COLLECT_KEYS_AGAIN, insteadOf, PROVE, shownValue, UPGRADE_CHART } from './plain-words.ts';

export const releaseChanged = changeKind('release-changed')
  .decided({
    ...OF_CLUSTER,
    code: 'plan/breaks-flows',
    judge: (it) => {
      if (isDowngrade(it)) {
        return it.asksAgain
          ? breaks('change', 'downgrade-asks-again', before('downgrade-liqo'), after('compare-all-views'))
          : breaks('change', 'downgrade-restarts-gateways', before('downgrade-liqo'));
      }
      if (!it.asksAgain)
        return breaks('change', 'upgrade-restarts-gateways', before('upgrade-crds'), before('upgrade-liqo'));
      return it.mayMove.length === 0
        ? breaks(
            'change',
            'upgrade-asks-again',
            before('upgrade-crds'),
            before('upgrade-liqo'),
            after('compare-all-views'),
          )
        : breaks(
            'change',
            'upgrade-may-move-views',
            before('upgrade-crds'),
            before('upgrade-liqo'),
            after('compare-views-that-may-move'),
          );
    },
    flows: ({ cluster }, context) => flowsThroughCluster(cluster, context),
    explains: ({ cluster }) => [inFolder(cluster)],
  })
  .worded({
    section: 'Clusters',
    title: ({ cluster, from, to }) => `${cluster} runs Liqo ${versionOf(to)} instead of ${versionOf(from)}`,
    why: {
      'upgrade-restarts-gateways':
        'the upgrade of Liqo itself restarts all its gateways; the bundle only follows the new release',
      'upgrade-asks-again':
        'the upgrade restarts all its gateways and asks for every view again; no view depends on the order of asking',
      'upgrade-may-move-views':
        'the upgrade restarts all its gateways and asks for every view again, in any order: views that depend on the order can move or swap, and two peers can get the same one',
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
        what: PROVE,
        on: ({ cluster }) => `every view in ${cluster}`,
      },
      'compare-views-that-may-move': {
        what: PROVE,
        on: ({ cluster, mayMove }) =>
          `views in ${cluster} that may move: ${someOf(
            mayMove.map((it) => `${it.peer} ${it.seenAs}`),
            NAMED_VIEWS,
          )}`,
      },
    },
  });

/** True for an older release. An unknown version is older than every version that files can prove. */
const isDowngrade = ({ from, to }: Difference<'release-changed'>): boolean =>
  to === null || (from !== null && isOlder(to, from));

/** The decisions about one setting. */
interface SettingRules {
  readonly verdict: Verdict;
  readonly flows: (it: SettingChange, context: PlanContext) => readonly Flows[];
  readonly reaches: (file: PlanFile, it: SettingChange) => boolean;
}

const allFlows = (context: PlanContext): readonly Flows[] =>
  [...context.after.clusters.keys()].flatMap((it) => flowsThroughCluster(it, context));

/** The change between Secrets that people, Liqo and a secret manager make. */
function judgeKeySource({ from }: SettingChange, { after: { fleet } }: PlanContext) {
  const isFromLiqo = from === 'liqo';
  const isFromStore = from?.startsWith('external') === true;
  switch (fleet.keySource) {
    case 'external':
      return isFromLiqo
        ? breaks('change', 'gateways-read-another-secret', before('fill-the-store'), together('remove-liqos-secrets'))
        : harmless('change', 'secrets-come-from-the-store', before('fill-the-store'));
    case 'liqo':
      return isFromStore
        ? breaks('change', 'secrets-go-with-their-source', after('collect-keys-again'))
        : harmless('change', 'gateways-keep-their-secrets', together('keep-one-secret'));
    default:
      if (isFromStore) return breaks('change', 'secrets-go-with-their-source', before('provide-secrets'));
      return isFromLiqo && fleet.keySecret === LIQOS_SECRET
        ? harmless('change', 'gateways-keep-their-secrets', together('keep-one-secret'))
        : breaks('change', 'gateways-read-another-secret', before('provide-secrets'), together('remove-liqos-secrets'));
  }
}

/** The name that Liqo gives to a Secret. */
const LIQOS_SECRET = 'gw-{peer}';

const noFlows = (): readonly Flows[] => [];

const isInstallation = (file: PlanFile, { cluster }: SettingChange): boolean =>
  file.cluster === cluster && hasOwnNetworks(file);

const isNodeRule = (file: PlanFile, { cluster }: SettingChange): boolean =>
  file.cluster === cluster && isPart(file, 'node-rules');

const OWN_CIDR = {
  verdict: harmless('change', 'changes-no-address-port-or-role'),
  flows: noFlows,
  reaches: isInstallation,
} as const;

const API_SERVER = {
  verdict: harmless('change', 'peers-use-another-api-server', before('upgrade-chart')),
  flows: noFlows,
  reaches: isInstallation,
} as const;

const SETTINGS = {
  name: {
    verdict: harmless('change', 'name-for-people'),
    flows: noFlows,
    reaches: (file) => isPart(file, 'addresses') || isEntryPoint(file),
  },
  topologyFile: {
    verdict: harmless('change', 'changes-no-address-port-or-role'),
    flows: noFlows,
    // The header of every file contains it.
    reaches: () => true,
  },
  'keys.secrets': {
    // `judgeKeySource` decides.
    verdict: harmless('change', 'gateways-keep-their-secrets', together('keep-one-secret')),
    flows: (it, context) => (judgeKeySource(it, context).disruptive ? allFlows(context) : []),
    reaches: (file) => isPart(file, 'peer'),
  },
  'keys.secretName': {
    verdict: breaks('change', 'gateways-read-another-secret', before('provide-secrets')),
    flows: (_, context) => allFlows(context),
    reaches: (file) => isPart(file, 'peer'),
  },
  'liqo.emitConnections': {
    verdict: harmless('change', 'changes-no-address-port-or-role'),
    flows: noFlows,
    reaches: (file) => isPart(file, 'peer') || isExpected(file, 'connections'),
  },
  'liqo.shortcutOperator': {
    verdict: breaks('change', 'operator-decides-the-way'),
    flows: noFlows,
    reaches: (file) => isAboutShortcuts(file) || isPart(file, 'unordered') || isEntryPoint(file),
  },
  'liqo.namespace': {
    verdict: breaks('change', 'templates-in-another-namespace', before('check-namespace')),
    flows: ({ cluster }, context) => (cluster === null ? [] : flowsThroughCluster(cluster, context)),
    reaches: (file, { cluster }) => file.cluster === cluster || isAboutShortcuts(file) || isEntryPoint(file),
  },
  'ipam.pools': {
    verdict: harmless('change', 'only-later-decisions', before('upgrade-chart')),
    flows: noFlows,
    reaches: isInstallation,
  },
  'apiServer.address': API_SERVER,
  'apiServer.ca': API_SERVER,
  'apiServer.trustedCA': API_SERVER,
  fullMasquerade: {
    // Connection tracking keeps the translation of open flows.
    verdict: harmless('change', 'peers-see-other-sources', before('check-policies'), before('upgrade-chart')),
    flows: noFlows,
    reaches: (file, it) => isInstallation(file, it) || isNodeRule(file, it),
  },
  platform: {
    verdict: harmless('change', 'another-installation', before('upgrade-chart')),
    flows: noFlows,
    // The rules of nodes contain a comment about the other work of nodes.
    reaches: (file, it) => isInstallation(file, it) || isNodeRule(file, it),
  },
  'monitoring.prometheusRules': {
    verdict: breaks('change', 'chart-changes-every-gateway', before('upgrade-chart')),
    flows: ({ cluster }, context) => (cluster === null ? [] : flowsThroughCluster(cluster, context)),
    reaches: (file, { cluster }) => file.cluster === cluster && isPart(file, 'helm-values', 'gateway-templates'),
  },
  helmValues: {
    verdict: harmless('change', 'another-installation', before('upgrade-chart')),
    flows: noFlows,
    reaches: isInstallation,
  },
  'helmValues for images': {
    verdict: changesTrust('change', 'liqo-runs-them', before('check-the-images'), before('upgrade-chart')),
    flows: noFlows,
    reaches: isInstallation,
  },
  'helmValues for slices': {
    verdict: harmless('change', 'only-for-new-slices', before('upgrade-chart')),
    flows: noFlows,
    reaches: isInstallation,
  },
  'helmValues for virtual nodes': {
    verdict: harmless('change', 'only-for-new-virtual-nodes', before('upgrade-chart')),
    flows: noFlows,
    reaches: isInstallation,
  },
  externalCIDR: OWN_CIDR,
  internalCIDR: OWN_CIDR,
} as const satisfies Readonly<Record<SettingName, SettingRules>>;

/** True when the change redirects consumers. The first address of a cluster that lends nothing yet redirects none. */
function redirectsConsumers({ cluster, setting }: SettingChange, { before: was }: PlanContext): boolean {
  if (cluster === null || !setting.startsWith('apiServer.')) return false;
  const lends = [...was.sharing.shares.values()].some((it) => it.provider === cluster);
  return lends || was.clusters.get(cluster)?.apiServer.address !== null;
}

const rulesOf = ({ setting }: SettingChange): SettingRules => SETTINGS[setting];

export const settingChanged = changeKind('setting-changed')
  .decided({
    identity: ({ cluster, setting }) => [cluster ?? '*', setting],
    subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
    code: 'plan/breaks-flows',
    judge: (it, context) => {
      if (redirectsConsumers(it, context))
        return changesTrust('change', 'another-api-server', before('check-the-api-server'), before('upgrade-chart'));
      if (it.setting === 'keys.secrets') return judgeKeySource(it, context);
      if (it.setting === 'name' && context.before.fleet.tools.flux !== null)
        return breaks('change', 'kustomizations-get-other-names', before('suspend-kustomizations'));
      return SETTINGS[it.setting].verdict;
    },
    flows: (it, context) => rulesOf(it).flows(it, context),
    explains: (it) => [anywhere((file) => rulesOf(it).reaches(file, it))],
  })
  .worded({
    section: 'Settings',
    title: ({ cluster, setting, from, to }) =>
      `${owner(cluster)}: ${settingWords(setting)} is ${insteadOf({ from, to }, "Liqo's default")}`,
    why: {
      'name-for-people': 'this name is for people and entry points; no object of Liqo contains it',
      'kustomizations-get-other-names':
        'Flux prunes the Kustomizations with the former name, and with each of a link its gateway and its Configuration, unless they are suspended',
      'changes-no-address-port-or-role': 'no address, port or role changes with it',
      'gateways-keep-their-secrets':
        "a gateway goes on with the Secret that has Liqo's labels in its namespace, and with its key",
      'secrets-come-from-the-store':
        'the External Secrets Operator fills the Secrets from now on; a gateway reads its key only when it starts',
      'secrets-go-with-their-source':
        'the Secrets are deleted with their ExternalSecrets: a gateway that starts afterwards has another key',
      'gateways-read-another-secret': 'gateways read another Secret, and stay down until it exists',
      'operator-decides-the-way': "new flows use shortcuts only if the fork's operator reads them",
      'templates-in-another-namespace': 'gateways use templates of another namespace',
      'chart-changes-every-gateway':
        'with the new values the chart changes the templates of all gateways of the cluster, which restart',
      'liqo-runs-them':
        'Liqo may write in every namespace of the cluster and reads the Secrets of its tunnels: whoever can publish these images has both',
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
      'suspend-kustomizations': {
        what: 'suspend the Kustomizations with the former name in every cluster, which then delete nothing; delete them when those with the new name are ready',
        on: ({ from }) => `weft-${value(from)}`,
      },
      'check-the-api-server': {
        what: 'make sure that this is the API server of the cluster, with the authority that has signed its certificate',
        on: ({ cluster }) => owner(cluster),
      },
      'check-the-images': {
        what: 'make sure that these images are meant, and who can publish there',
        on: ({ cluster, to }) => `${owner(cluster)}: ${value(to)}`,
      },
      'provide-secrets': {
        what: "provide the Secrets under the new name without Liqo's labels, and remove the old ones with the change: two labelled Secrets of a gateway are an error",
        on: ({ setting, to }) => (setting === 'keys.secrets' ? 'all clusters' : value(to)),
      },
      'fill-the-store': {
        what: 'write the key pairs into the store, each half in base64, under the properties `privateKey` and `publicKey`; the same pairs where gateways run',
        on: ({ to }) => value(to),
      },
      'collect-keys-again': { what: COLLECT_KEYS_AGAIN, on: () => 'all clusters' },
      'keep-one-secret': {
        what: "leave the Secrets where they are, one with Liqo's labels in each tenant namespace: where none is left, Liqo makes another pair, and `weft keys collect` finds it",
        on: () => 'all clusters',
      },
      'remove-liqos-secrets': {
        what: 'delete the Secrets that Liqo made, `gw-` and the name of the gateway; or keep them and their keys with `keys: { secretName: "gw-{peer}" }`',
        on: () => 'all clusters',
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
  });

/** The number of views named for one cluster; a hub can have thousands. */
const NAMED_VIEWS = 6;

const versionOf = (version: string | null): string => version ?? `before ${firstLineWith('labelsSharedNetworks')}`;

function target({ cluster, to }: Difference<'release-changed'>): string {
  return `${cluster} to ${versionOf(to)}`;
}

/** The name of a setting; a key of the topology is used as it is. */
const settingWords = (setting: SettingName): string =>
  setting === 'topologyFile' ? "the topology's file name" : setting;

const owner = (cluster: string | null): string => cluster ?? 'the fleet';

const value = (it: string | null): string => (it === null ? "Liqo's default" : shownValue(it));
