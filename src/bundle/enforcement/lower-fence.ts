import { by } from '../../base/core/collections.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { prefixOf, printAddress, printPrefix } from '../../base/net/text.ts';
import { TUNNEL_INTERFACE, TUNNEL_NETWORK } from '../../base/releases/gateways.ts';
import { FIREWALL_LABELS, NETWORKING_API, REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import {
  type BoundedModel,
  boundaryTowards,
  type Opening,
  openingsBetween,
  type PortSpan,
  portsText,
} from '../../fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, ownEnd, type Peer } from '../../fleet/ipam/addressed-model.ts';
import { cidrInName, type Field, type Manifest } from '../liqo/manifest.ts';
import { ANY, type Chain, type NftRule, type Ruleset } from '../nftables/ruleset.ts';

/*
 * The fence of a gateway: it refuses new connections from the peer that no opening lists. Chains of type nat see only the first
 * packet of a connection, and after a rule of one chain has applied, those behind it at the same hook are skipped. So the
 * first chain translates the destination of what may enter to itself, and the second one that of all else to an address
 * that the kernel drops. The order of the rules in the first chain means nothing, and the second never changes: so no edit
 * has a moment in which more may enter. Source: liqotech/liqo@v1.2.0 pkg/firewall/{chain,rule}.go, which appends rules and
 * makes a chain again whose header changes.
 *
 * Connections to the external CIDR pass: its single addresses are mapped at run time, to the API server of an offloaded
 * pod, or to pods behind a hub, at which the next gateway has a fence of its own.
 */

/** Before Liqo's own translation of destinations, which has priority -100. */
const ALLOW_PRIORITY = -120;
export const DENY_PRIORITY = -110;

/** The kernel drops packets from outside to this address. */
const NOWHERE = prefixOf('127.0.0.1/32').base;

/** The name of the object and of its table, which differs from those of Liqo and of all other links of the cluster. */
const fenceName = (peer: Peer): string => `${FENCE_PREFIX}${peer.name}`;

/** The beginning of the names of all fences and of their tables. */
export const FENCE_PREFIX = 'weft-fence-';

/** The fence of a cluster towards a peer as a ruleset; `null` without a fence. An open link with the key has an empty one. */
export function lowerFenceRuleset(
  cluster: AddressedCluster,
  peer: Peer,
  model: Pick<BoundedModel, 'boundaries'>,
): Ruleset | null {
  if (!cluster.traits.hasFences || boundaryTowards(peer, cluster) === null) return null;
  const openings = openingsBetween(model, peer.name, cluster.name);
  const chains = openings === undefined ? [] : [allowChain(openings), denyChain(cluster)];
  return { tables: [{ family: 'ip', name: fenceName(peer), chains }] };
}

function allowChain(openings: readonly Opening[]): Chain {
  const check = { source: null, destination: prefixOf(TUNNEL_NETWORK), protocol: null, ports: null };
  const rules = [check, ...openings.flatMap(matchesOf)].map(allowRule);
  const distinct = new Map(rules.map((it) => [it.name, it]));
  return chain('allow', ALLOW_PRIORITY, [...distinct.values()].sort(by((it) => it.name)));
}

const denyChain = ({ externalCIDR }: AddressedCluster): Chain =>
  chain('deny', DENY_PRIORITY, [
    {
      kind: 'dnat-address',
      name: 'deny',
      match: { ...ANY, iifname: TUNNEL_INTERFACE, daddrNot: [externalCIDR] },
      to: NOWHERE,
      origin: null,
    },
  ]);

const chain = (name: string, priority: number, rules: readonly NftRule[]): Chain => ({
  ...{ name, priority, rules, type: 'nat', hook: 'prerouting', policy: 'accept' },
});

interface FenceMatch {
  /** `null` for any source. */
  readonly source: Prefix | null;
  readonly destination: Prefix;
  readonly protocol: 'tcp' | 'udp' | null;
  readonly ports: PortSpan | null;
}

/** One match for each combination: a rule has one source, one destination and one range of ports. */
function matchesOf({ sources, destinations, protocol, ports }: Opening): readonly FenceMatch[] {
  const name = protocol === null ? null : protocol === 'UDP' ? 'udp' : 'tcp';
  const spans = ports.length === 0 ? [null] : ports;
  return sources.flatMap((source) =>
    destinations.flatMap((destination) => spans.map((span) => ({ source, destination, protocol: name, ports: span }))),
  );
}

/** Its name is its content, because Liqo compares rules by name, and moves one that changes to the end of the chain. */
const allowRule = ({ source, destination, protocol, ports }: FenceMatch): NftRule => ({
  kind: 'dnat-prefix',
  name: [
    ...(source === null ? ['any'] : [cidrInName(source)]),
    ...['to', cidrInName(destination)],
    ...(protocol === null ? [] : [protocol]),
    ...(ports === null ? [] : ports.first === ports.last ? [ports.first] : [ports.first, ports.last]),
  ].join('-'),
  match: { ...ANY, iifname: TUNNEL_INTERFACE, saddr: source, daddr: destination, protocol, dport: ports },
  to: destination,
  origin: null,
});

/** The fence as the object that the gateways towards the peer load; `undefined` without a fence. */
export function lowerFence(
  cluster: AddressedCluster,
  peer: Peer,
  model: Pick<BoundedModel, 'boundaries'>,
): Manifest | undefined {
  const [table] = lowerFenceRuleset(cluster, peer, model)?.tables ?? [];
  if (table === undefined) return undefined;
  return {
    apiVersion: NETWORKING_API,
    kind: 'FirewallConfiguration',
    metadata: {
      name: table.name,
      namespace: ownEnd(peer).names.namespace,
      labels: {
        [REMOTE_CLUSTER_LABEL]: peer.name,
        [FIREWALL_LABELS.category]: 'gateway',
        [FIREWALL_LABELS.unique]: peer.name,
      },
    },
    spec: { table: { chains: table.chains.map(chainField), family: 'IPV4', name: table.name } },
  };
}

const chainField = ({ name, type, hook, policy, priority, rules }: Chain): Field => ({
  ...{ hook, name, policy, priority },
  rules: { natRules: rules.map(ruleField) },
  type,
});

const ruleField = ({ name, match, to }: NftRule): Field => ({
  match: [
    ...(match.iifname === null ? [] : [{ dev: { position: 'in', value: match.iifname }, op: 'eq' }]),
    ...(match.saddr === null ? [] : [{ ip: { position: 'src', value: printPrefix(match.saddr) }, op: 'eq' }]),
    ...(match.daddr === null ? [] : [{ ip: { position: 'dst', value: printPrefix(match.daddr) }, op: 'eq' }]),
    ...match.daddrNot.map((it) => ({ ip: { position: 'dst', value: printPrefix(it) }, op: 'neq' })),
    ...(match.protocol === null ? [] : [{ op: 'eq', proto: { value: match.protocol } }]),
    ...(match.dport === null ? [] : [{ op: 'eq', port: { position: 'dst', value: portsText(match.dport) } }]),
  ],
  name,
  natType: 'dnat',
  to: typeof to === 'number' ? printAddress(to) : printPrefix(to),
});
