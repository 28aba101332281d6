import { by, groupBy } from '../../base/core/collections.ts';
import type { BoundaryEntry, Topology } from '../../base/schema-types/topology.ts';
import type { ObservedPorts, PolicyPods } from '../facts/boundaries.ts';
import type { Pods, PolicyRule, Way } from './limited-ways.ts';

/*
 * An entry of `boundaries` adds rules to the fence of the receiver, to policies there, and to policies of the sender. Each
 * possible entry of a closed direction is one that adds no rule that is not there; of these as few are kept as have all
 * rules together. Namespaces are named where several sets of entries compile to
 * the same rules.
 */

interface FoundEntries {
  /** Entries between two clusters. */
  readonly entries: readonly BoundaryEntry[];
  /** Directions with rules that no entry adds. */
  readonly left: readonly { readonly way: Way; readonly rules: number }[];
}

export function boundaryEntries(closed: readonly Way[]): FoundEntries {
  const [intoAll, outOfAll] = [
    rulesOfAll(closed, (it) => it.to, 'ingress'),
    rulesOfAll(closed, (it) => it.from, 'egress'),
  ];
  const found = closed.map((way) => ({ way, ...fewest(way, candidatesOf(way, intoAll, outOfAll)) }));
  return {
    entries: found.flatMap(({ way, entries }) => (way.ingress || way.egress ? entries : withPortsTogether(entries))),
    left: found.filter(({ rules }) => rules > 0),
  };
}

type RulesOfAll = (way: Way, rule: PolicyRule) => boolean;

/**
 * True for a rule about all pods that all of several namespaces of a cluster have, if each of them has another one, too: then an
 * entry without a namespace adds it. Policies are only written where an entry names their namespace.
 */
function rulesOfAll(ways: readonly Way[], clusterOf: (way: Way) => string, side: 'ingress' | 'egress'): RulesOfAll {
  const common = new Map(
    [...groupBy(ways, (it) => [clusterOf(it)])].map(([cluster, them]) => {
      const rules = them.flatMap((way) =>
        (way[side] ?? []).map((it) => [it.namespace, idOf(way, it), it.pods] as const),
      );
      const byNamespace = groupBy(rules, ([namespace]) => [namespace]);
      const ofAllPods = rules.filter(([, , pods]) => pods === 'all');
      const counts = groupBy(ofAllPods, ([, id]) => [id]);
      const inAll = new Set([...counts].flatMap(([id, of]) => (of.length === byNamespace.size ? [id] : [])));
      const each = [...byNamespace.values()].every((it) => it.some(([, id]) => !inAll.has(id)));
      return [cluster, byNamespace.size > 1 && each ? inAll : new Set<string>()] as const;
    }),
  );
  return (way, rule) => common.get(clusterOf(way))?.has(idOf(way, rule)) === true;
}

const idOf = ({ from, to }: Way, rule: PolicyRule): string => `${from} ${to} ${ruleKey(rule)}`;
const ruleKey = ({ pods, networks, ...ports }: Omit<PolicyRule, 'namespace'>): string =>
  `${JSON.stringify(pods)} ${[...networks].sort().join()} ${portsKey(ports)}`;
const portsKey = ({ protocol, ports }: ObservedPorts): string => `${protocol ?? ''} ${[...ports].sort().join()}`;

interface Candidate {
  readonly entry: BoundaryEntry;
  /** The rules that it adds. */
  readonly adds: readonly string[];
}

/** One end of an entry: some pods or what is masqueraded, and the namespace whose policies say so, for all of its pods or some. */
interface End {
  readonly networks: readonly string[];
  readonly namespace: string | null;
  readonly pods: PolicyPods;
  readonly ports: ObservedPorts | null;
  /** The rules of policies that it adds. */
  readonly adds: readonly string[];
}

function* candidatesOf(way: Way, intoAll: RulesOfAll, outOfAll: RulesOfAll): Iterable<Candidate> {
  const { fence } = way;
  const known = fence === null ? null : new Set(fence.map((it) => fenceKey(it.source, it.destination, portsKey(it))));
  const senders = endsIn(way, 'ingress', (it) => intoAll(way, it));
  const receivers = endsIn(way, 'egress', (it) => outOfAll(way, it));
  const ofFence = distinct(
    (fence ?? []).map(({ protocol, ports }) => ({ protocol, ports })),
    portsKey,
  );
  for (const source of senders) {
    for (const destination of receivers) {
      const choices = source.ports ? [source.ports] : destination.ports ? [destination.ports] : ofFence;
      for (const ports of choices) {
        if (destination.ports !== null && portsKey(destination.ports) !== portsKey(ports)) continue;
        const entry = entryOf(way, source, destination, ports);
        const spans = ports.ports.length === 0 ? [ports] : ports.ports.map((it) => ({ ...ports, ports: [it] }));
        const adds = source.networks.flatMap((one) =>
          destination.networks.flatMap((other) => spans.map((it) => fenceKey(one, other, portsKey(it)))),
        );
        if (entry === null || (known !== null && !adds.every((it) => known.has(it)))) continue;
        yield { entry, adds: [...(known === null ? [] : adds), ...source.adds, ...destination.adds] };
      }
    }
  }
}

