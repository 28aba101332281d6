import { TUNNEL_INTERFACE } from '../../base/releases/interfaces.ts';
import { ownEnd, remoteEnd } from '../../fleet/ipam/addressed-model.ts';
import { listenPortOf } from '../../fleet/model/listen-port-of.ts';
import type { LinkEnd } from './link-end.ts';
import type { Check, RunbookStep } from './runbook.ts';

/** What WireGuard knows of its peer. */
export const wireguardStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'wireguard',
  title: 'WireGuard, on both ends',
  checks: ends.map(shown),
  outcomes: [
    {
      when: 'the peer has another key',
      next: 'the PublicKey of this end is not of the gateway at the other end: compare it with the public key that "wg show" prints there',
    },
    {
      when: 'there is no peer',
      next: 'the PublicKey is missing, or the wireguard container cannot read it: see its log',
    },
    {
      when: 'the client has sent bytes, received none, and the server has received none',
      next: 'packets do not get there: go on with the next step',
    },
    {
      when: 'the server has received bytes, and there is no handshake',
      next: 'the keys do not fit: a server answers no one whose key it does not know',
    },
    {
      when: 'the handshake is older than three minutes',
      next: 'the tunnel is down since that time: pings every two seconds keep a working one younger',
    },
  ],
});

function shown({ name, far, peer, inGateway }: LinkEnd): Check {
  const { endpoint } = peer.link;
  const isServer = peer.role === 'server';
  return {
    cluster: name,
    command: inGateway(`wg show ${TUNNEL_INTERFACE}`, 'wireguard'),
    expect: [
      { what: 'public key', value: ownEnd(peer).publicKey ?? 'none is known' },
      ...(isServer ? [{ what: 'listening port', value: String(listenPortOf(peer.link)) }] : []),
      { what: `peer, the gateway of ${far}`, value: remoteEnd(peer).publicKey ?? 'none is known' },
      {
        what: 'endpoint',
        value: isServer ? `where packets of ${far} come from, after NAT` : `${endpoint.address}:${endpoint.port}`,
      },
      { what: 'allowed ips', value: '0.0.0.0/0' },
      { what: 'latest handshake', value: 'less than three minutes ago' },
    ],
  };
}
