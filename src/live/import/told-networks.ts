import type { CidrLists } from '../observed/observed-cluster.ts';
import type { LiveLink } from './live-link.ts';
import { mostCommon } from './most-common.ts';
import { isUsableAs } from './usable-own.ts';

interface ToldNetworks {
  readonly networks: CidrLists;
  /** The peers that have them, in order of name. */
  readonly peers: readonly string[];
}

/** The pod and external CIDR that most peers have of a cluster, in Configurations; `null` where none has both. */
export function toldNetworks(cluster: string, links: readonly LiveLink[]): ToldNetworks | null {
  const told = links.flatMap(({ ends }) =>
    ends.flatMap(({ remote, configuration, cluster: peer }) =>
      remote === cluster && configuration !== null && isWhole(configuration.remote)
        ? [{ peer, networks: configuration.remote }]
        : [],
    ),
  );
  const networks = mostCommon(told.map((it) => it.networks))?.value;
  if (networks === undefined) return null;
  const found = JSON.stringify(networks);
  return { networks, peers: told.filter((it) => JSON.stringify(it.networks) === found).map((it) => it.peer) };
}

const isWhole = ({ pod, external }: CidrLists): boolean =>
  pod.length > 0 &&
  external.length > 0 &&
  pod.every((it) => isUsableAs('pod', it)) &&
  external.every((it) => isUsableAs('external', it));
