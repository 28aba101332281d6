import { someOf } from '../../../base/core/words.ts';
import type { ObservedCluster } from '../../observed/observed-cluster.ts';
import type { Finding } from '../finding.ts';
import type { LiveLink } from '../live-link.ts';
import { toldNetworks } from '../told-networks.ts';
import { usableOwn } from '../usable-own.ts';

/** A cluster of which no Network shows what a topology needs, or what its peers see. */
export function* withoutNetworks({ cluster, own }: ObservedCluster, links: readonly LiveLink[]): Iterable<Finding> {
  const missing = (['pod', 'service', 'external'] as const).filter((it) => usableOwn(it, own[it]).length === 0);
  if (missing.length === 0) return;
  const told = toldNetworks(cluster, links);
  const hint = `dump the Networks of all namespaces of "${cluster}": kubectl get networks.ipam.liqo.io -A`;
  if (missing.includes('pod') && told === null) {
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
    ...(fromPeers.length === 0 ? [] : [told === null ? "Liqo's own external CIDR" : whatPeersHave(told.peers)]),
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
