import { groupBy } from '../../../base/core/collections.ts';
import { countOf, someOf } from '../../../base/core/words.ts';
import { isIPv6 } from '../../../base/net/text.ts';
import { DEFAULT_POOLS } from '../../../base/releases/install-defaults.ts';
import type { ObservedCluster, OwnRole } from '../../facts/cluster.ts';
import type { LiveLink } from '../../facts/links.ts';
import { isUsableAs, ownCidrs, usableOwn } from '../../facts/networks.ts';
import { gatewayKind, type ObservedGateway } from '../../facts/peer.ts';
import { limitProblems } from '../../problems/limit-problems.ts';
import {
  cidrText,
  dumpText,
  endsOf,
  type FindingRule,
  IMPORT_AGAIN,
  type ImportFinding,
  objectText,
} from '../finding.ts';
import { otherConnections, supportedRelease } from '../infer-installation.ts';
import { announcedNetworks } from '../infer-networks.ts';

/** Every cluster has a dump with its networks, release and pools. */
export const dumpsAreComplete: FindingRule = function* (live) {
  const { clusters, names, links } = live;
  const byCluster = groupBy(links, (it) => it.ends.map((end) => end.cluster));
  for (const id of names.filter((it) => !clusters.has(it))) {
    const peers = (byCluster.get(id) ?? []).map(({ ends: [a, b] }) => (a.cluster === id ? b.cluster : a.cluster));
    yield {
      code: 'import/no-dump',
      cluster: id,
      message: `there is no dump of "${id}": its pod and external CIDR, its keys and its address are what ${someOf(
        peers.map((it) => `"${it}"`),
        3,
      )} has of it, and its service CIDR is assumed`,
      hint: `dump "${id}" as well and ${IMPORT_AGAIN}, or correct its \`serviceCIDR\``,
    };
  }
  for (const observed of clusters.values()) {
    const { cluster, release, peers } = observed;
    yield* withoutNetworks(observed, byCluster.get(cluster) ?? []);
    yield* notDumped(observed);
    if (peers.has(cluster)) {
      yield {
        code: 'import/own-peer',
        cluster,
        message: `"${cluster}" has objects for a remote cluster "${cluster}", which is its own ID`,
        hint: 'if the cluster has its name from the name of a file, check whether that is right, or dump the ConfigMap with the cluster ID as well; otherwise two clusters were installed with one ID, and the topology leaves out what is left of this peering',
      };
    }
    const found = supportedRelease(observed);
    if (found.from === 'live') continue;
    yield {
      code: found.from === 'guessed' ? 'import/release-unknown' : 'import/unsupported-release',
      cluster,
      message:
        found.from === 'guessed'
          ? `no object of "${cluster}" shows its release of Liqo; its objects look like ${found.release.line}`
          : `"${cluster}" runs Liqo ${dumpText(release ?? '')}, which weft does not support; the topology has ${found.release.line}`,
      hint:
        found.from === 'guessed'
          ? 'set `liqo.version` in the topology, or dump the Deployments of the namespace of Liqo as well'
          : 'change to a release that weft supports, or expect addresses that this release gives otherwise',
    };
  }
  const withoutPools = [...clusters.values()].filter((it) => it.pools === null && it.own.pod.length > 0);
  const [first] = withoutPools;
  if (first === undefined) return;
  yield {
    code: 'import/pools-unknown',
    cluster: first.cluster,
    message: `the IPAM pools of ${countOf(withoutPools.length, 'cluster')} are not in the dumps (${someOf(
      withoutPools.map((it) => `"${it.cluster}"`),
      3,
    )}); the topology has Liqo's own: ${DEFAULT_POOLS.join(', ')}`,
    hint: 'dump the Deployment liqo-ipam as well, or set `ipam.pools` if Liqo was installed with others',
  };
};

/** Views are in Configurations: if these were not dumped, weft would decide all views again. */
function* notDumped({ cluster, peers, listed }: ObservedCluster): ReturnType<FindingRule> {
  const all = [...peers.values()];
  if (listed.has('Configuration.networking.liqo.io') || all.every((it) => it.gateways.length === 0)) return;
  yield {
    code: 'import/not-dumped',
    cluster,
    message: `the dumps of "${cluster}" have no Configuration for any peer, so how "${cluster}" sees its peers is not known`,
    hint: `dump them from all namespaces: kubectl get configurations.networking.liqo.io -A -o json; if there is none, leave out "${cluster}"`,
  };
}

/** Reports a cluster without a usable Network in a role that the topology, or a view of its peers, needs. */
function* withoutNetworks({ cluster, own }: ObservedCluster, links: readonly LiveLink[]): Iterable<ImportFinding> {
  const missing = (['pod', 'service', 'external'] as const).filter((it) => usableOwn(it, own[it]).length === 0);
  if (missing.length === 0) return;
  const known = announcedNetworks(cluster, links);
  const hint = `dump the Networks of all namespaces of "${cluster}": kubectl get networks.ipam.liqo.io -A`;
  if (missing.includes('pod') && known === null) {
    yield {
      code: 'import/no-networks',
      cluster,
      message: `the dumps of "${cluster}" have no usable Network of its own pods, which Liqo 1.0 and later has in its namespace, and no dump of a peer shows its networks`,
      hint,
    };
    return;
  }
  const fromPeers = missing.filter((it) => it !== 'service');
  const sources = [
    ...(fromPeers.length === 0 ? [] : [known === null ? "Liqo's own external CIDR" : whatPeersHave(known.peers)]),
    ...(missing.includes('service') ? ['an assumed service CIDR'] : []),
  ];
  yield {
    code: 'import/networks-inferred',
    cluster,
    message: `the dumps of "${cluster}" have no usable Network for its ${missing.join(', ')} CIDR; the topology has ${sources.join(' and ')}`,
    hint: `${hint}; or correct it in the topology`,
  };
}

