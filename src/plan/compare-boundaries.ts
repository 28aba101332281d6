import { groupBy } from '../base/core/collections.ts';
import { oncePer, oncePerText } from '../base/core/once.ts';
import { contains, moveHost, overlaps, type Prefix } from '../base/net/prefix.ts';
import { printPrefix, readPrintedPrefix } from '../base/net/text.ts';
import type { Difference, ValueChange } from './difference.ts';
import { type NetworkState, pairOf } from './network-state.ts';
import { type FileChange, isPart, isPolicy, type PlanFile } from './plan-file.ts';
import { listAt, type ManifestLines, readManifestLines } from './read-manifest-lines.ts';

/**
 * The rules of the policies and fences in a file, each as one line; names take the place of addresses when both networks are known.
 * Rules that stay are among them, because others may allow less or more of the same. Empty when all of them stay.
 */
export function boundaryValues(was: string | null, is: string | null): readonly ValueChange[] {
  const rules = (it: string | null): readonly string[] =>
    it === null ? [] : readManifestLines(it).flatMap((lines) => RULES_OF[lines.get('kind') ?? '']?.(lines) ?? []);
  const [before, after] = [new Set(rules(was)), new Set(rules(is))];
  const all = [...new Set([...before, ...after])].map((it): ValueChange => {
    return { what: 'rule', from: before.has(it) ? it : null, to: after.has(it) ? it : null };
  });
  return all.some((it) => it.from !== it.to) ? all : [];
}

/** The rules of a fence: `fence rome closed`, or `from rome 10.202.0.0/16 10.203.0.0/16 TCP 5432`. */
function fenceRules(lines: ManifestLines): readonly string[] {
  const peer = lines.get('metadata.labels.liqo.io/remote-cluster-id') ?? '';
  const chains = indexes(lines, 'spec.table.chains');
  const rules = chains.flatMap((it) => indexes(lines, `${it}.rules.natRules`));
  return [
    `fence ${peer} ${chains.length > 0 ? 'closed' : 'open'}`,
    ...rules.flatMap((rule) => {
      const matches = indexes(lines, `${rule}.match`);
      const textOf = (what: string, position?: string): string | undefined =>
        matches
          .filter(
            (it) =>
              lines.get(`${it}.op`) !== 'neq' && [undefined, lines.get(`${it}.${what}.position`)].includes(position),
          )
          .map((it) => lines.get(`${it}.${what}.value`))
          .find((it) => it !== undefined);
      const [source, destination] = [textOf('ip', 'src'), textOf('ip', 'dst')];
      if (source === undefined || destination === undefined) return [];
      const words = [textOf('proto')?.toUpperCase(), textOf('port', 'dst')].filter((it) => it !== undefined);
      return [`from ${peer} ${source} ${destination} ${words.join(' ') || EVERY_PORT}`];
    }),
  ];
}

/**
 * The rules of a policy: `in shop 10.81.0.0/16 TCP 5432`, or `in shop 10.81.0.0/16 shut` for a network that it excludes, with
 * `shop[app=shop]` in place of `shop` for some pods only.
 */
function policyRules(lines: ManifestLines): readonly string[] {
  const selector = 'spec.podSelector.matchLabels.';
  const labels = [...lines].flatMap(([key, value]) =>
    key.startsWith(selector) ? `${key.slice(selector.length)}=${value}` : [],
  );
  const pods = labels.length === 0 ? '' : `[${labels.sort().join(',')}]`;
  const namespace = `${lines.get('metadata.namespace') ?? ''}${pods}`;
  return (['ingress', 'egress'] as const).flatMap((side) => {
    const [way, peers] = side === 'ingress' ? ['in', 'from'] : ['out', 'to'];
    return indexes(lines, `spec.${side}`).flatMap((rule) => {
      const ports = portsIn(lines, rule);
      return indexes(lines, `${rule}.${peers}`).flatMap((peer) => {
        const cidr = lines.get(`${peer}.ipBlock.cidr`);
        const shut = listAt(lines, `${peer}.ipBlock.except`).map((it) => `${way} ${namespace} ${it} shut`);
        const isPeer = cidr !== undefined && shut.length === 0 && !/\/0$/.test(cidr);
        return isPeer ? ports.map((it) => `${way} ${namespace} ${cidr} ${it}`) : shut;
      });
    });
  });
}

