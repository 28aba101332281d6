import type { LinkRequest } from './link-request.ts';
import type { Cluster } from './network-model.ts';

/** A link with its server end chosen. */
export interface ServedLink {
  readonly link: LinkRequest;
  readonly server: Cluster;
  readonly client: Cluster;
}

/** MTU of the tunnel's interface at both ends: the option of the link, else the smaller MTU of the two gateways. */
export function mtuBytesOf({ link, server, client }: ServedLink): number {
  return link.options?.mtuBytes?.value ?? Math.min(server.gateway.mtuBytes.value, client.gateway.mtuBytes.value);
}
