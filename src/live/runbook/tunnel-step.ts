import { prefixOf, printAddress } from '../../base/net/text.ts';
import { TUNNEL_INTERFACE, TUNNEL_NETWORK } from '../../base/releases/interfaces.ts';
import { PING_PORT } from '../../base/releases/ports.ts';
import type { LinkEnd } from './link-end.ts';
import type { RunbookStep } from './runbook.ts';

/** Bytes of the headers of IPv4 and ICMP. */
const PING_OVERHEAD_BYTES = 28;

/** Bytes that WireGuard adds over IPv4. Source: liqotech/liqo@v1.2.0 docs/advanced/peering/inter-cluster-network.md. */
const WIREGUARD_OVERHEAD_BYTES = 60;

/** Bytes that Geneve adds over IPv4, as Liqo uses it. */
const GENEVE_OVERHEAD_BYTES = 50;

/** The address that a gateway has in its tunnel: the server the first, the client the second. */
export const tunnelAddress = (role: 'server' | 'client'): string =>
  printAddress(prefixOf(TUNNEL_NETWORK).base + (role === 'server' ? 1 : 2));

const farAddress = ({ peer }: LinkEnd): string => tunnelAddress(peer.role === 'server' ? 'client' : 'server');

/** Whether the two gateways reach each other inside the tunnel. */
export const tunnelStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'tunnel',
  title: 'Inside the tunnel, from gateway to gateway',
  checks: ends.flatMap((it) => [
    {
      cluster: it.name,
      command: it.inGateway(`ping -c 3 -W 2 ${farAddress(it)}`),
      expect: [{ what: 'packet loss', value: '0%' }],
    },
    {
      cluster: it.name,
      command: it.inGateway(`timeout 20 tcpdump -ni ${TUNNEL_INTERFACE} -c 8 'udp port ${PING_PORT}'`),
      expect: [{ what: "Liqo's own check, every two seconds and both ways, at port", value: String(PING_PORT) }],
    },
  ]),
  outcomes: [
    { when: 'ping is not answered', next: 'the tunnel is down: go back to WireGuard' },
    {
      when: `ping is answered, and port ${PING_PORT} is silent in one direction`,
      next: 'the gateway container of the silent end does not run its check, so its Connection is not trusted: see its log',
    },
    { when: 'all is answered', next: 'the tunnel works: go on' },
  ],
});

/** Whether full packets pass. */
export function mtuStep(server: LinkEnd, client: LinkEnd): RunbookStep {
  const { mtuBytes, endpoint } = client.peer.link;
  const largest = mtuBytes - PING_OVERHEAD_BYTES;
  const onTheWay = mtuBytes + WIREGUARD_OVERHEAD_BYTES;
  return {
    id: 'mtu',
    title: `Full packets: the MTU of the tunnel is ${mtuBytes}`,
    checks: [
      ...[client, server].flatMap((it) => [
        {
          cluster: it.name,
          command: it.inGateway(`ping -c 3 -W 2 -M do -s ${largest} ${farAddress(it)}`),
          expect: [{ what: 'packet loss of the largest packet', value: '0%' }],
        },
        {
          cluster: it.name,
          command: it.inGateway(`ping -c 1 -M do -s ${largest + 1} ${farAddress(it)}`),
          expect: [{ what: 'one byte more is refused, with mtu', value: String(mtuBytes) }],
        },
        {
          cluster: it.name,
          command: it.inGateway('cat /sys/class/net/eth0/mtu'),
          expect: [{ what: 'at least, for WireGuard', value: String(onTheWay) }],
        },
      ]),
      {
        cluster: client.name,
        command: client.inGateway(`ping -c 3 -W 2 -M do -s ${onTheWay - PING_OVERHEAD_BYTES} ${endpoint.address}`),
        expect: [
          { what: `where ICMP is answered: what a path for ${onTheWay} bytes carries; packet loss`, value: '0%' },
        ],
      },
    ],
    outcomes: [
      {
        when: 'small packets pass, and the largest do not',
        next: `something on the way carries less than ${onTheWay} bytes: lower the MTU on both ends (\`mtu\` of the link), the server first`,
      },
      {
        when: 'the two ends print different MTUs',
        next: 'they must be equal; "weft plan --live" shows which end differs',
      },
      {
        when: `eth0 has less than ${mtuBytes + GENEVE_OVERHEAD_BYTES}`,
        next: 'the overlay between nodes and gateway does not carry full packets either: lower the MTU of the link',
      },
    ],
  };
}
