import { isOlder } from '../../base/releases/release.ts';
import {
  ABOUT_FLEET,
  aboutCluster,
  after,
  before,
  breaks,
  changeKind,
  changesTrust,
  harmless,
  type Verdict,
} from '../change-kind.ts';
import type { Difference, SettingChange, SettingName } from '../difference.ts';
import { anywhere, inFolder } from '../file-claim.ts';
import { type Flows, flowsThroughCluster } from '../flows.ts';
import type { PlanContext } from '../plan-context.ts';
import { hasOwnNetworks, isAboutShortcuts, isEntryPoint, isExpected, isPart, type PlanFile } from '../plan-file.ts';

export const releaseChanged = changeKind('release-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
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
  'keys.secretName': {
    verdict: breaks('change', 'gateways-read-another-secret', before('provide-secrets')),
    flows: (_, context) => [...context.after.clusters.keys()].flatMap((it) => flowsThroughCluster(it, context)),
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
  lending: {
    verdict: harmless('change', 'only-for-new-slices', before('upgrade-chart')),
    flows: noFlows,
    reaches: isInstallation,
  },
  reflection: {
    verdict: harmless('change', 'only-for-new-virtual-nodes', before('upgrade-chart')),
    flows: noFlows,
    reaches: isInstallation,
  },
  virtualKubelet: {
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

export const settingChanged = changeKind('setting-changed')({
  identity: ({ cluster, setting }) => [cluster ?? '*', setting],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: 'plan/breaks-flows',
  judge: (it, context) =>
    redirectsConsumers(it, context)
      ? changesTrust('change', 'another-api-server', before('check-the-api-server'), before('upgrade-chart'))
      : SETTINGS[it.setting].verdict,
  flows: (it, context) => rulesOf(it).flows(it, context),
  explains: (it) => [anywhere((file) => rulesOf(it).reaches(file, it))],
});
