import { byCodeUnit } from '../../../base/core/collections.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { fnv1a } from '../../../base/net/fnv.ts';
import type { Prefix } from '../../../base/net/prefix.ts';
import type { ExpectedCluster } from '../expectation.ts';
import { type ExpectedOpening, expectOpenings, expectPolicies, isClosedInto } from '../expected/expect-boundaries.ts';
import { cidrText, hostOf } from '../networks.ts';
import { type CheckContext, forEachCluster, type Part } from './bundle-check.ts';
import { compareObject } from './compare-object.ts';

/**
 * The policy of a namespace lets in what the topology opens, under the addresses that the cluster sees, and all that crosses no
 * closed link: with one rule less it would cut the traffic inside the cluster, with one more it would limit nothing.
 */
export const policiesMatchBoundaries = forEachCluster(function* (context, { name, expected }) {
  for (const [namespace, limits] of expectPolicies(context.expected).get(name) ?? []) {
    const path = `${name}/boundaries/${namespace}.yaml`;
    const [source, objects] = [context.bundle.sources.get(path), context.bundle.objects.get(path)];
    if (!source || !objects) continue;
    const required = policiesOf(context, expected, namespace, limits);
    const what = `the policy of namespace "${namespace}" of "${name}"`;
    if (required === undefined) continue;
    for (const [index, wanted] of required.entries()) {
      const found = objects[index];
      const its = index === 0 ? what : `${what} for some of its pods`;
      if (found)
        yield* compareObject({ what: its, node: found.node, isOthers: () => false, codeOf: boundaryCode }, wanted);
      else yield diagnostic('verify/missing-object', { source, start: 0, end: 0 }, `${its} is missing`);
    }
    for (const it of objects.slice(required.length))
      yield diagnostic('verify/extra-object', it.at, `another object is beside ${what}`);
  }
});

const boundaryCode = () => 'verify/boundary' as const;

/**
 * The required objects: the policy of all pods, then those of pods with labels, by these; `undefined` while addresses are unknown,
 * which other checks report.
 */
function policiesOf(
  { expected: fleet, addresses }: CheckContext,
  cluster: ExpectedCluster,
  namespace: string,
  limits: ReadonlySet<string>,
): readonly Part[] | undefined {
  const known = addresses.get(cluster.name)?.views;
  if (!known) return undefined;
  const ingress = new RuleList('from');
  const labelled = new Map<string, { readonly labels: object; readonly rules: RuleList }>();
  const egress = new RuleList('to');
  for (const end of cluster.ends.values()) {
    const peer = fleet.clusters.get(end.peer);
    const views = known.get(end.peer)?.map((it) => it.seenAs);
    const back = peer?.ends.get(cluster.name);
    if (!peer || !back || !views || views.includes(null)) return undefined;
    const [pods, external] = [views.slice(0, -1) as Prefix[], views.at(-1) as Prefix];
    const seen = (networks: readonly Prefix[]): readonly Prefix[] =>
      networks.flatMap((it) => seenNetwork(it, peer, pods) ?? []);
    if (isClosedInto(end, fleet)) {
      for (const it of [...pods, external]) ingress.exclude(it);
      for (const it of expectOpenings(fleet, peer.name, cluster.name)) {
        if (it.toNamespace !== null && it.toNamespace !== namespace) continue;
        const networks = it.sources === 'external address' ? [{ ...external, length: 32 }] : seen(it.sources);
        if (it.toPods === null) {
          ingress.open(networks, it);
          continue;
        }
        const pairs = Object.entries(it.toPods).map(([key, value]) => `${key}=${value}`);
        const text = pairs.sort().join(',');
        const its = labelled.get(text) ?? { labels: it.toPods, rules: new RuleList('from') };
        labelled.set(text, its);
        its.rules.open(networks, it);
      }
    }
    if (isClosedInto(back, fleet)) {
      for (const it of pods) egress.exclude(it);
      for (const it of expectOpenings(fleet, cluster.name, peer.name))
        if (it.fromNamespace === null || it.fromNamespace === namespace) egress.open(seen(it.destinations), it);
    }
  }
  const object = (name: string, spec: Part): Part => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      ...{ name, namespace },
      labels: { 'app.kubernetes.io/part-of': 'weft' },
      annotations: { 'argocd.argoproj.io/sync-wave': '1000000' },
    },
    spec,
  });
  const all = object('weft-boundaries', {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'].filter((it) => limits.has(it)),
    ingress: limits.has('Ingress') ? ingress.rules() : undefined,
    egress: limits.has('Egress') ? egress.rules() : undefined,
  });
  const ofLabels = [...labelled]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([text, { labels, rules }]) =>
      object(`weft-boundaries-${fnv1a(text).toString(16).padStart(8, '0')}`, {
        podSelector: { matchLabels: { ...labels } },
        policyTypes: ['Ingress'],
        ingress: rules.opened(),
      }),
    );
  return [all, ...ofLabels];
}

