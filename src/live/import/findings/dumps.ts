import { groupBy } from '../../../base/core/collections.ts';
import { countOf, someOf } from '../../../base/core/words.ts';
import { DEFAULT_POOLS } from '../../../base/releases/install-defaults.ts';
import type { ObservedCluster } from '../../facts/cluster.ts';
import type { LiveLink } from '../../facts/links.ts';
import { usableOwn } from '../../facts/networks.ts';
import { dumpText, type FindingRule, IMPORT_AGAIN, type ImportFinding } from '../finding.ts';
import { supportedRelease } from '../infer-installation.ts';
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