function portsIn(lines: ManifestLines, rule: string): readonly string[] {
  const texts = indexes(lines, `${rule}.ports`).map((it) => {
    const [protocol, port, last] = ['protocol', 'port', 'endPort'].map((key) => lines.get(`${it}.${key}`));
    return [protocol, port === undefined ? '' : last === undefined ? ` ${port}` : ` ${port}-${last}`].join('');
  });
  return texts.length === 0 ? [EVERY_PORT] : texts;
}

/** The paths of the entries of a list that contain values, in their order. */
function indexes(lines: ManifestLines, list: string): readonly string[] {
  const start = `${list}.`;
  const found = new Set<string>();
  for (const it of lines.keys()) {
    const [index] = it.startsWith(start) ? (/^\d+(?=\.|$)/.exec(it.slice(start.length)) ?? []) : [];
    if (index !== undefined) found.add(`${start}${index}`);
  }
  return [...found];
}

const RULES_OF: Readonly<Record<string, (lines: ManifestLines) => readonly string[]>> = {
  FirewallConfiguration: fenceRules,
  NetworkPolicy: policyRules,
};

/** One difference for each cluster whose policies or fences differ, with names in place of addresses. */
export function boundaryDifferences(
  files: readonly (PlanFile & FileChange)[],
  before: NetworkState,
  after: NetworkState,
): readonly Difference[] {
  const isMeant = (it: PlanFile & FileChange): boolean =>
    isPart(it, 'boundaries') || (isPart(it, 'peer') && (it.values ?? []).length > 0);
  const ofBoundaries = files.filter((it) => isMeant(it) && !it.onlyLayout && !it.onlyToolAnnotations);
  return [...groupBy(ofBoundaries, (it) => [it.cluster ?? ''])].flatMap(([cluster, list]): readonly Difference[] => {
    const values = list.flatMap((it) => it.values ?? []);
    const sentences = (side: 'from' | 'to', state: NetworkState): Sentences =>
      sentencesByEnds(new Set(values.flatMap((it) => (it[side] === null ? [] : sentenceOf(it[side], cluster, state)))));
    const [was, is] = [sentences('from', before), sentences('to', after)];
    const gone = notCovered(was, is).map((it) => withoutOpen(it, is));
    const come = notCovered(is, was);
    const [allGone, allCome] = [new Set(gone), new Set(come)];
    const fences = (side: 'from' | 'to', which: string): readonly string[] =>
      values.flatMap((it) => new RegExp(`^fence (\\S+) ${which}$`).exec(it[side] ?? '')?.[1] ?? []);
    const kept = fences('to', '(?:open|closed)');
    const shut = come.filter(isShut);
    const isNew = (sentence: string): boolean => !before.links.has(pairOf(cluster, closedPeer(sentence, cluster)));
    const changed: Difference = {
      kind: 'boundary-changed',
      cluster,
      // Between ends that were open before, what a new boundary lets through is nothing new; and the reverse.
      opened: byEnds([
        ...come.filter((it) => !isShut(it) && !allCome.has(shutOf(it))),
        ...withoutParts(gone.filter(isShut)),
      ]),
      closed: byEnds([
        ...withoutParts(shut.filter((it) => !isNew(it))),
        ...gone.filter((it) => !isShut(it) && !allGone.has(shutOf(it))),
      ]),
      closedFromTheStart: withoutOpenings(withoutParts(shut.filter(isNew)), come),
      policies: list.filter(isPolicy).length,
      stale: fences('from', 'closed').filter((it) => !kept.includes(it) && after.links.has(pairOf(cluster, it))),
      gone: namespacesOf(list, 'remove'),
      come: namespacesOf(list, 'add'),
      paths: list.map((it) => it.path),
    };
    const isEmpty = was.size + is.size === 0 && list.every((it) => it.change === 'add' && isPart(it, 'peer'));
    return isEmpty ? [] : [changed];
  });
}

