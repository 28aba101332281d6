import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { containsAddress } from '../../base/net/prefix.ts';
import { isIPv6, readAddress } from '../../base/net/text.ts';
import { DEFAULT_TUNNEL_PORT, LIQO_PING, NODE_PORTS, type Ping } from '../../base/releases/gateways.ts';
import { DEFAULT_MTU_BYTES } from '../../base/releases/install-defaults.ts';
import type { GatewaySpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located, Span } from '../../base/source/source.ts';
import type { Gateway, PortRange, ServiceType } from './declaration.ts';
import { UNUSABLE_NETWORKS } from './read-cidr.ts';
import { checkRenderedString, type Report } from './report.ts';

/** Enough Service ports for the links of a busy hub, from Liqo's default upwards. */
export const SERVICE_PORTS = { first: DEFAULT_TUNNEL_PORT, last: DEFAULT_TUNNEL_PORT + 999 } as const;

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
export function readPortRange(text: Located<string | number>, what: string, report: Report): PortRange {
  const match = /^(\d{1,5})(?:\s*-\s*(\d{1,5}))?$/.exec(String(text.value));
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  const [, from, to] = /^(\d{1,5})\s*(?:[:,/;]|\.\.+|to)\s*(\d{1,5})$/.exec(String(text.value)) ?? [];
  const general = from === undefined ? 'write a range like "30000-32767", from 1 to 65535' : `write "${from}-${to}"`;
  if (match && first >= 1 && last <= 65535 && first <= last) return { first, last, at: text.at };
  report(
    diagnostic('topology/bad-range', text.at, `${what} is not a range of ports: "${text.value}"`, {
      hint: match && first > last ? `write the smaller port first: "${last}-${first}"` : general,
    }),
  );
  return unreadRange(text.at);
}

/** The placeholder for a range that was reported; nothing is compiled from it. */
const unreadRange = (at: Span): PortRange => ({ first: 1, last: 65535, at, isUnread: true });

/** Keys that Kubernetes accepts only for some types of Service. Weft does not write them for the others. */
type ServiceKey =
  | 'loadBalancerIP'
  | 'loadBalancerClass'
  | 'allocateLoadBalancerNodePorts'
  | 'externalTrafficPolicy'
  | 'nodePorts';

interface Services {
  /** The type when the gateway sets none. */
  readonly otherwise: ServiceType;
  /** The types that links set. */
  readonly ofLinks: ReadonlySet<ServiceType>;
}

/** Reports settings of a gateway that Liqo would misread, or that have no effect. */
export function checkGatewaySettings(
  cluster: string,
  gateway: Reading<GatewaySpec>,
  { otherwise, ofLinks }: Services,
  report: Report,
): void {
  const service = gateway.at('service').orDefault(otherwise).value;
  const without = (key: ServiceKey, needed: ServiceType, ...others: readonly ServiceType[]): void => {
    const setting = gateway.at(key);
    if (!setting.isPresent || [needed, ...others].some((it) => it === service || ofLinks.has(it))) return;
    report(
      diagnostic(
        'topology/unused-setting',
        setting.keySpan,
        `\`${key}\` of "${cluster}" has no effect on a ${service} service`,
        {
          hint: `set \`service: ${needed}\`, or remove \`${key}\``,
        },
      ),
    );
  };
  without('loadBalancerIP', 'LoadBalancer');
  without('loadBalancerClass', 'LoadBalancer');
  without('allocateLoadBalancerNodePorts', 'LoadBalancer');
  without('externalTrafficPolicy', 'LoadBalancer', 'NodePort');
  without('nodePorts', 'NodePort');
  checkRenderedStrings(cluster, gateway, report);
}

/** Strings outside labels and annotations that Liqo renders into the Deployment or the Service of a gateway. */
function checkRenderedStrings(cluster: string, gateway: Reading<GatewaySpec>, report: Report): void {
  const what = `the gateway of "${cluster}"`;
  const lbClass = gateway.at('loadBalancerClass').scalar();
  checkRenderedString(lbClass, what, 'use a class whose name is not a number', report);
  for (const { value } of gateway.at('nodeSelector').scalars()) {
    checkRenderedString(value, what, 'use a label whose value is not a number', report);
  }
  for (const it of gateway.at('tolerations').items()) {
    checkRenderedString(it.at('key').scalar(), what, 'use a taint whose key is not a number', report);
    checkRenderedString(it.at('value').scalar(), what, 'use a taint whose value is not a number', report);
  }
}

const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;

/** No name ends in a number (RFC 3696, section 2); some resolvers read it as an address. */
const NUMBER_AT_THE_END = /(^|\.)(\d+|0x[0-9a-f]*)$/;