const fenceKey = (source: string, destination: string, ports: string): string =>
  `fence ${source} ${destination} ${ports}`;

/** The possible ends: the policies at the other end know the networks, and have their own namespaces. */
function endsIn(way: Way, side: 'ingress' | 'egress', isOfAll: (rule: PolicyRule) => boolean): readonly End[] {
  const rules = way[side];
  const [pods, place] =
    side === 'ingress' ? ([way.senders, 'source'] as const) : ([way.receivers, 'destination'] as const);
  if (rules === null) {
    const single = distinct(
      (way.fence ?? []).map((it) => it[place]),
      (it) => it,
    ).map((it) => [it]);
    const choices = distinct([pods.networks, ...single], (it) => it.join());
    return choices.map((networks) => ({ networks, namespace: null, pods: 'all', ports: null, adds: [] }));
  }
  const possible = rules.filter((it) => it.pods === 'all' || (side === 'ingress' && it.pods !== 'not-by-labels'));
  return distinct(possible, ruleKey).flatMap((rule): readonly End[] => {
    const same = rules.filter((it) => ruleKey(it) === ruleKey(rule));
    const addsIn = (them: readonly PolicyRule[]) => them.map((it) => policyKey(side, it));
    const { networks, protocol, ports } = rule;
    const end = { networks, pods: rule.pods, ports: { protocol, ports } };
    if (isOfAll(rule)) return [{ ...end, namespace: null, adds: addsIn(same) }];
    return same.map((it) => ({ ...end, namespace: it.namespace, adds: addsIn([it]) }));
  });
}

const policyKey = (side: string, rule: PolicyRule): string => `${side} ${rule.namespace} ${ruleKey(rule)}`;

function entryOf(way: Way, source: End, destination: End, { protocol, ports }: ObservedPorts): BoundaryEntry | null {
  const [from, to] = [podsText(source, way.senders), podsText(destination, way.receivers)];
  const isHidden = from === way.senders.masqueraded;
  if (from === null || to === null || to === way.receivers.masqueraded) return null;
  // Namespaces: the policies of the sender are about what it sends, so they name its own.
  const [fromNamespace, toNamespace] = [destination.namespace, source.namespace];
  if (isHidden && fromNamespace !== null && !way.senders.areHidden) return null;
  return {
    from: way.from,
    ...(fromNamespace === null ? {} : { fromNamespace }),
    ...(isHidden ? (way.senders.areHidden ? {} : { masqueraded: true }) : from === '' ? {} : { fromCIDR: from }),
    to: way.to,
    ...(toNamespace === null ? {} : { toNamespace }),
    ...(typeof source.pods === 'string' ? {} : { toPods: source.pods }),
    ...(to === '' ? {} : { toCIDR: to }),
    ...(protocol === null || (protocol === 'TCP' && ports.length > 0) ? {} : { protocol }),
    ...(ports.length === 0 ? {} : { ports: portsValue(ports) }),
  };
}

/** Empty for all pods of a cluster; `null` for networks that no entry can name. */
function podsText({ networks }: End, pods: Pods): string | null {
  if (networks.length === pods.networks.length && networks.every((it) => pods.networks.includes(it))) return '';
  return networks.length === 1 ? (networks[0] ?? null) : null;
}

function portsValue(ports: readonly string[]): NonNullable<BoundaryEntry['ports']> {
  const values = [...ports].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const [first = 0, ...more] = values.map((it) => (it.includes('-') ? it : Number(it)));
  return more.length === 0 ? first : [first, ...more];
}

/** Keeps candidates until no further one adds a rule: first those that add most. */
function fewest(way: Way, candidates: Iterable<Candidate>) {
  const left = new Set([
    ...(way.fence ?? []).map((it) => fenceKey(it.source, it.destination, portsKey(it))),
    ...(['ingress', 'egress'] as const).flatMap((side) => (way[side] ?? []).map((it) => policyKey(side, it))),
  ]);
  const entries: BoundaryEntry[] = [];
  let rest = [...candidates];
  while (rest.length > 0 && left.size > 0) {
    const counted = rest.map((it) => ({ it, count: it.adds.filter((one) => left.has(one)).length }));
    const [best] = counted.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
    if (best === undefined) break;
    entries.push(best.it.entry);
    for (const it of best.it.adds) left.delete(it);
    rest = rest.filter((it) => it !== best.it);
  }
  return { entries, rules: left.size };
}

