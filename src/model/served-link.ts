import type { LinkRequest } from './link-request.ts';
import type { Cluster } from './network-model.ts';

/** A link with its server end chosen. */
export interface ServedLink {
  readonly link: LinkRequest;
  readonly server: Cluster;
  readonly client: Cluster;
}

/** Bytes of the tunnel's interface at both ends: the link's own option, else the smaller of what the gateways have. */
export function mtuBytesOf({ link, server, client }: ServedLink): number {
  return link.options?.mtuBytes?.value ?? Math.min(server.gateway.mtuBytes.value, client.gateway.mtuBytes.value);
}
