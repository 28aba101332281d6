import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { DEFAULT_TUNNEL_PORT, LIQO_PING, NODE_PORTS, type Ping } from '../../base/releases/gateways.ts';
import { DEFAULT_MTU_BYTES } from '../../base/releases/install-defaults.ts';
import type { GatewaySpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located, Span } from '../../base/source/source.ts';
import { checkDialAddress, checkLoadBalancerIP, checkMtu, checkPort } from './check-gateway.ts';
import type { Gateway, PortRange, ServiceType } from './declaration.ts';
import type { Report } from './report.ts';

/** Enough Service ports for the links of a busy hub, from Liqo's default upwards. */
export const SERVICE_PORTS = { first: DEFAULT_TUNNEL_PORT, last: DEFAULT_TUNNEL_PORT + 999 } as const;

/** The default settings of a gateway. */
export const GATEWAY_DEFAULTS = {
  service: 'NodePort',
  ports: `${SERVICE_PORTS.first}-${SERVICE_PORTS.last}`,
  nodePorts: `${NODE_PORTS.first}-${NODE_PORTS.last}`,
  mtu: DEFAULT_MTU_BYTES,
  replicas: 1,
  externalTrafficPolicy: 'Cluster',
  ping: true,
} as const satisfies GatewaySpec;

/** The defaults of a platform. */
interface GatewayDefaults {
  readonly service: ServiceType;
  /** Annotations of load balancers; the topology's replace those with the same key. */
  readonly loadBalancerAnnotations: Readonly<Record<string, string>>;
}

const ANYWHERE: GatewayDefaults = { service: GATEWAY_DEFAULTS.service, loadBalancerAnnotations: {} };

/** The settings of a cluster's gateways. `name` is the cluster's, for messages. */
export function readGateway(
  gateway: Reading<GatewaySpec>,
  name: string,
  report: Report,
  defaults: GatewayDefaults = ANYWHERE,
): Gateway {
  const service = gateway.at('service').orDefault(defaults.service).value;
  const short = gateway.scalar();
  const addresses = short ? [short] : (gateway.at('addresses').texts() ?? []);
  const dialAddress = gateway.at('dial').at('address').scalar() ?? null;
  const dialPort = gateway.at('dial').at('port').scalar() ?? null;
  const loadBalancerIP = gateway.at('loadBalancerIP').scalar();
  if (loadBalancerIP) {
    checkLoadBalancerIP(loadBalancerIP, `loadBalancerIP of "${name}"`, report, '`addresses` or `dial.address`');
  }
  if (dialAddress) checkDialAddress(dialAddress, `dial address of "${name}"`, report);
  if (dialPort) checkPort(dialPort, `dial port of "${name}"`, report);
  const listenPort = gateway.at('listenPort').scalar();
  if (listenPort) checkPort(listenPort, `listenPort of "${name}"`, report);
  return {
    addresses: addresses.filter((it) => checkDialAddress(it, `gateway address of "${name}"`, report)),
    service,
    ports: readPortRange(gateway.at('ports').orDefault(GATEWAY_DEFAULTS.ports), `ports of "${name}"`, report),
    nodePorts: readPortRange(
      gateway.at('nodePorts').orDefault(GATEWAY_DEFAULTS.nodePorts),
      `nodePorts of "${name}"`,
      report,
    ),
    loadBalancerIP: loadBalancerIP?.value ?? null,
    loadBalancerClass: gateway.at('loadBalancerClass').scalar()?.value ?? null,
    externalTrafficPolicy: gateway.at('externalTrafficPolicy').orDefault(GATEWAY_DEFAULTS.externalTrafficPolicy),
    allocatesNodePorts: gateway.at('allocateLoadBalancerNodePorts').orDefault(true).value,
    mtuBytes: checkMtu(gateway.at('mtu').orDefault(GATEWAY_DEFAULTS.mtu), `mtu of "${name}"`, report),
    replicas: gateway.at('replicas').orDefault(GATEWAY_DEFAULTS.replicas).value,
    nodeSelector: gateway.at('nodeSelector').textMap(),
    tolerations: gateway.at('tolerations').plain() ?? [],
    serviceAnnotations: gateway.at('serviceAnnotations').textMap(),
    loadBalancerAnnotations: defaults.loadBalancerAnnotations,
    dial: { address: dialAddress, port: dialPort },
    server: gateway.at('server').scalar()?.value ?? 'auto',
    listenPort: listenPort?.value ?? null,
    ping: readPing(gateway.at('ping')),
  };
}

type PingSpec = NonNullable<Exclude<GatewaySpec, string>['ping']>;

function readPing(written: Reading<PingSpec>): Ping | null {
  if (!written.isPresent) return null;
  const ping: Ping = {
    enabled: (written.scalar() ?? written.at('enabled').orDefault(LIQO_PING.enabled)).value,
    lossThreshold: written.at('lossThreshold').orDefault(LIQO_PING.lossThreshold).value,
    interval: written.at('interval').orDefault(LIQO_PING.interval).value,
    updateStatusInterval: written.at('updateStatusInterval').orDefault(LIQO_PING.updateStatusInterval).value,
  };
  // Settings that equal Liqo's defaults change nothing, so no template is written for them.
  return JSON.stringify(ping) === JSON.stringify(LIQO_PING) ? null : ping;
}

/** `51840-52839`, or one port. Any other text is reported, and becomes a placeholder. */
function readPortRange(text: Located<string | number>, what: string, report: Report): PortRange {
  const match = /^(\d{1,5})(?:\s*-\s*(\d{1,5}))?$/.exec(String(text.value));
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (match && first >= 1 && last <= 65535 && first <= last) return { first, last, at: text.at };
  report(
    diagnostic('topology/bad-range', text.at, `${what} is not a range of ports: "${text.value}"`, {
      hint:
        match && first > last
          ? `write the smaller port first: "${last}-${first}"`
          : 'write a range like "30000-32767", from 1 to 65535',
    }),
  );
  return unreadRange(text.at);
}

/** The placeholder for a range that was reported; nothing is compiled from it. */
const unreadRange = (at: Span): PortRange => ({ first: 1, last: 65535, at, isUnread: true });
