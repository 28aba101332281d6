import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { containsAddress } from '../../base/net/prefix.ts';
import { isIPv6, readAddress } from '../../base/net/text.ts';
import { DEFAULT_MTU_BYTES } from '../../base/releases/install-defaults.ts';
import type { GatewaySpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located } from '../../base/source/source.ts';
import type { ServiceType } from './declaration.ts';
import { UNUSABLE_NETWORKS } from './read-cidr.ts';
import type { Report } from './report.ts';
import { checkRenderedString } from './texts/check-text.ts';

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
  report(diagnostic('topology/bad-range', port.at, `${what} is ${port.value}, which is outside 1 to 65535`));
}
