import type { LinkDeclaration } from '../../../fleet/topology/declaration.ts';

/** What the objects of one end of a link are called. */
export interface ExpectedNames {
  readonly namespace: string;
  readonly configuration: string;
  readonly gateway: string;
  readonly publicKey: string;
  readonly secret: string;
}

/** Where everything about a remote cluster is by default. Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace. */
export const usualNamespace = (remote: string): string => `liqo-tenant-${remote}`;

/**
 * What the entry of a link says of the objects in `cluster`; without it what liqoctl would call them. `secret` is that of
 * the fleet, with `{peer}` in place of the peer.
 */
export function namesOfEnd(
  [cluster, peer]: readonly [string, string],
  options: LinkDeclaration | null,
  secret: string,
): ExpectedNames {
  const names: Record<keyof ExpectedNames, string> = {
    namespace: usualNamespace(peer),
    configuration: peer,
    gateway: peer,
    publicKey: peer,
    secret: secret.split('{peer}').join(peer),
  };
  for (const it of options?.names ?? []) {
    if (it.cluster.value !== cluster) continue;
    for (const kind of ['namespace', 'configuration', 'gateway', 'publicKey', 'secret'] as const) {
      names[kind] = it[kind]?.value ?? names[kind];
    }
  }
  return names;
}
