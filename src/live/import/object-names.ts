import { tenantNamespace } from '../../base/releases/tenant-namespace.ts';
import type { LinkOptions } from './infer-gateway.ts';
import type { LiveEnd, LiveLink } from './live-link.ts';
import { mostCommon } from './most-common.ts';

/** The other cluster, in the name of a Secret. */
const PEER = '{peer}';

/** The name of the Secret with the key pair of a gateway, whoever chose it; `null` where nothing shows it. */
function secretOf({ peer, gateway }: LiveEnd): string | null {
  if (gateway === null) return null;
  const labelled = (peer?.keySecrets ?? []).filter((it) => it.namespace === gateway.namespace);
  // Liqo's own name. Source: liqotech/liqo@v1.2.0 pkg/gateway/forge/utils.go.
  return gateway.secret ?? gateway.usedSecret ?? labelled[0]?.name ?? `gw-${gateway.name}`;
}

/** One name for all key Secrets, which may have the other cluster in it; that of most gateways. */
export function usualSecretName(links: readonly LiveLink[]): string | null {
  const ends = links.flatMap((it) => it.ends);
  const patterns = ends.flatMap((it) => {
    const name = secretOf(it);
    if (name === null) return [];
    const pattern = name.split(it.remote).join(PEER);
    return pattern === name ? [name] : [pattern];
  });
  const literal = ends.flatMap((it) => secretOf(it) ?? []);
  const [best, bestLiteral] = [mostCommon(patterns), mostCommon(literal)];
  if (best === undefined || bestLiteral === undefined) return null;
  // A cluster may be called like a part of a name that all Secrets have.
  return bestLiteral.count >= best.count ? bestLiteral.value : best.value;
}

type ObjectNames = NonNullable<LinkOptions['names']>[string];

/** Names of objects of a link that are not those that weft gives, by the cluster that they are in. */
export function namesOption({ ends }: LiveLink, secretName: string): LinkOptions['names'] {
  const named = ends.flatMap((it) => {
    const names = namesOf(it, secretName);
    return Object.keys(names).length === 0 ? [] : [[it.cluster, names] as const];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function namesOf(end: LiveEnd, secretName: string): ObjectNames {
  const { remote, peer, configuration, gateway } = end;
  const namespace = gateway?.namespace ?? configuration?.namespace ?? peer?.namespaces[0];
  const publicKey = peer?.publicKeys.find((it) => it.namespace === namespace) ?? peer?.publicKeys[0];
  const secret = secretOf(end);
  const other = (name: string | null | undefined, usual: string): name is string => name != null && name !== usual;
  return {
    ...(other(namespace, tenantNamespace(remote)) ? { namespace } : {}),
    ...(other(configuration?.name, remote) ? { configuration: configuration?.name } : {}),
    ...(other(gateway?.name, remote) ? { gateway: gateway?.name } : {}),
    ...(other(publicKey?.name, remote) ? { publicKey: publicKey?.name } : {}),
    ...(other(secret, secretName.replaceAll(PEER, remote)) ? { secret } : {}),
  } as ObjectNames;
}