/** The part of a view that a network of the peer's pods has. */
function seenNetwork(network: Prefix, { declared }: ExpectedCluster, views: readonly Prefix[]): Prefix | undefined {
  const index = declared.podCIDRs.findIndex(
    ({ value }) => network.length >= value.length && network.base - hostOf(network.base, value) === value.base,
  );
  const [whole, seen] = [declared.podCIDRs[index]?.value, views[index]];
  return whole && seen && { base: seen.base + hostOf(network.base, whole), length: network.length };
}

/** The rules of one direction: the one for all that crosses no closed link, then those of openings, ordered by their texts. */
class RuleList {
  readonly #side: 'from' | 'to';
  readonly #excluded: Prefix[] = [];
  readonly #opened = new Map<string, { readonly ports: readonly Part[] | undefined; readonly networks: Prefix[] }>();

  constructor(side: 'from' | 'to') {
    this.#side = side;
  }

  exclude(network: Prefix): void {
    this.#excluded.push(network);
  }

  open(networks: readonly Prefix[], { protocol, ports }: ExpectedOpening): void {
    if (networks.length === 0) return;
    const some = [...ports]
      .sort((a, b) => a.first - b.first || a.last - b.last)
      .map(({ first, last }) => ({ protocol: protocol ?? 'TCP', port: first, ...(first < last && { endPort: last }) }));
    const its = some.length > 0 ? some : protocol === null ? undefined : [{ protocol }];
    const known = this.#opened.get(JSON.stringify(its ?? null));
    this.#opened.set(JSON.stringify(its ?? null), { ports: its, networks: [...(known?.networks ?? []), ...networks] });
  }

  rules(): readonly Part[] {
    const inside = [
      { namespaceSelector: {} },
      { ipBlock: { cidr: '0.0.0.0/0', except: networkTexts(this.#excluded) } },
      { ipBlock: { cidr: '::/0' } },
    ];
    return [{ [this.#side]: inside }, ...this.opened()];
  }

  opened(): readonly Part[] {
    const rules = [...this.#opened.values()].map(({ ports, networks }) => {
      const peers = networkTexts(networks).map((cidr) => ({ ipBlock: { cidr } }));
      return { [this.#side]: peers, ...(ports && { ports }) };
    });
    const texts = new Map(rules.map((it) => [JSON.stringify(it), it]));
    return [...texts].sort(([a], [b]) => byCodeUnit(a, b)).map(([, it]) => it);
  }
}

/** The fewest networks with these addresses: ranges without a gap, from each as large a network as begins there and fits. */
function networkTexts(networks: readonly Prefix[]): readonly string[] {
  const ranges: { first: number; end: number }[] = [];
  for (const { base, length } of [...networks].sort((a, b) => a.base - b.base)) {
    const [end, last] = [base + 2 ** (32 - length), ranges.at(-1)];
    if (last !== undefined && base <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ first: base, end });
  }
  return ranges.flatMap(({ first, end }) => {
    const found: string[] = [];
    for (let base = first; base < end; ) {
      let length = 32;
      while (length > 0 && base % 2 ** (33 - length) === 0 && base + 2 ** (33 - length) <= end) length--;
      found.push(cidrText({ base, length }));
      base += 2 ** (32 - length);
    }
    return found;
  });
}