/** The namespaces whose policies come, or go. */
const namespacesOf = (list: readonly (PlanFile & FileChange)[], change: FileChange['change']): readonly string[] =>
  list.flatMap((it) =>
    isPolicy(it) && it.change === change && it.place?.part === 'boundaries' ? [it.place.name] : [],
  );

/** The peer of a sentence that refuses all else: `all else from rome to milan`, `all else from namespace web to milan`. */
const closedPeer = (sentence: string, cluster: string): string => {
  const [, from = '', to = ''] = /^all else from (?:namespace )?(\S+) to (?:namespace )?(\S+)/.exec(sentence) ?? [];
  return from === cluster || /^all else from namespace /.test(sentence) ? to : from;
};

/** Names what closed pairs refuse: `all else from rome to milan`, or `all from oslo to milan` where nothing is. */
function withoutOpenings(shut: readonly string[], come: readonly string[]): readonly string[] {
  const opened = new Set(come.filter((it) => !isShut(it)).map(shutOf));
  return byEnds(shut.map((it) => (opened.has(it) ? it : it.replace(ALL_ELSE, 'all '))));
}

/** Different sentences by their ends: a hub has some for each of its peers. */
type Sentences = ReadonlyMap<string, readonly string[]>;

const sentencesByEnds = (sentences: Iterable<string>): Sentences =>
  groupBy([...sentences], (it) => [splitSentence(it).ends]);

/** The sentences without another one about the same ends, and at least these ports. */
const notCovered = (sentences: Sentences, others: Sentences): readonly string[] =>
  [...sentences].flatMap(([ends, them]) => {
    const known = others.get(ends) ?? [];
    return them.filter((it) => !known.some((other) => other === it || covers(other, it)));
  });

/** The sentence with the ports that other sentences open between the same ends. */
function withoutOpen(sentence: string, open: Sentences): string {
  const known = open.get(splitSentence(sentence).ends) ?? [];
  const inside = known.filter((it) => covers(sentence, it)).map((it) => splitSentence(it).ports);
  return inside.length === 0 ? sentence : `${sentence} but ${inside.sort().join(' and ')}`;
}

/** True when one sentence has all ports of another one about the same ends. */
function covers(wide: string, narrow: string): boolean {
  const [outer, inner] = [splitSentence(wide).ports, splitSentence(narrow).ports];
  if (outer === '' || outer === inner) return false;
  if (outer === EVERY_PORT) return true;
  const [first, second] = [spanIn(outer), spanIn(inner)];
  return first.protocol === second.protocol && first.first <= second.first && second.last <= first.last;
}

const splitSentence = (sentence: string): { readonly ends: string; readonly ports: string } => {
  const [ends = '', ports = ''] = sentence.split(' on ');
  return { ends, ports };
};

/** Sentences with the same ends as one, in order. */
const byEnds = (sentences: readonly string[]): readonly string[] =>
  [...sentencesByEnds(sentences.toSorted())].map(([ends, them]) =>
    [ends, them.map((it) => splitSentence(it).ports).join(', ')].filter(Boolean).join(' on '),
  );

/** `TCP 8000-8100`, or `TCP` for every port of the protocol. */
function spanIn(ports: string): { readonly protocol: string; readonly first: number; readonly last: number } {
  const [, protocol = ports, first = '0', last = first === '0' ? '65535' : first] =
    /^(\S+) (\d+)(?:-(\d+))?$/.exec(ports) ?? [];
  return { protocol, first: Number(first), last: Number(last) };
}

export const EVERY_PORT = 'every port';

const ALL_ELSE = 'all else ';

const isShut = (sentence: string): boolean => sentence.startsWith(ALL_ELSE);

