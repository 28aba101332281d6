import { decodeBase64 } from '../../base/core/encodings.ts';
import { printAddress } from '../../base/net/text.ts';
import type { Tunnel } from './lab-plan.ts';

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
