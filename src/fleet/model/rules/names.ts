import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../../base/source/source.ts';
import type { TemplateName } from '../../topology/declaration.ts';
import type { ModelRule, ServedLink } from '../link-stages.ts';
import type { Cluster, ObjectNames } from '../network-model.ts';

/**
 * In one cluster, every peer has a tenant namespace and a Configuration with names of their own: Liqo finds a namespace
 * by a label with one cluster, and names tables on the nodes after the Configuration alone. Gateways and keys are in
 * the namespace, one each. Source: liqotech/liqo@v1.2.0 pkg/tenantNamespace, pkg/webhooks/firewallconfiguration,
 * pkg/liqo-controller-manager/networking/internal-network/configuration-controller/firewall.go.
 */
export const namesAreUsedOnce: ModelRule = function* ({ model, served }) {
  // Names of liqoctl contain the name of the peer, so two names can be equal only when the topology sets one.
  const named = new Set(served.flatMap((it) => it.link.options?.names.map((one) => one.cluster.value) ?? []));
  const first = new Map<string, NamedEnd>();
  for (const [index, { server, client }] of model.links.entries()) {
    for (const [end, other] of [
      [server, client],
      [client, server],
    ] as const) {
      for (const kind of ['namespace', 'configuration'] as const) {
        const it = { cluster: end.cluster, peer: other.cluster, kind, name: placeOfName(served[index], end, kind) };
        yield* reserved(it);
        if (!named.has(end.cluster.name)) continue;
        const key = `${end.cluster.name} ${kind} ${it.name.value}`;
        const earlier = first.get(key);
        if (earlier) yield objectNameUsedTwice(it, earlier);
        else first.set(key, it);
      }
    }
  }
};

type NameKind = 'namespace' | 'configuration';

interface NamedEnd {
  readonly cluster: Cluster;
  readonly peer: Cluster;
  readonly kind: NameKind;
  /** The name with the text that sets it, or with the declaration of the link. */
  readonly name: Located<string>;
}

function placeOfName(
  it: ServedLink | undefined,
  { cluster, names }: { readonly cluster: Cluster; readonly names: ObjectNames },
  kind: NameKind,
): Located<string> {
  const listed = it?.link.options?.names.find((one) => one.cluster.value === cluster.name)?.[kind];
  return { value: names[kind], at: listed?.at ?? it?.link.at ?? cluster.at };
}

/** Errors about reserved namespaces, which cannot be tenant namespaces. */
function* reserved({ cluster, peer, kind, name: { value, at } }: NamedEnd): Iterable<Diagnostic> {
  if (kind !== 'namespace') return;
  const isOfKubernetes = value === 'default' || value.startsWith('kube-');
  if (!isOfKubernetes && value !== cluster.liqoNamespace) return;
  const owner = isOfKubernetes ? 'which belongs to Kubernetes' : 'in which Liqo runs';
  const message = `the objects of "${cluster.name}" for "${peer.name}" would be in the namespace "${value}", ${owner}`;
  yield diagnostic('link/name-taken', at, message, {
    hint: 'name the tenant namespace that Liqo uses for that cluster',
  });
}

function objectNameUsedTwice(it: NamedEnd, earlier: NamedEnd): Diagnostic {
  const [later, before] = it.name.at.start < earlier.name.at.start ? [earlier, it] : [it, earlier];
  const [what, hint] =
    it.kind === 'namespace'
      ? ['tenant namespaces', 'give each peer a namespace of its own: Liqo finds it by the one cluster in its label']
      : ['Configurations', 'give each Configuration a name of its own: tables on the nodes are called after it'];
  return diagnostic(
    'link/name-taken',
    later.name.at,
    `the ${what} of "${it.cluster.name}" for "${before.peer.name}" and for "${later.peer.name}" would both be called "${it.name.value}"`,
    { hint, related: [{ message: 'the name is taken here', span: before.name.at }] },
  );
}

/**
 * A reminder about a link with its own gateway template: weft refers to the template, and the user must write and apply
 * it.
 */
export const templatesOfOthersAreProvided: ModelRule = function* ({ served }) {
  for (const it of served) {
    const { server = null, client = null } = it.link.options?.template ?? {};
    if (server) yield reminder(it, it.server, 'WgGatewayServerTemplate', server);
    if (client) yield reminder(it, it.client, 'WgGatewayClientTemplate', client);
  }
};

function reminder(
  { link, server, client }: ServedLink,
  end: Cluster,
  kind: string,
  { name, namespace }: TemplateName,
): Diagnostic {
  return diagnostic(
    'link/template-to-provide',
    link.at,
    `"${end.name}" needs the ${kind} "${name}" in its namespace "${namespace ?? end.liqoNamespace}", which weft does not write`,
    {
      about: [[server.name, client.name]],
      hint: 'apply it before this bundle: without the template Liqo creates no gateway, and the link stays down',
    },
  );
}