const whatPeersHave = (peers: readonly string[]): string =>
  `what the Configurations of ${someOf(
    peers.map((it) => `"${it}"`),
    3,
  )} have of it`;

/** The live state can be expressed in a topology. */
export const topologyCanSayIt: FindingRule = function* (live) {
  for (const observed of live.clusters.values()) {
    yield* unusableNetworks(observed);
    yield* connections(observed);
  }
  for (const { cluster, gateway } of endsOf(live)) if (gateway !== null) yield* settings(cluster, gateway);
};

function* unusableNetworks({ cluster, own }: ObservedCluster): Iterable<ImportFinding> {
  const unusable = Object.entries(own).flatMap(([role, networks]) =>
    networks.filter((it) => !isUsableAs(role as OwnRole, it.asked)),
  );
  for (const { name, asked } of unusable) {
    const why = isIPv6(asked) ? 'IPv6, which Liqo does not connect' : 'no network that Liqo can use';
    const has = asked === '' ? 'has no CIDR in its spec' : `is ${cidrText([asked])}: ${why}`;
    yield notExpressible(cluster, `Network "${dumpText(name)}" of "${cluster}" ${has}`);
  }
  const [pod, ...others] = own.pod;
  // If the chart's `podCIDRs` is a list, the Network of a single CIDR has another name.
  if (pod === undefined || others.length > 0 || pod.name === 'pod-cidr') return;
  yield notExpressible(
    cluster,
    `the Network of the pod CIDR of "${cluster}" is called "${dumpText(pod.name)}", and weft expects "pod-cidr"`,
  );
}

function* connections(observed: ObservedCluster): Iterable<ImportFinding> {
  for (const it of otherConnections(observed)) {
    yield {
      code: 'import/shortcut-connection',
      cluster: observed.cluster,
      message: `${objectText('ForeignClusterConnection', it)} of "${observed.cluster}" connects "${dumpText(it.client)}" and "${dumpText(it.server)}" under a name that weft does not give`,
      hint: 'keep it: when it is deleted, the operator disconnects the two; the topology has the shortcut without `shortcutOperator`',
    };
  }
}

function* settings(cluster: string, gateway: ObservedGateway): Iterable<ImportFinding> {
  const of = `${objectText(gatewayKind(gateway.role), gateway)} of "${cluster}"`;
  const { service } = gateway;
  if (gateway.template === null)
    yield notExpressible(cluster, `${of} has no template of Liqo's own kinds, and the topology has that of the chart`);
  if (service !== null && Object.keys(service.labels).length > 0)
    yield notExpressible(cluster, `${of} has labels for its Service, which applying the bundle removes`);
  if (service !== null && !['NodePort', 'LoadBalancer', 'ClusterIP'].includes(service.type))
    yield notExpressible(cluster, `${of} has a Service of type ${dumpText(service.type)}`);
  if ((gateway.dials?.addresses.length ?? 0) > 1)
    yield notExpressible(cluster, `${of} lists ${gateway.dials?.addresses.length} addresses, and Liqo dials the first`);
}

const notExpressible = (cluster: string, message: string): ImportFinding => ({
  code: 'import/not-expressible',
  cluster,
  message,
  hint: 'read what would change below, and decide before the bundle is applied',
});

/** No object is applied by another tool, because two tools would then change it. */
export const othersKeepNoObject: FindingRule = function* ({ clusters }) {
  for (const { cluster, kept } of clusters.values()) {
    for (const objects of groupBy(kept, (it) => [`${it.tool} ${it.group ?? ''}`]).values()) {
      const [first] = objects;
      if (first === undefined) continue;
      const group = first.group === null ? '' : ` "${dumpText(first.group)}"`;
      const which = `${countOf(objects.length, 'object')} of "${cluster}", for instance ${objectText(first.kind, first)}`;
      yield {
        cluster,
        ...(isGitOps(first.tool) ? ofGitOps(first.tool, group, which) : ofOther(first.tool, group, which)),
      };
    }
  }
};

/** Objects that neither Liqo nor weft made leave open what crosses links. */
export const othersLimitNothing: FindingRule = function* ({ clusters }) {
  const fleet = new Map(
    [...clusters].map(([name, it]) => [name, { pod: ownCidrs(it, 'pod'), external: ownCidrs(it, 'external') }]),
  );
  for (const it of clusters.values())
    for (const { code, message, hint } of limitProblems(it, () => fleet))
      yield { code, cluster: it.cluster, message, hint };
};

const isGitOps = (tool: string): boolean => tool === 'Argo CD' || tool === 'Flux';

type Texts = Omit<ImportFinding, 'cluster'>;

const ofGitOps = (tool: string, group: string, which: string): Texts => ({
  code: 'import/kept-by-gitops',
  message: `${tool}${group} applies ${which}`,
  hint: `turn pruning of ${tool}${group} off before these objects leave it, so that they are not deleted when the bundle takes them over`,
});

const ofOther = (tool: string, group: string, which: string): Texts => ({
  code: 'import/kept-by-another-tool',
  message: `${dumpText(tool)}${group} keeps ${which}`,
  hint: 'take these objects out of it before the bundle is applied: two tools would change them in turn',
});
