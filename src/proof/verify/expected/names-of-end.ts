import type { LinkDeclaration } from '../../../fleet/topology/declaration.ts';

/** The names of the objects of one end of a link. */
export interface ExpectedNames {
  readonly namespace: string;
  readonly configuration: string;
  readonly gateway: string;
  readonly publicKey: string;
  /** The Secret that the gateway names; `null` when Liqo makes it. */
  readonly secret: string | null;
}

/** The default tenant namespace for a remote cluster. Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace. */
export const usualNamespace = (remote: string): string => `liqo-tenant-${remote}`;

/**
 * The names that the entry of a link sets for objects in `cluster`, otherwise the names that liqoctl uses. `secret` is
 * the fleet's setting, with `{peer}` in place of the peer; `null` when Liqo makes the Secrets.
 */
export function namesOfEnd(
  [cluster, peer]: readonly [string, string],
  options: LinkDeclaration | null,
  secret: string | null,
): ExpectedNames {
  const names = {
    namespace: usualNamespace(peer),
    configuration: peer,
    gateway: peer,
    publicKey: peer,
    secret: secret?.split('{peer}').join(peer) ?? '',
  };
  for (const it of options?.names ?? []) {
    if (it.cluster.value !== cluster) continue;
    for (const kind of ['namespace', 'configuration', 'gateway', 'publicKey', 'secret'] as const) {
      names[kind] = it[kind]?.value ?? names[kind];
    }
  }
  return secret === null ? { ...names, secret } : names;
}