/** Entries that differ only in their ports as one. The rules of policies have the ports of one entry each, so there they stay. */
function withPortsTogether(entries: readonly BoundaryEntry[]): readonly BoundaryEntry[] {
  const listed = (it: BoundaryEntry): readonly string[] => [it.ports ?? []].flat().map(String);
  const groups = groupBy(entries, ({ ports, ...it }) => [JSON.stringify([it, ports !== undefined])]);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const ports = [first, ...others].flatMap(listed);
    return ports.length === 0 ? [first] : [{ ...first, ports: portsValue(ports) }];
  });
}

const distinct = <T>(items: readonly T[], textOf: (item: T) => string): readonly T[] => [
  ...new Map(items.map((it) => [textOf(it), it])).values(),
];

/** Without the entries that follow from those about an offloaded namespace: they are about its pods in a provider. */
export function withoutRemoteNamespaces(
  entries: readonly BoundaryEntry[],
  { offloading = [], sharing = [] }: Topology,
): readonly BoundaryEntry[] {
  const owners = new Map(
    offloading
      .filter((it) => it.pods !== 'Local')
      .flatMap((it) => {
        const lenders = sharing.filter((one) => one.consumer === it.cluster).map((one) => String(one.provider));
        const remote = it.remoteName ?? `${it.namespace}-${it.cluster}`;
        const owner = { cluster: String(it.cluster), namespace: it.namespace };
        const providers = Array.isArray(it.to) ? it.to : lenders;
        return providers.map((provider) => [`${provider} ${remote}`, owner] as const);
      }),
  );
  const keys = new Set(entries.map(entryKey));
  return entries.filter((it) => {
    const sender = it.fromCIDR === undefined ? owners.get(`${String(it.from)} ${it.fromNamespace}`) : undefined;
    const receiver = it.toCIDR === undefined ? owners.get(`${String(it.to)} ${it.toNamespace}`) : undefined;
    const from = sender === undefined ? {} : { from: sender.cluster, fromNamespace: sender.namespace };
    const to = receiver === undefined ? {} : { to: receiver.cluster, toNamespace: receiver.namespace };
    const own = entryKey(it);
    const origins = [
      { ...it, ...from },
      { ...it, ...to },
      { ...it, ...from, ...to },
    ].map(entryKey);
    return !origins.some((one) => one !== own && keys.has(one));
  });
}

const entryKey = (it: BoundaryEntry): string => JSON.stringify(Object.entries(it).sort(by(([key]) => key)));

/**
 * Entries about every closed direction, every sender of a receiver, or every receiver of a sender as one: `{}` selects those with
 * a closed link.
 */
export function withSelectors(
  entries: readonly BoundaryEntry[],
  closed: readonly Way[],
  { offloading = [] }: Topology,
): readonly BoundaryEntry[] {
  // An entry about all clusters would also be about the providers of such a namespace.
  const isOffloaded = (namespace: string | undefined): boolean => offloading.some((it) => it.namespace === namespace);
  const mayBeAll = {
    from: (it: BoundaryEntry): boolean => it.fromCIDR === undefined && !isOffloaded(it.fromNamespace),
    to: (it: BoundaryEntry): boolean => it.toCIDR === undefined && !isOffloaded(it.toNamespace),
  };
  const [senders, receivers] = [groupBy(closed, (it) => [it.to]), groupBy(closed, (it) => [it.from])];
  const together = (them: readonly BoundaryEntry[], ends: readonly ('from' | 'to')[]): readonly BoundaryEntry[] => {
    const all = Object.fromEntries(ends.map((it) => [it, {}]));
    const groups = groupBy(them, (it) => [entryKey({ ...it, ...all })]);
    return [...groups.values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined || !ends.every((end) => mayBeAll[end](first))) return same;
      const meant =
        ends.length === 2
          ? closed
          : ((ends[0] === 'from' ? senders.get(String(first.to)) : receivers.get(String(first.from))) ?? []);
      return meant.length === same.length && meant.length > 1 ? [{ ...first, ...all }] : same;
    });
  };
  const merged = together(together(together(entries, ['from', 'to']), ['from']), ['to']);
  return [...merged].sort(by((it) => [it.to, it.from].map((end) => (typeof end === 'string' ? end : '')).join(' ')));
}
