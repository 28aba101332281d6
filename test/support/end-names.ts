import type { Link } from '../../src/fleet/model/network-model.ts';

/** The link with names for its ends. */
export const withEndNames = <L extends Pick<Link, 'server' | 'client'>>(link: L) => ({
  ...link,
  server: link.server.cluster.name,
  client: link.client.cluster.name,
});
