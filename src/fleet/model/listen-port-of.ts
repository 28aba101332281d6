import type { Link } from './network-model.ts';

/** UDP port on which WireGuard listens in the gateway pod of the server end. */
export const listenPortOf = ({ server, endpoint }: Link): number =>
  server.cluster.gateway.listenPort ?? endpoint.servicePort;
