import { addAll, by, groupBy, sortedEntries } from '../../base/core/collections.ts';
import { fnv1a } from '../../base/net/fnv.ts';
import { fewestNetworks, type Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import {
  type BoundedModel,
  type BoundedNamespace,
  type Opening,
  openingsBetween,
  openingsInto,
  type PodLabels,
  seenBy,
} from '../../fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, type Peer, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { Field, Manifest } from '../liqo/manifest.ts';

/** The name of the policy for all pods of a namespace. */
export const POLICY_NAME = 'weft-boundaries';

/**
 * The policies of a namespace: one for all of its pods, and one more for each set of labels in `toPods`. A pod that a policy selects is
 * denied everything that no policy allows, so the first policy allows all that crosses no closed link: the pods of the cluster,
 * and every address but the views of the peers behind closed links. Another rule for each opening allows the views of its pods.
 * DNS, the API server and other networks stay reachable; so do the external CIDRs of peers, from which addresses are mapped at
 * run time.
 */
export function lowerPolicies(
  cluster: AddressedCluster,
  { name, limitsIngress, limitsEgress }: BoundedNamespace,
  model: BoundedModel,
): readonly Manifest[] {
  const { excluded, allowed } = ingressRules(cluster, name, model);
  const labelled = groupBy(
    allowed.filter((it) => it.opening.toPods !== null),
    ({ opening }) => [labelsText(opening.toPods ?? {})],
  );
  const ofAll = allowed.filter((it) => it.opening.toPods === null);
  return [
    policy(POLICY_NAME, name, {
      podSelector: {},
      policyTypes: [...(limitsIngress ? ['Ingress'] : []), ...(limitsEgress ? ['Egress'] : [])],
      ...(limitsIngress ? { ingress: [outside('from', excluded), ...openingRules('from', ofAll)] } : {}),
      ...(limitsEgress ? { egress: egressRules(cluster, name, model) } : {}),
    }),
    ...sortedEntries(labelled).map(([text, them]) =>
      policy(podPolicyName(text), name, {
        podSelector: { matchLabels: Object.fromEntries(sortedLabels(them[0]?.opening.toPods ?? {})) },
        policyTypes: ['Ingress'],
        ingress: openingRules('from', them),
      }),
    ),
  ];
}

/** Labels as `app=shop,tier=front`, in order of their keys. */
export const labelsText = (labels: PodLabels): string =>
  sortedLabels(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

const sortedLabels = (labels: PodLabels) => Object.entries(labels).sort(by(([key]) => key));

/** Labels have characters that no name has, and the name stays the same when other entries come and go. */
const podPolicyName = (labels: string): string => `${POLICY_NAME}-${fnv1a(labels).toString(16).padStart(8, '0')}`;

const policy = (name: string, namespace: string, spec: Field): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'weft' } },
  spec,
});

interface IngressRules {
  readonly excluded: readonly Prefix[];
  readonly allowed: readonly Allowed[];
}

function ingressRules(cluster: AddressedCluster, namespace: string, model: BoundedModel): IngressRules {
  const closed = [...openingsInto(model, cluster.name)].flatMap(([name, openings]) => {
    const peer = cluster.peers.get(name);
    return peer === undefined ? [] : [{ peer, openings }];
  });
  const excluded = closed.flatMap(({ peer }) => viewsOf(peer).map((it) => it.seenAs));
  const allowed = closed.flatMap(({ peer, openings }) =>
    openings
      .filter((it) => it.toNamespace === null || it.toNamespace === namespace)
      .map((it) => ({ networks: seenAs(peer, it.sources), opening: it })),
  );
  return { excluded, allowed };
}

function egressRules(cluster: AddressedCluster, namespace: string, model: BoundedModel): readonly Field[] {
  const closed = [...cluster.peers.values()].sort(by((it) => it.name)).flatMap((peer) => {
    const openings = openingsBetween(model, cluster.name, peer.name);
    return openings === undefined ? [] : [{ peer, openings }];
  });
  const excluded = closed.flatMap(({ peer }) => peer.podViews.map((it) => it.seenAs));
  const allowed = closed.flatMap(({ peer, openings }) =>
    openings
      .filter((it) => it.fromNamespace === null || it.fromNamespace === namespace)
      .map((it) => ({ networks: seenAs(peer, it.destinations), opening: it })),
  );
  return [outside('to', excluded), ...openingRules('to', allowed)];
}

const seenAs = (peer: Peer, networks: readonly Prefix[]): readonly Prefix[] =>
  networks.flatMap((it) => seenBy(peer, it) ?? []);

interface Allowed {
  readonly networks: readonly Prefix[];
  readonly opening: Opening;
}

/** All that crosses no closed link. A network plugin expands each network of a hub with many peers, so they are joined. */
const outside = (side: 'from' | 'to', excluded: readonly Prefix[]): Field => ({
  [side]: [
    { namespaceSelector: {} },
    { ipBlock: { cidr: '0.0.0.0/0', except: fewestNetworks(excluded).map(printPrefix) } },
    // Liqo connects only IPv4 networks.
    { ipBlock: { cidr: '::/0' } },
  ],
});

/** One rule for all networks to which the same ports are open. */
function openingRules(side: 'from' | 'to', allowed: readonly Allowed[]): readonly Field[] {
  const byPorts = new Map<string, { readonly ports: readonly Field[]; readonly networks: Prefix[] }>();
  for (const { networks, opening } of allowed) {
    const ports = portsOf(opening);
    const key = JSON.stringify(ports);
    const rule = byPorts.get(key) ?? { ports, networks: [] };
    byPorts.set(key, rule);
    addAll(rule.networks, networks);
  }
  const rules = [...byPorts.values()]
    .filter((it) => it.networks.length > 0)
    .map(({ ports, networks }): Field => {
      const peers = fewestNetworks(networks).map((it): Field => ({ ipBlock: { cidr: printPrefix(it) } }));
      return { [side]: peers, ...(ports.length === 0 ? {} : { ports }) };
    });
  // The order of entries means nothing.
  return rules.sort(by((it) => JSON.stringify(it)));
}

function portsOf({ protocol, ports }: Opening): readonly Field[] {
  if (ports.length === 0) return protocol === null ? [] : [{ protocol }];
  return [...ports]
    .sort((a, b) => a.first - b.first || a.last - b.last)
    .map(({ first, last }) => ({
      protocol: protocol ?? 'TCP',
      port: first,
      ...(last > first ? { endPort: last } : {}),
    }));
}
