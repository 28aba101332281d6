import { groupBy } from '../../../base/core/collections.ts';
import { listOf, quoted, someOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { LIQO_PING, NODE_PORTS } from '../../../base/releases/gateways.ts';
import { servicesOfLinks } from '../expand-links.ts';
import { millisecondsOf, nanosecondsOf } from '../formats/durations.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Each gateway has one address: peers dial only the first, since the default gateway template of Liqo supports one. */
export const gatewaysHaveOneAddress: TopologyRule = function* ({ clusters }) {
  for (const { name, gateway } of clusters) {
    const [, second] = gateway.addresses;
    if (!second) continue;
    yield diagnostic(
      'topology/several-addresses',
      second.at,
      `peers of "${name}" dial only its first gateway address`,
      {
        about: [[name]],
        hint: 'use a DNS name or a virtual address that fails over; the default gateway template supports one address',
      },
    );
  }
};

/** The address of a gateway is no cluster and no word like `auto`: a name in DNS that all clusters resolve has a dot. */
export const gatewayAddressesNameNoCluster: TopologyRule = function* ({ clusters, names }) {
  const known = new Set(names.map((it) => it.value));
  for (const { name, gateway, retired } of clusters) {
    const [address] = gateway.addresses;
    if (retired || !address || address.value.includes('.')) continue;
    const what = known.has(address.value)
      ? 'the name of a cluster'
      : 'a name without a dot, which peers cannot resolve';
    const message = `the gateway address of "${name}" is "${address.value}", ${what}`;
    yield diagnostic('topology/unusual-value', address.at, message, {
      about: [[name]],
      hint: 'write an IP address or a DNS name at which peers find the gateway',
    });
  }
};

/** A node belongs to one cluster, so two clusters with node ports have different addresses. */
export const nodesBelongToOneCluster: TopologyRule = function* ({ clusters }) {
  const nodes = clusters.flatMap(({ name, gateway, retired }) => {
    const [address] = gateway.addresses;
    const isNode = gateway.service === 'NodePort' && gateway.server !== 'never' && gateway.dial.address === null;
    return retired || !address || !isNode ? [] : [{ name, address }];
  });
  for (const [value, [first, second, ...others]] of groupBy(nodes, (it) => [it.address.value])) {
    if (!first || !second) continue;
    const names = [first, second, ...others].map((it) => it.name);
    const shown = names.length === 2 ? listOf(names.map(quoted)) : someOf(names.map(quoted), 3);
    yield diagnostic(
      'topology/unusual-value',
      second.address.at,
      `${shown} have node ports at one address, ${value}, but a node belongs to one cluster`,
      {
        about: names.slice(1).map((name) => [name]),
        hint: 'write an address of a node of each, or accept this if something in front forwards the ports to each',
        related: [{ message: `the address of "${first.name}"`, span: first.address.at }],
      },
    );
  }
};

/**
 * Peers dial an address that stays. Nodes of EKS come and go with their addresses, which are private by default, so a node
 * port needs something in front of it.
 */
export const gatewaysOnEksCanBeDialled: TopologyRule = function* ({ clusters }) {
  for (const { name, platform, gateway, retired } of clusters) {
    const [address] = gateway.addresses;
    const isNodePort = gateway.service === 'NodePort' && gateway.server !== 'never';
    if (platform?.value !== 'eks' || retired || !isNodePort || !address || gateway.dial.address !== null) continue;
    const message = `peers of "${name}" would dial a node port at ${address.value}, but nodes of EKS are replaced with their addresses`;
    yield diagnostic('topology/node-port-on-eks', address.at, message, {
      related: [{ message: 'the platform', span: platform.at }],
      hint: 'remove `service`, for a load balancer, or set `dial.address` to what forwards to the node port',
    });
  }
};

/** Ports below this one belong to services of the node itself. */
const FIRST_FREE_PORT = 1024;

/** Node ports lie in the range of an API server without flags. Another range works only with the flag. */
export const nodePortsNeedNoFlag: TopologyRule = function* ({ clusters, peerings, shortcuts }) {
  const ofLinks = servicesOfLinks([...peerings, ...shortcuts]);
  for (const { name, gateway, retired } of clusters) {
    const { first, last, at, isUnread } = gateway.nodePorts;
    const hasNodePorts = gateway.service === 'NodePort' || ofLinks.get(name)?.has('NodePort') === true;
    if (retired || isUnread || !hasNodePorts) continue;
    if (first >= NODE_PORTS.first && last <= NODE_PORTS.last) continue;
    const usual = `${NODE_PORTS.first}-${NODE_PORTS.last}`;
    const low = first < FIRST_FREE_PORT ? ', and ports below 1024 belong to services of the nodes' : '';
    const message = `nodePorts ${first === last ? first : `${first}-${last}`} of "${name}" are not inside ${usual}, the range of an API server without flags${low}`;
    yield diagnostic('topology/node-port-range', at, message, {
      about: [[name]],
      hint: `choose ports inside ${usual}, or check that the API server of "${name}" runs with \`--service-node-port-range\``,
    });
  }
};

/**
 * A gateway that does not check its tunnel reports it as connected whatever happens, so no alert can say that it is down.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/connection (`--ping-enabled`).
 */
export const alertsNeedThePing: TopologyRule = function* ({ clusters }) {
  for (const { name, gateway, monitoring, retired } of clusters) {
    if (retired || monitoring === null || gateway.ping?.enabled !== false) continue;
    const message = `no alert of "${name}" says that a tunnel is down or slow, because its gateways do not check their tunnels`;
    yield diagnostic('topology/alerts-without-ping', monitoring.at, message, {
      about: [[name]],
      hint: 'remove `ping: false`, or rely on the alerts of the peers',
    });
  }
};

const HOUR = 3_600_000;

/** A check or an alert that waits longer than this comes too late. */
const LONGEST_PING = HOUR;
const LONGEST_ALERT = 24 * HOUR;

/** Lost tunnels are noticed. A tunnel is lost after so many pings without an answer, and a lost one has no latency. */
export const lostTunnelsAreNoticed: TopologyRule = function* ({ clusters }) {
  for (const { name, at, gateway, monitoring, retired } of clusters) {
    if (retired) continue;
    const { enabled, lossThreshold, interval } = gateway.ping ?? LIQO_PING;
    const lostAfter = (lossThreshold * (nanosecondsOf(interval) ?? 0)) / 1e6;
    const unusual = (message: string, hint: string) =>
      diagnostic('topology/unusual-value', monitoring?.at ?? at, message, { about: [[name]], hint });
    if (enabled && lostAfter > LONGEST_PING) {
      const message = `the gateways of "${name}" notice a lost tunnel after ${lossThreshold} pings, one each ${interval}, which is more than an hour`;
      yield unusual(message, 'lower `ping.lossThreshold` or `ping.interval`');
    }
    if (monitoring === null) continue;
    for (const key of ['downFor', 'latencyFor'] as const) {
      if ((millisecondsOf(monitoring[key]) ?? 0) <= LONGEST_ALERT) continue;
      const message = `the alert with \`${key}\` of "${name}" comes after ${monitoring[key]}`;
      yield unusual(message, 'write at most 1d');
    }
    if (!enabled || lostAfter === 0 || monitoring.latencyAboveMilliseconds < lostAfter) continue;
    const message = `no tunnel of "${name}" has the latency of \`latencyAbove\`: it counts as lost before`;
    yield unusual(message, 'write a shorter time, like "500ms"');
  }
};
