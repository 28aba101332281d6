import { valueAt } from '../../base/core/collections.ts';
import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { meantHint } from '../../base/diagnostics/did-you-mean.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { prefixOf } from '../../base/net/text.ts';
import { allocatorOf } from '../../base/releases/allocators.ts';
import {
  DEFAULT_EXTERNAL_CIDR,
  DEFAULT_IMAGE_REGISTRY,
  DEFAULT_INTERNAL_CIDR,
  DEFAULT_LIQO_NAMESPACE,
} from '../../base/releases/install-defaults.ts';
import {
  fabricSettings,
  GKE_SERVICE_POOL,
  isGke,
  isPlatform,
  K3S_NETWORKS,
  loadBalancerAnnotations,
  PLATFORM_NAMES,
  type Platform,
  platformFacts,
} from '../../base/releases/platforms.ts';
import {
  DEFAULT_RELEASE,
  isCandidate,
  isNewerThanChecked,
  NEWEST_PATCH,
  type Release,
  releaseOf,
  translatesSourcesWrongly,
} from '../../base/releases/release.ts';
import { traitsOf } from '../../base/releases/traits.ts';
import type { ClusterSpec, Topology } from '../../base/schema-types/topology.ts';
import { quotedPiece } from '../../base/source/document-problem.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located } from '../../base/source/source.ts';
import type { CidrRequest, ClusterDeclaration, ClusterGitOps, Monitoring } from './declaration.ts';
import { millisecondsOf } from './formats/durations.ts';
import { readHelmValues } from './helm-values.ts';
import { readApiServer } from './read-api-server.ts';
import { readOwnCidr, readPools, readReservedCidr } from './read-cidr.ts';
import { GATEWAY_DEFAULTS, readGateway } from './read-gateway.ts';
import { readResources } from './read-sharing.ts';
import type { Report } from './report.ts';

/** Identical for every cluster, so that a mistake in the fleet's pools is reported once. */
export const FLEET_POOL = 'a pool of the fleet';

interface ClusterText {
  readonly name: Located<string>;
  /** The cluster's own keys, merged over `defaults`. */
  readonly cluster: Reading<ClusterSpec>;
  /** The whole topology, for the fleet's settings. */
  readonly topology: Reading<Topology>;
}

