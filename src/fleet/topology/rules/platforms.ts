import { by, groupBy } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { hasAllocator } from '../../../base/releases/allocators.ts';
import {
  type Cni,
  excludesCni,
  largestPacket,
  otherCloudOf,
  platformFacts,
  WIREGUARD_BYTES,
} from '../../../base/releases/platforms.ts';
import { CANDIDATES } from '../../../base/releases/release.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import type { Declaration } from '../declaration.ts';
import { describeClusters, describeNewerClusters, type TopologyRule } from './topology-rule.ts';

/** Settings are used only in the releases that have them: several pod CIDRs from 1.2, the best-fit allocator before 1.0. */
export const releasesFitSettings: TopologyRule = function* (topology) {
  const supporting = firstLineWith('takesSeveralPodCIDRs');
  for (const cluster of topology.clusters) {
    const second = cluster.podCIDRs[1];
    if (second && !cluster.traits.takesSeveralPodCIDRs) {
      yield diagnostic(
        'topology/several-pod-cidrs',
        second.at,
        `"${cluster.name}" has ${cluster.podCIDRs.length} pod CIDRs, but Liqo ${cluster.release.version} uses only the first`,
        {
          hint: `upgrade the cluster to ${supporting} (\`liqo.version: "${supporting}"\`), or set one pod CIDR`,
        },
      );
    }
  }
  yield* bestFitIsOld(topology);
};

/** The allocator is a setting of the fleet, so it is reported once for all clusters. */
function* bestFitIsOld({ clusters }: Declaration): Iterable<Diagnostic> {
  const newer = clusters.filter((it) => !hasAllocator(it.release, it.allocator));
  const [first] = newer;
  if (!first) return;
  const who = describeNewerClusters(first, newer.length - 1);
  yield diagnostic(
    'topology/allocator-needs-1.0',
    first.at,
    `\`allocator: best-fit\` ended with Liqo ${CANDIDATES.at(-1)}, and ${who}`,
    {
      hint: `set \`ipam.allocator: liqo\` for the allocator of the release, or \`liqo.version\` to a release that has best-fit (${CANDIDATES.map((it) => `"${it}"`).join(' or ')})`,
    },
  );
}

/**
 * Liqo's network works on the platforms. On OpenShift it is work in progress.
 * Source: liqotech/liqo@v1.2.0 docs/installation/compatibility.md.
 */
export const platformsRunTheNetwork: TopologyRule = function* ({ clusters }) {
  for (const { name, platform, retired } of clusters) {
    if (platform?.value !== 'openshift' || retired) continue;
    const message = `"${name}" runs on OpenShift, where Liqo's network is work in progress and not supported`;
    yield diagnostic('topology/platform-in-progress', platform.at, message, {
      about: [[name]],
      hint: 'try it before you rely on it: a tunnel that comes up does not prove that packets pass the nodes',
    });
  }
};

/** A platform works with the plugin, the MTU and the load balancers of its cluster. */
export const platformsTakeTheirSettings: TopologyRule = function* ({ clusters }) {
  for (const { name, platform, cni, gateway, retired } of clusters) {
    if (platform === null || retired) continue;
    const related = [{ message: 'the platform', span: platform.at }];
    if (cni !== null && excludesCni(platform.value, cni.value)) {
      const message = `"${name}" on ${platform.value} cannot run the network plugin ${cni.value}`;
      yield diagnostic('topology/wrong-value', cni.at, message, {
        related,
        hint: 'correct `cni` or `platform`, or remove `cni`',
      });
    }
    const most = (largestPacket(platform.value) ?? Number.POSITIVE_INFINITY) - WIREGUARD_BYTES;
    if (gateway.mtuBytes.value > most) {
      const message = `the MTU ${gateway.mtuBytes.value} of "${name}" is too large for ${platform.value}, whose network carries at most ${most} bytes inside a tunnel`;
      yield diagnostic('topology/wrong-value', gateway.mtuBytes.at, message, {
        related,
        hint: `use at most ${most}, or remove \`mtu\``,
      });
    }
    const cloud =
      gateway.loadBalancerClass === null ? undefined : otherCloudOf(platform.value, gateway.loadBalancerClass);
    if (gateway.service === 'LoadBalancer' && cloud !== undefined) {
      const message = `"${name}" on ${platform.value} has the load balancer class "${gateway.loadBalancerClass}" of ${cloud}, so its gateways never get an address`;
      yield diagnostic('topology/wrong-value', platform.at, message, {
        hint: 'correct `loadBalancerClass` or `platform`',
      });
    }
    for (const key of Object.keys(gateway.serviceAnnotations)) {
      const other = otherCloudOf(platform.value, key);
      if (other === undefined) continue;
      const message = `"${name}" on ${platform.value} has the annotation "${key}" of ${other}, which has no effect there`;
      yield diagnostic('topology/unused-setting', platform.at, message, {
        about: [[name]],
        hint: 'remove it from `serviceAnnotations`, or correct `platform`',
      });
      break;
    }
  }
};