/** Names that every host resolves to itself. Source: RFC 6761, section 6.3, and the names that distributions add. */
const LOCAL_NAME = /^((.*\.)?localhost|(ip6-)?localhost|localhost[46]?(\.localdomain[46]?)?|ip6-loopback)$/;

const DIAL_HINT = 'use an address that the other clusters can reach, like 203.0.113.10';

/** True for an IPv4 address or a DNS name that a gateway can dial; reports any other text. */
export function checkDialAddress(text: Located<string>, what: string, report: Report): boolean {
  const { value, at } = text;
  if (isIPv6(value)) {
    report(
      diagnostic('topology/ipv6', at, `${what} is an IPv6 address, "${value}"; weft supports only IPv4 tunnels`, {
        hint: 'use an IPv4 address or a DNS name that resolves to one',
      }),
    );
    return false;
  }
  if (LOCAL_NAME.test(value)) {
    const message = `${what} is "${value}", which every host resolves to itself`;
    report(diagnostic('topology/bad-address', at, message, { hint: DIAL_HINT }));
    return false;
  }
  const numeric = /^[\d.]+$/.test(value);
  if (numeric && readAddress(value) !== undefined) return isUsableAddress(text, what, report);
  if (!numeric && DNS_NAME.test(value) && !NUMBER_AT_THE_END.test(value)) return true;
  const hint = addressHint(value);
  report(
    diagnostic('topology/bad-address', at, `${what} is neither an IPv4 address nor a DNS name: "${value}"`, { hint }),
  );
  return false;
}

/** Returns a hint for a URL: its host, and its port separately. */
function addressHint(value: string): string {
  const [, scheme, host, port] = /^([a-z][a-z0-9+.-]*:\/\/)?([^\s/:@]+)(:\d+)?(?:\/.*)?$/i.exec(value) ?? [];
  if (/\/\d+$/.test(value) && host !== undefined && scheme === undefined) return `write ${host}, without a length`;
  if (host !== undefined && port !== undefined)
    return `write ${host} here, and set the port in \`port\` or \`dial.port\``;
  return host !== undefined && scheme !== undefined
    ? `write ${host}`
    : 'write an address like 203.0.113.10 or a name like gw.example.net';
}

/** True when another cluster can send packets to an IPv4 address; reports any other address. */
function isUsableAddress({ value, at }: Located<string>, what: string, report: Report): boolean {
  const address = readAddress(value);
  if (address === undefined) return false;
  const special = UNUSABLE_NETWORKS.find((it) => containsAddress(it.prefix, address));
  if (!special) return true;
  const message = `${what} is ${value}, but ${special.what} cannot be dialled`;
  report(diagnostic('topology/bad-address', at, message, { hint: DIAL_HINT }));
  return false;
}

/** Reports an invalid address of a load balancer. `what` names the key: `loadBalancerIP of "rome"`, `instead` one for DNS names. */
export function checkLoadBalancerIP(text: Located<string>, what: string, report: Report, instead: string): void {
  if (readAddress(text.value) !== undefined) {
    isUsableAddress(text, what, report);
    return;
  }
  report(
    diagnostic('topology/bad-address', text.at, `${what} is not an IPv4 address: "${text.value}"`, {
      hint: `set a DNS name in ${instead}`,
    }),
  );
}

/** The accepted MTUs: an IPv4 host must accept 576 bytes (RFC 791), and a length field has 16 bits. */
const MTU_BYTES = { lowest: 576, highest: 65535 } as const;

/** Reports an MTU that no tunnel can have; returns it unchanged. */
export function checkMtu(mtu: Located<number>, what: string, report: Report): Located<number> {
  if (mtu.value >= MTU_BYTES.lowest && mtu.value <= MTU_BYTES.highest) return mtu;
  report(
    diagnostic(
      'topology/mtu-out-of-range',
      mtu.at,
      `${what} is ${mtu.value} bytes, which is outside ${MTU_BYTES.lowest} to ${MTU_BYTES.highest}`,
      {
        hint: `set the MTU of the link between the gateways minus 60 (IPv4); Liqo's default is ${DEFAULT_MTU_BYTES}`,
      },
    ),
  );
  return mtu;
}

/** Reports a port outside 1 to 65535. */
export function checkPort(port: Located<number>, what: string, report: Report): void {
  if (port.value >= 1 && port.value <= 65535) return;
  report(
    diagnostic('topology/bad-range', port.at, `${what} is ${port.value}, which is outside 1 to 65535`, {
      hint: 'write a port from 1 to 65535',
    }),
  );
}
