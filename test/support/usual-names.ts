import type { ObjectNames } from '../../src/fleet/model/network-model.ts';

/** The names of objects for a peer where a topology lists none. */
export const usualNames = (peer: string): ObjectNames => ({
  namespace: `liqo-tenant-${peer}`,
  configuration: peer,
  gateway: peer,
  publicKey: peer,
  secret: 'gw-keys',
});