/** Reads one cluster, and reports invalid texts. `undefined` when a required part is missing. */
export function readCluster({ name, cluster, topology }: ClusterText, report: Report): ClusterDeclaration | undefined {
  const of = `of "${name.value}"`;
  const cidrs = (
    key: 'podCIDR' | 'serviceCIDR' | 'reserved',
    read = readOwnCidr,
  ): readonly (Located<Prefix> | undefined)[] =>
    (cluster.at(key).texts() ?? []).map((it) => read(it, `${key} ${of}`, report));
  const [liqo, fleetLiqo] = [cluster.at('liqo'), topology.at('liqo')];
  const release = readRelease(liqo.at('version').scalar() ?? fleetLiqo.at('version').scalar(), report);
  const platform = readPlatform(cluster.at('platform').scalar(), `platform ${of}`, report);
  const cni = cluster.at('cni').scalar() ?? null;
  const podCIDRs = required(cidrs('podCIDR'), 'podCIDR', { name, platform: platform?.value }, report);
  const serviceCIDRs = required(cidrs('serviceCIDR'), 'serviceCIDR', { name, platform: platform?.value }, report);
  const external = readCidrRequest(cluster, 'externalCIDR', prefixOf(DEFAULT_EXTERNAL_CIDR), name, report);
  const internal = readCidrRequest(cluster, 'internalCIDR', prefixOf(DEFAULT_INTERNAL_CIDR), name, report);
  const reserved = cidrs('reserved', readReservedCidr);
  const ownPools = cluster.at('ipam').at('pools');
  const pools = readPools(
    ownPools.isPresent
      ? { pools: ownPools, otherwiseAt: cluster.span, what: `pool ${of}` }
      : {
          pools: topology.at('ipam').at('pools'),
          otherwiseAt: topology.span,
          what: FLEET_POOL,
          more: isGke(platform?.value ?? null) ? [GKE_SERVICE_POOL] : [],
        },
    report,
  );
  const gateway = readGateway(cluster.at('gateway'), name.value, report, {
    service: platform === null ? GATEWAY_DEFAULTS.service : platformFacts(platform.value).service,
    loadBalancerAnnotations: release ? loadBalancerAnnotations(platform?.value ?? null, traitsOf(release.line)) : {},
  });
  const apiServer = readApiServer(cluster.at('apiServer'), of, report);
  const serviceCIDR = serviceCIDRs[0];
  if (!release || !serviceCIDR || !external || !internal || podCIDRs.length === 0) return undefined;
  return {
    name: name.value,
    at: name.at,
    release,
    traits: traitsOf(release.line),
    liqoNamespace: settingOf(liqo.at('namespace'), fleetLiqo.at('namespace'), DEFAULT_LIQO_NAMESPACE),
    image: {
      registry: settingOf(
        liqo.at('image').at('registry'),
        fleetLiqo.at('image').at('registry'),
        DEFAULT_IMAGE_REGISTRY,
      ),
      tag: settingOf(liqo.at('image').at('tag'), fleetLiqo.at('image').at('tag'), `v${release.version}`),
    },
    allocator: allocatorOf(topology.at('ipam').at('allocator').orDefault('liqo').value, release),
    pools,
    podCIDRs,
    serviceCIDR,
    external,
    internal,
    reserved: reserved.filter((it) => it !== undefined),
    labels: cluster.at('labels').textMap(),
    platform,
    cni,
    fabric: fabricSettings(platform?.value ?? null, cni?.value ?? null),
    apiServer,
    capacity: readResources(cluster.at('capacity')),
    retired: cluster.at('retired').orDefault(false).value,
    boundary: cluster.at('boundary').scalar()?.value ?? null,
    renamedFrom: cluster.at('renamedFrom').scalar() ?? null,
    hubs: cluster.at('hub').texts() ?? null,
    gateway,
    monitoring: readMonitoring(cluster.at('monitoring')),
    helmValues: readHelmValues(cluster),
    gitops: readClusterGitOps(cluster, name.value),
  };
}

/** The setting of the cluster, else that of the fleet, else a default. */
const settingOf = (own: Reading<string>, fleets: Reading<string>, otherwise: string): string =>
  (own.scalar() ?? fleets.scalar())?.value ?? otherwise;

interface NetworkOwner {
  readonly name: Located<string>;
  readonly platform: Platform | undefined;
}

/**
 * All entries of a required list; none after reporting an invalid one, which makes the cluster unreadable. Only k3s has
 * default networks, which liqoctl assumes; it reads those of other platforms from the cluster.
 */
function required(
  read: readonly (Located<Prefix> | undefined)[],
  key: 'podCIDR' | 'serviceCIDR',
  { name, platform }: NetworkOwner,
  report: Report,
): readonly Located<Prefix>[] {
  if (read.length === 0 && platform === 'k3s') return [{ value: prefixOf(K3S_NETWORKS[key]), at: name.at }];
  if (read.length === 0) {
    report(
      diagnostic('topology/missing-key', name.at, `"${name.value}" has no ${key}`, {
        hint: `add \`${key}: \` with the cluster's own network to "${name.value}" or to \`defaults\``,
      }),
    );
  }
  const good = read.filter((it) => it !== undefined);
  return good.length === read.length ? good : [];
}

function readCidrRequest(
  cluster: Reading<ClusterSpec>,
  key: 'externalCIDR' | 'internalCIDR',
  byDefault: Prefix,
  name: Located<string>,
  report: Report,
): CidrRequest | undefined {
  const text = cluster.at(key).scalar();
  if (!text) return { kind: 'default', prefix: byDefault, at: name.at };
  if (text.value === 'auto') return { kind: 'auto', at: text.at };
  const read = readOwnCidr(text, `${key} of "${name.value}"`, report);
  return read && { kind: 'explicit', prefix: read.value, at: read.at };
}

function readClusterGitOps(cluster: Reading<ClusterSpec>, name: string): ClusterGitOps {
  const gitops = cluster.at('gitops');
  return {
    name: gitops.at('name').orDefault(name).value,
    server: gitops.at('server').scalar()?.value ?? null,
    kubeConfigSecret: gitops.at('kubeConfigSecret').scalar()?.value ?? null,
  };
}

