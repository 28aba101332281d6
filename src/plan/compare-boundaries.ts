import { groupBy, sortedUnique } from '../base/core/collections.ts';
import { contains, moveHost, samePrefix } from '../base/net/prefix.ts';
import { printPrefix, readPrintedPrefix } from '../base/net/text.ts';
import type { Difference, ValueChange } from './difference.ts';
import { type NetworkState, pairOf } from './network-state.ts';
import { type FileChange, isPart, isPolicy, type PlanFile } from './plan-file.ts';
import { listAt, type ManifestLines, readManifestLines } from './read-manifest-lines.ts';

/** Rules of a policy that differ between two texts, each as one line; addresses are translated when both networks are known. */
export function policyValues(was: string | null, is: string | null): readonly ValueChange[] {
  const [before, after] = [was, is].map((it) => new Set(it === null ? [] : readManifestLines(it).flatMap(policyRules)));
  const gone = [...(before ?? [])].filter((it) => !after?.has(it));
  const come = [...(after ?? [])].filter((it) => !before?.has(it));
  return [
    ...gone.map((it): ValueChange => ({ what: 'rule', from: it, to: null })),
    ...come.map((it): ValueChange => ({ what: 'rule', from: null, to: it })),
  ];
}

/** The rules of a policy: `in shop 10.81.0.0/16 TCP 5432`, or `in shop 10.81.0.0/16 shut` for a network that it excludes. */
function policyRules(lines: ManifestLines): readonly string[] {
  const namespace = lines.get('metadata.namespace') ?? '';
  return (['ingress', 'egress'] as const).flatMap((side) => {
    const [way, peers] = side === 'ingress' ? ['in', 'from'] : ['out', 'to'];
    return indexes(lines, `spec.${side}`).flatMap((rule) =>
      indexes(lines, `${rule}.${peers}`).flatMap((peer) => {
        const cidr = lines.get(`${peer}.ipBlock.cidr`);
        const shut = listAt(lines, `${peer}.ipBlock.except`).map((it) => `${way} ${namespace} ${it} shut`);
        const isPeer = cidr !== undefined && shut.length === 0 && !/\/0$/.test(cidr);
        return isPeer ? [`${way} ${namespace} ${cidr} ${portsIn(lines, rule)}`] : shut;
      }),
    );
  });
}

function portsIn(lines: ManifestLines, rule: string): string {
  const texts = indexes(lines, `${rule}.ports`).map((it) => {
    const [protocol, port, last] = ['protocol', 'port', 'endPort'].map((key) => lines.get(`${it}.${key}`));
    return [protocol, port === undefined ? '' : last === undefined ? ` ${port}` : ` ${port}-${last}`].join('');
  });
  return texts.length === 0 ? 'every port' : texts.join(', ');
}

/** The paths of the entries of a list that contain values. */
function indexes(lines: ManifestLines, list: string): readonly string[] {
  const start = `${list}.`;
  const found = [...lines.keys()].flatMap((it) =>
    it.startsWith(start) ? (it.slice(start.length).split('.')[0] ?? []) : [],
  );
  return sortedUnique(found.filter((it) => /^\d+$/.test(it)))
    .toSorted((a, b) => Number(a) - Number(b))
    .map((it) => `${start}${it}`);
}

/** One difference for each cluster whose policies differ, with names in place of the addresses under which it sees its peers. */
export function boundaryDifferences(
  files: readonly (PlanFile & FileChange)[],
  before: NetworkState,
  after: NetworkState,
): readonly Difference[] {
  const ofPolicies = files.filter((it) => isPart(it, 'boundaries') && !it.onlyLayout && !it.onlyToolAnnotations);
  return [...groupBy(ofPolicies, (it) => [it.cluster ?? ''])].map(([cluster, list]): Difference => {
    const values = list.flatMap((it) => it.values ?? []);
    const sentences = (side: 'from' | 'to', state: NetworkState): ReadonlySet<string> =>
      new Set(values.flatMap((it) => (it[side] === null ? [] : sentenceOf(it[side], cluster, state))));
    const [was, is] = [sentences('from', before), sentences('to', after)];
    const gone = [...was].filter((it) => !is.has(it));
    const come = [...is].filter((it) => !was.has(it));
    return {
      kind: 'boundary-changed',
      cluster,
      opened: [...come.filter((it) => !isShut(it)), ...gone.filter(isShut)].sort(),
      closed: [...come.filter(isShut), ...gone.filter((it) => !isShut(it))].sort(),
      policies: list.filter(isPolicy).length,
      paths: list.map((it) => it.path),
    };
  });
}

const ALL_ELSE = 'all else ';

const isShut = (sentence: string): boolean => sentence.startsWith(ALL_ELSE);

/** `rome to namespace shop on TCP 5432`. */
function sentenceOf(rule: string, cluster: string, state: NetworkState): string {
  const [, way = '', namespace = '', network = '', ports = ''] = /^(\S+) (\S+) (\S+) (.*)$/.exec(rule) ?? [];
  const peer = peerSeenAs(network, cluster, state);
  const ends = way === 'in' ? `${peer} to namespace ${namespace}` : `namespace ${namespace} to ${peer}`;
  return ports === 'shut' ? `${ALL_ELSE}from ${ends}` : `${ends} on ${ports}`;
}

/** The peer that a cluster sees under these addresses, with its own part of its network. */
function peerSeenAs(text: string, cluster: string, { clusters, links }: NetworkState): string {
  const network = readPrintedPrefix(text);
  for (const peer of clusters.get(cluster)?.peers ?? []) {
    for (const view of links.get(pairOf(cluster, peer))?.sides.get(cluster)?.views ?? []) {
      const [seenAs, cidr] = [readPrintedPrefix(view.seenAs), readPrintedPrefix(view.cidr)];
      if (!network || !seenAs || !cidr || !contains(seenAs, network)) continue;
      if (view.kind === 'external')
        return network.length === 32 ? `what ${peer} masquerades` : `what ${peer} masquerades or maps`;
      const own = printPrefix({ base: moveHost(network.base, cidr), length: network.length });
      return samePrefix(seenAs, network) ? peer : `${peer} (${own})`;
    }
  }
  return text;
}