/** The platforms support all features of Liqo. One note for each platform that lacks some. */
export const platformsRunAllOfLiqo: TopologyRule = function* ({ clusters }) {
  const used = [...clusters].sort(by((it) => it.name)).filter((it) => it.platform !== null && !it.retired);
  for (const [platform, of] of groupBy(used, (it) => (it.platform ? [it.platform.value] : []))) {
    const at = of[0]?.platform?.at;
    const { limits } = platformFacts(platform);
    if (!at || limits.length === 0) continue;
    const message = `${describeClusters(of)} on ${platform}: ${limits.join(', and ')}`;
    yield diagnostic('topology/platform-limits', at, message, {
      about: of.map((it) => [it.name]),
      hint: 'plan workloads without it; Liqo documents it in its compatibility matrix',
    });
  }
};

/** The default subnet of AKS nodes. Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/aks/provider.go. */
const AKS_NODES = '10.224.0.0/16';

/** A separate subnet of nodes is reserved, which liqoctl does, too: otherwise the IPAM may remap a peer onto it. */
export const platformsReserveNodeSubnets: TopologyRule = function* ({ clusters }) {
  for (const { name, platform, reserved, retired } of clusters) {
    if (platform === null || retired || reserved.length > 0) continue;
    const { nodes, provider } = platformFacts(platform.value);
    if (nodes !== 'outside') continue;
    const message = `"${name}" on ${platform.value} reserves no networks, but liqoctl reserves the subnet of its nodes`;
    const usual = provider === 'aks' ? `, ${AKS_NODES} unless the cluster is in a network of yours` : '';
    yield diagnostic('topology/node-subnet-not-reserved', platform.at, message, {
      about: [[name]],
      hint: `list the subnet of the nodes in \`reserved\`${usual}`,
    });
  }
};

/** A cluster reserves its other routed networks: the IPAM may remap a peer onto a node subnet that is not listed. */
export const clustersReserveNetworks: TopologyRule = function* ({ clusters }) {
  for (const { name, at, platform, reserved, retired } of clusters) {
    // If the platform determines the nodes' subnet, another rule applies.
    const nodes = platform === null ? 'unknown' : platformFacts(platform.value).nodes;
    if (reserved.length > 0 || retired || nodes !== 'unknown') continue;
    yield diagnostic(
      'topology/nothing-reserved',
      at,
      `"${name}" reserves no networks, so a remap may overlap its node subnet`,
      { about: [[name]], hint: 'list its node subnets and other routed networks in `reserved`' },
    );
  }
};

/** Source: liqotech/liqo@v1.2.0 docs/installation/install.md (CNIs). */
const CNI_SETTINGS: Readonly<Partial<Record<Cni, { readonly what: string; readonly hint: string }>>> = {
  cilium: {
    what: 'Cilium taints virtual nodes and takes the interfaces of Liqo for its own unless its values exclude both',
    hint: 'set `devices`, and `affinity` with `liqo.io/type` `DoesNotExist`, in the values of Cilium, as in "weft explain topology/cni-settings"',
  },
  calico: {
    what: 'Calico with BGP may take an interface of Liqo for that of the node',
    hint: 'set `nodeAddressAutodetectionV4.skipInterface: liqo.*` in its Installation, as in "weft explain topology/cni-settings"',
  },
};

/** The network plugin ignores Liqo's interfaces and nodes. This is a setting of the plugin, which weft cannot read. */
export const cnisLeaveLiqoAlone: TopologyRule = function* ({ clusters }) {
  const used = [...clusters].sort(by((it) => it.name)).filter((it) => it.cni !== null && !it.retired);
  for (const [cni, of] of groupBy(used, (it) => (it.cni ? [it.cni.value] : []))) {
    const at = of[0]?.cni?.at;
    const settings = CNI_SETTINGS[cni];
    if (!at || !settings) continue;
    yield diagnostic('topology/cni-settings', at, `${describeClusters(of)}: ${settings.what}`, {
      about: of.map((it) => [it.name]),
      hint: settings.hint,
    });
  }
};

/** Packets of a pod reach peers with the pod's own address, unless nodes masquerade everything. */
export const sendersKeepTheirAddresses: TopologyRule = function* ({ clusters }) {
  const masked = [...clusters].sort(by((it) => it.name)).filter((it) => it.fabric.fullMasquerade && !it.retired);
  for (const [name, of] of groupBy(masked, (it) => [it.platform?.value === 'eks' ? 'eks' : (it.cni?.value ?? '')])) {
    const [first] = of;
    const at = name === 'eks' ? first?.platform?.at : first?.cni?.at;
    if (!at) continue;
    const message = `${describeClusters(of)} on ${name}: peers see all packets of a cluster with one source address`;
    yield diagnostic('topology/one-source-address', at, message, {
      about: of.map((it) => [it.name]),
      hint: 'select senders by cluster and not by pod in the policies of peers; `weft trace` shows the address',
    });
  }
};
