import { tenantNamespace } from '../../base/releases/tenant-namespace.ts';
import type { LinkDeclaration } from '../topology/declaration.ts';
import { secretNameFor } from '../topology/secret-name-for.ts';
import type { ObjectNames } from './network-model.ts';

interface NamedEnd {
  readonly cluster: string;
  readonly peer: string;
  readonly options: LinkDeclaration | null;
  /** Of the fleet, where `{peer}` stands for the peer. */
  readonly secretName: string;
}

/**
 * The names that an end of a link has for its objects: those that the topology lists, else those of liqoctl.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/forge, pkg/tenantNamespace.
 */
export function nameObjects({ cluster, peer, options, secretName }: NamedEnd): ObjectNames {
  const listed = options?.names.find((it) => it.cluster.value === cluster);
  return {
    namespace: listed?.namespace?.value ?? tenantNamespace(peer),
    configuration: listed?.configuration?.value ?? peer,
    gateway: listed?.gateway?.value ?? peer,
    publicKey: listed?.publicKey?.value ?? peer,
    secret: listed?.secret?.value ?? secretNameFor(secretName, peer),
  };
}