/** The sentence that all else between the same ends is refused. */
const shutOf = (sentence: string): string =>
  `${ALL_ELSE}from ${sentence.replace(/ on .*$/, '').replaceAll(/ \([^)]*\)|what (?=\S+ masquerades)| masquerades/g, '')}`;

/** Without what is refused to a namespace, where it is refused to its whole cluster. */
function withoutParts(sentences: readonly string[]): readonly string[] {
  const whole = new Set(sentences.flatMap((it) => /^all else from (\S+) to \S+$/.exec(it)?.[1] ?? []));
  return sentences.filter((it) => !whole.has(/^all else from (\S+) to namespace \S+$/.exec(it)?.[1] ?? ''));
}

/** `rome to namespace shop on TCP 5432`. */
function sentenceOf(rule: string, cluster: string, state: NetworkState): readonly string[] {
  const [way = '', name = '', network = '', ...rest] = rule.split(' ');
  if (way === 'fence') return network === 'closed' ? [`${ALL_ELSE}from ${name} to ${cluster}`] : [];
  if (way === 'from') {
    const [destination = '', ...ports] = rest;
    return [`${podsText(name, network, state)} to ${podsText(cluster, destination, state)} on ${ports.join(' ')}`];
  }
  const [, namespace = name, labels] = /^(.*)\[(.*)\]$/.exec(name) ?? [];
  const inside = `${labels === undefined ? '' : `pods ${labels} of `}namespace ${namespace}`;
  const ports = rest.join(' ');
  return peersSeenAs(network, cluster, state).map((peer) => {
    const ends = way === 'in' ? `${peer} to ${inside}` : `${inside} to ${peer}`;
    return ports === 'shut' ? `${ALL_ELSE}from ${ends}` : `${ends} on ${ports}`;
  });
}

/** The pods of a cluster, with a part of their network where it is not all of it. */
function podsText(cluster: string, network: string, { clusters }: NetworkState): string {
  const own = clusters.get(cluster)?.own.pod ?? [];
  if (own.includes(network)) return cluster;
  return network.endsWith('/32') && !isInOneOf(network, own)
    ? `what ${cluster} masquerades`
    : `${cluster} (${network})`;
}

function isInOneOf(text: string, networks: readonly string[]): boolean {
  const network = readPrintedPrefix(text);
  return networks.some((it) => {
    const around = readPrintedPrefix(it);
    return network !== undefined && around !== undefined && contains(around, network);
  });
}

/**
 * The peers that a cluster sees under these addresses: one with its own part of its network, or all whose networks were joined. The
 * network itself if it is of no peer.
 */
function peersSeenAs(text: string, cluster: string, state: NetworkState): readonly string[] {
  const network = readPrintedPrefix(text);
  const found = new Set<string>();
  for (const { peer, isExternal, seenAs, cidr } of viewsOf(state)(cluster)) {
    if (!network || !overlaps(seenAs, network)) continue;
    if (contains(network, seenAs)) found.add(peer);
    else if (isExternal) found.add(network.length === 32 ? `what ${peer} masquerades` : peer);
    else found.add(`${peer} (${printPrefix({ base: moveHost(network.base, cidr), length: network.length })})`);
  }
  return found.size === 0 ? [text] : [...found];
}

interface ReadView {
  readonly peer: string;
  readonly isExternal: boolean;
  readonly seenAs: Prefix;
  readonly cidr: Prefix;
}

/** The views of a cluster, read once: a policy has a network for each of a hub's peers. */
const viewsOf = oncePer(({ clusters, links }: NetworkState) =>
  oncePerText((cluster: string): readonly ReadView[] =>
    [...(clusters.get(cluster)?.peers ?? [])].flatMap((peer) =>
      (links.get(pairOf(cluster, peer))?.sides.get(cluster)?.views ?? []).flatMap((view) => {
        const [seenAs, cidr] = [readPrintedPrefix(view.seenAs), readPrintedPrefix(view.cidr)];
        return seenAs && cidr ? [{ peer, isExternal: view.kind === 'external', seenAs, cidr }] : [];
      }),
    ),
  ),
);
