import { decodeBase64 } from '../core/base64.ts';
import { printAddress } from '../net/text.ts';
import type { Tunnel } from './lab-plan.ts';

/** Keys of the two ends of a tunnel, canonical base64: its own private one, the peer's public one. */
export interface TunnelKeys {
  readonly privateKey: string;
  readonly peerPublicKey: string;
}

/**
 * Seconds. Liqo sets none, its gateways ping each other instead; here a client that begins by itself takes the place of
 * those pings, since a server knows no endpoint before.
 */
const KEEPALIVE_SECONDS = 25;

/**
 * The settings of a tunnel as a message for wireguard-go's control socket. A key never stands on a command line or in a
 * file this way. Source: wireguard.com/xplatform, "Configuration Protocol".
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

/** True when the answer to `get=1` tells of a handshake. */
export const hasShakenHands = (status: string): boolean => /^last_handshake_time_sec=[1-9]/m.test(status);

const hex = (base64: string): string =>
  decodeBase64(base64)
    .bytes.map((it) => it.toString(16).padStart(2, '0'))
    .join('');
