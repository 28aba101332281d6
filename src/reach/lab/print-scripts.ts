import { decodeBase64 } from '../../base/core/encodings.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { render } from '../../base/text/render.ts';
import type { Cable, LabNamespace, LabPlan, Route, RoutingRule, Tunnel } from './lab-plan.ts';

export const namespaceIn = (run: string, name: string): string => `weft-${run}-${name}`;

/**
 * The name of a tunnel's device until it is set up, at most 15 characters, as for any device. The control socket of
 * wireguard-go has the same name, and all sockets of the machine are in one folder, so the name contains the run.
 */
export const temporaryDevice = (run: string, index: number): string =>
  `${temporaryDevicePrefix(run)}${index.toString(36)}`;

export const temporaryDevicePrefix = (run: string): string => `wl${run}`;

/** Lines for `ip -batch` that create every namespace. */
export const namespacesBatch = ({ namespaces }: LabPlan, run: string): string =>
  joinLines(namespaces.map((it) => `netns add ${namespaceIn(run, it.name)}`));

/**
 * Lines for `ip -batch` that create every cable. Both ends are created inside their namespaces, never in the machine's
 * own namespace.
 */
export const cablesBatch = ({ cables }: LabPlan, run: string): string =>
  joinLines(
    cables.map(({ ends: [one, other], mtuBytes }: Cable) => {
      const end = (it: typeof one) => `name ${it.device} mtu ${mtuBytes} netns ${namespaceIn(run, it.namespace)}`;
      return `link add ${end(one)} type veth peer ${end(other)}`;
    }),
  );

/** A script for `sh` inside a namespace that sets up its addresses, devices, tunnel, routes, rules and rulesets. */
export function namespaceScript(plan: LabPlan, namespace: LabNamespace, run: string): string {
  const index = plan.tunnels.findIndex((it) => it.namespace === namespace.name);
  const tunnel = plan.tunnels[index];
  const batch = [
    'link set lo up',
    ...namespace.addresses.map((it) => `addr add ${printAddress(it.address)}/32 dev ${it.device}`),
    ...devicesOf(plan, namespace).map((it) => `link set ${it} up`),
    ...(tunnel === undefined ? [] : tunnelLines(tunnel, temporaryDevice(run, index))),
    ...namespace.routes.map((it) => routeLine(it)),
    ...namespace.rules.map((it, index) => ruleLine(it, index)),
  ];
  return render('lab/namespace', { batch, rulesets: namespace.rulesets.map((it) => it.text) });
}

/** A script for `sh` that carries out transactions one right after the other. */
export const transactionsScript = (nft: string, transactions: readonly string[]): string =>
  joinLines(transactions.map((it) => `${nft} -f - <<'END_OF_LAB_TEXT'\n${it}END_OF_LAB_TEXT`));

/** A script for `sh` in the namespace of a gateway whose pod is gone: packets through it are dropped. */
export const stopForwarding = (): string => 'echo 0 > /proc/sys/net/ipv4/ip_forward\n';

/** A script for `sh` in the namespace of a gateway that sets up a tunnel, after everything else is there. */
export const startTunnelScript = ({ tunnel, routes }: TunnelOfPod, device: string): string =>
  render('lab/namespace', {
    batch: [...tunnelLines(tunnel, device), ...routes.map((it) => routeLine(it))],
    rulesets: [],
  });

interface TunnelOfPod {
  readonly tunnel: Tunnel;
  /** The routes through the tunnel. */
  readonly routes: readonly Route[];
}

const devicesOf = ({ cables }: LabPlan, { name }: LabNamespace): readonly string[] =>
  cables.flatMap(({ ends }) => ends.filter((it) => it.namespace === name).map((it) => it.device));

/**
 * Lines that set up a tunnel. The MTU is set first, because wireguard-go notices a change of the MTU only under the
 * name that it was started with.
 */
const tunnelLines = ({ mtuBytes, address }: Tunnel, device: string): readonly string[] => [
  `link set ${device} mtu ${mtuBytes}`,
  `link set ${device} name ${TUNNEL_INTERFACE}`,
  `addr add ${printAddress(address)}/30 dev ${TUNNEL_INTERFACE}`,
  `link set ${TUNNEL_INTERFACE} up`,
];

/**
 * A line that adds a route. Next hops are addresses of loopback devices, outside of the cable's network, so the kernel
 * needs `onlink` for them.
 */
export function routeLine({ table, to, via, device }: Route, action: 'add' | 'replace' | 'del' = 'add'): string {
  const hop = via === null ? '' : `via ${printAddress(via)} `;
  const scope = via === null ? ' scope link' : ' onlink';
  return `route ${action} ${networkText(to)} ${hop}dev ${device}${scope}${table === null ? '' : ` table ${table}`}`;
}

const networkText = (it: Prefix): string => (it.length === 0 ? 'default' : printPrefix(it));

/**
 * Preference of the first rule: before the main table, which has preference 32766. Rules keep the order of the list,
 * which is the order of the table numbers.
 */
const FIRST_PREFERENCE = 100;

export function ruleLine({ select, table }: RoutingRule, index: number, action: 'add' | 'del' = 'add'): string {
  const selector =
    select.kind === 'from-device' ? `iif ${select.device}` : `fwmark ${select.mark} to ${printPrefix(select.to)}`;
  return `rule ${action} pref ${FIRST_PREFERENCE + index} ${selector} lookup ${table}`;
}

const joinLines = (all: readonly string[]): string => all.map((it) => `${it}\n`).join('');

/** Keys at one end of a tunnel, in canonical base64: its own private key and the peer's public key. */
export interface TunnelKeys {
  readonly privateKey: string;
  readonly peerPublicKey: string;
}

/**
 * Keepalive interval of the client. Liqo sets none, because its gateways ping each other. Here the keepalive replaces
 * those pings, because the server learns the client's endpoint from its first packet.
 */
const KEEPALIVE_SECONDS = 25;

/**
 * The settings of a tunnel as a message for wireguard-go's control socket, so that no key is written to a command line
 * or a file. Source: wireguard.com/xplatform, "Configuration Protocol".
 */
export function tunnelSettings({ end }: Tunnel, { privateKey, peerPublicKey }: TunnelKeys): string {
  const own = end.kind === 'server' ? [`listen_port=${end.listenPort}`] : [];
  const peer =
    end.kind === 'server'
      ? []
      : [
          `endpoint=${printAddress(end.dial.address)}:${end.dial.port}`,
          `persistent_keepalive_interval=${KEEPALIVE_SECONDS}`,
        ];
  return [
    'set=1',
    `private_key=${hex(privateKey)}`,
    ...own,
    'replace_peers=true',
    `public_key=${hex(peerPublicKey)}`,
    'replace_allowed_ips=true',
    'allowed_ip=0.0.0.0/0',
    ...peer,
    '\n',
  ].join('\n');
}

/** True when the answer to `get=1` contains the time of a handshake. */
export const hasShakenHands = (status: string): boolean => /^last_handshake_time_sec=[1-9]/m.test(status);

const hex = (base64: string): string =>
  decodeBase64(base64)
    .bytes.map((it) => it.toString(16).padStart(2, '0'))
    .join('');
