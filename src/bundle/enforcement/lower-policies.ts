import { by, byCodeUnit } from '../../base/core/collections.ts';
import { comparePrefixes, type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import {
  type BoundedModel,
  type BoundedNamespace,
  type Opening,
  openingsBetween,
  openingsInto,
  seenBy,
} from '../../fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, type Peer, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { Field, Manifest } from '../liqo/manifest.ts';

/** The name of the policy in each of the namespaces. */
export const POLICY_NAME = 'weft-boundaries';

/**
 * The policy of a namespace. A pod that a policy selects is denied everything that no policy allows, so the first rule of each
 * direction allows all that crosses no closed link: the pods of the cluster, and every address but the views of the peers
 * behind closed links. Another rule for each opening allows the views of its pods. DNS, the API server
 * and other networks stay reachable; so do the external CIDRs of peers, from which addresses are mapped at run time.
 */
export function lowerPolicy(cluster: AddressedCluster, namespace: BoundedNamespace, model: BoundedModel): Manifest {
  const { name, limitsIngress, limitsEgress } = namespace;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: POLICY_NAME, namespace: name, labels: { 'app.kubernetes.io/part-of': 'weft' } },
    spec: {
      podSelector: {},
      policyTypes: [...(limitsIngress ? ['Ingress'] : []), ...(limitsEgress ? ['Egress'] : [])],
      ...(limitsIngress ? { ingress: ingressRules(cluster, name, model) } : {}),
      ...(limitsEgress ? { egress: egressRules(cluster, name, model) } : {}),
    },
  };
}

function ingressRules(cluster: AddressedCluster, namespace: string, model: BoundedModel): readonly Field[] {
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
  return rules('from', excluded, allowed);
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
  return rules('to', excluded, allowed);
}

const seenAs = (peer: Peer, networks: readonly Prefix[]): readonly Prefix[] =>
  networks.flatMap((it) => seenBy(peer, it) ?? []);

interface Allowed {
  readonly networks: readonly Prefix[];
  readonly opening: Opening;
}

function rules(side: 'from' | 'to', excluded: readonly Prefix[], allowed: readonly Allowed[]): readonly Field[] {
  const blocks = [...excluded].sort(comparePrefixes).map(printPrefix);
  const inside: Field = {
    [side]: [
      { namespaceSelector: {} },
      { ipBlock: { cidr: '0.0.0.0/0', except: blocks } },
      // Liqo connects only IPv4 networks.
      { ipBlock: { cidr: '::/0' } },
    ],
  };
  const openings = allowed
    .filter((it) => it.networks.length > 0)
    .map(({ networks, opening }): { readonly [key: string]: Field } => {
      const ports = portsOf(opening);
      const peers = distinct(networks).map((it): Field => ({ ipBlock: { cidr: printPrefix(it) } }));
      return { [side]: peers, ...(ports.length === 0 ? {} : { ports }) };
    });
  // Two entries may allow the same under other names; the order of entries means nothing.
  const texts = new Map(openings.map((it) => [JSON.stringify(it), it] as const));
  return [inside, ...[...texts].sort(([a], [b]) => byCodeUnit(a, b)).map(([, it]) => it)];
}

const distinct = (networks: readonly Prefix[]): readonly Prefix[] =>
  [...networks].sort(comparePrefixes).filter((it, index, all) => {
    const before = all[index - 1];
    return before === undefined || !samePrefix(before, it);
  });

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