/** Common names of several platforms on which Liqo behaves differently. */
const PLATFORM_CHOICES: Readonly<Record<string, string>> = {
  aks: 'write "aks-overlay" or "aks-kubenet", whose pods have a network of their own, or "aks-cni", whose pods are in the subnet of the nodes: `az aks show` prints the plugin and its mode',
  gke: 'write "gke-v2" for a cluster with Dataplane V2, else "gke-v1": `gcloud container clusters describe` prints `datapathProvider`',
};

/** Reads a platform; `null` when there is none, or an unknown one, which is reported. */
export function readPlatform(
  text: Located<string> | undefined,
  what: string,
  report: Report,
): Located<Platform> | null {
  if (!text) return null;
  const { value, at } = text;
  if (isPlatform(value)) return { value, at };
  if (value === 'gke-autopilot') {
    const message = `${what} is GKE Autopilot, whose nodes do not run the pods that Liqo needs on every node`;
    report(diagnostic('topology/platform-not-supported', at, message, { hint: 'use a Standard cluster of GKE' }));
    return null;
  }
  const hint =
    valueAt(PLATFORM_CHOICES, value) ??
    meantHint(value, PLATFORM_NAMES) ??
    `write one of ${PLATFORM_NAMES.join(', ')}, or leave it out`;
  report(diagnostic('topology/unknown-platform', at, `${what} is not known: ${quotedPiece(value)}`, { hint }));
  return null;
}

/** The alerts of a cluster; `null` when the topology does not enable them. Another check reports invalid texts. */
function readMonitoring(monitoring: Reading<NonNullable<ClusterSpec['monitoring']>>): Monitoring | null {
  const asked = monitoring.at('prometheusRules').orDefault(false);
  if (!asked.value) return null;
  return {
    at: asked.at,
    namespace: monitoring.at('namespace').scalar()?.value ?? null,
    labels: monitoring.at('labels').textMap(),
    downFor: monitoring.at('downFor').orDefault('5m').value,
    latencyAboveMilliseconds: millisecondsOf(monitoring.at('latencyAbove').orDefault('500ms').value) ?? 0,
    latencyFor: monitoring.at('latencyFor').orDefault('10m').value,
  };
}

/** A release from its text, or the default where there is none; `undefined` after reporting an unsupported one. */
export function readRelease(text: Located<string> | undefined, report: Report): Release | undefined {
  if (!text) return DEFAULT_RELEASE;
  const release = releaseOf(text.value);
  if (!release) {
    report(
      diagnostic('topology/unknown-release', text.at, `unsupported Liqo version "${text.value}"`, {
        hint: releaseOf(text.value.replace(/^v/, ''))
          ? `write it without the "v": "${text.value.slice(1)}"`
          : `use ${Object.entries(NEWEST_PATCH)
              .map(([line, newest]) => `"${line}" (newest ${newest})`)
              .join(' or ')}`,
      }),
    );
    return undefined;
  }
  if (isCandidate(release)) {
    report(
      diagnostic(
        'topology/release-candidate',
        text.at,
        `Liqo ${release.version} refuses the Configurations that weft writes: it takes one CIDR in place of a list`,
        {
          hint: `read the addresses and rules, which are those of ${release.version}; to apply the bundle, upgrade to ${NEWEST_PATCH['1.0']} and write "1.0"`,
        },
      ),
    );
  } else if (translatesSourcesWrongly(release)) {
    report(
      diagnostic(
        'topology/release-1.0.0',
        text.at,
        'Liqo 1.0.0 translates the sources of packets with a wrong rule, fixed in 1.0.1',
        {
          hint: `upgrade to ${NEWEST_PATCH['1.0']}, and write "1.0"; until then a pod gets no answer from a cluster that remaps it, unless both use one network`,
        },
      ),
    );
  }
  const newest = NEWEST_PATCH[release.line];
  if (isNewerThanChecked(release)) {
    report(
      diagnostic(
        'topology/unknown-patch',
        text.at,
        `Liqo ${release.version} is newer than ${newest}, the newest patch that weft was checked against`,
        {
          hint: `read Liqo's release notes for changes of addresses or objects; weft compiles as for ${newest}`,
        },
      ),
    );
  }
  return release;
}
