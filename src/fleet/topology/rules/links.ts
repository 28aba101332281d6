import { byCodeUnit, sortedUnique, valueAt } from '../../../base/core/collections.ts';
import { utf8Length } from '../../../base/core/encodings.ts';
import { countOf, firstOf, quoted, someOf } from '../../../base/core/words.ts';
import { clustersOf, type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { meantHints } from '../../../base/diagnostics/did-you-mean.ts';
import { containsAddress } from '../../../base/net/prefix.ts';
import { readAddress } from '../../../base/net/text.ts';
import type { Located, Span } from '../../../base/source/source.ts';
import type { Declaration } from '../declaration.ts';
import { nearestLabel } from '../formats/dns-names.ts';
import { checkDialAddress, checkLoadBalancerIP, checkMtu, checkPort } from '../read-gateway.ts';
import type { Selector } from '../selector.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Hubs, links, the order, boundaries, assertions, acceptances, sharing and offloading name only clusters that the topology declares. */
export const linksNameKnownClusters: TopologyRule = function* (topology) {
  const known = new Set(topology.names.map((it) => it.value));
  const uses = [
    ...topology.hubs,
    ...topology.clusters.flatMap((it) => it.hubs ?? []),
    ...topology.peerings.flatMap((it) => it.between),
    ...topology.shortcuts.flatMap((it) => it.between),
    ...topology.order,
    ...topology.assertions.flatMap((it) => [it.from, it.to]).flatMap(namedCluster),
    ...topology.serviceAssertions.flatMap((it) => [...namedCluster(it.from), ...(it.to.of ? [it.to.of] : [])]),
    ...topology.sharing.flatMap((it) => [it.consumer, it.provider]).flatMap(namedCluster),
    ...topology.boundaries.flatMap((it) => [it.from, it.to]).flatMap(namedCluster),
    ...topology.acceptances.flatMap(({ where }) => clustersOf(where)),
    ...topology.offloading.flatMap((it) => [it.cluster, ...(it.to ?? []).flatMap(namedCluster)]),
  ];
  const names = [...known];
  const [meant, declared] = [meantHints(names), firstOf(names.toSorted(byCodeUnit), SHOWN_NAMES)];
  // A name that is not valid is reported where it is declared, with the name that is used here.
  const corrected = new Set(names.map(nearestLabel).filter((it) => !known.has(it)));
  for (const use of uses) {
    if (known.has(use.value) || corrected.has(use.value)) continue;
    const hint =
      hintForOtherText(use.value, topology) ??
      meant(use.value) ??
      `declare "${use.value}" below \`clusters\`, remove it here, or name one of: ${declared}`;
    yield diagnostic('topology/unknown-cluster', use.at, `no cluster is called "${use.value}"`, { hint });
  }
};

/** The most declared names in a hint. */
const SHOWN_NAMES = 8;

/** The hint for a text that is no misspelt name: an address, labels, several names, a name with more behind it. */
function hintForOtherText(text: string, { clusters, names }: Declaration): string | undefined {
  if (/^[a-z\d-]*$/.test(text)) return undefined;
  const address = readAddress(text.replace(/[:/]\d+$/, ''));
  if (address !== undefined) {
    const owner = clusters.find((it) => it.podCIDRs.some(({ value }) => containsAddress(value, address)));
    return owner
      ? `write ${owner.name}: ${text} is in its pod CIDR`
      : `write the name of a cluster: "weft whois ${text.replace(/[:/]\d+$/, '')}" shows whose it is`;
  }
  if (text === '*') return 'write {} for all clusters';
  const [, label, value] = /^([\w./-]+) *={1,2} *([\w.-]+)$/.exec(text) ?? [];
  if (label !== undefined) return `write labels as a map: { ${label}: ${value} }`;
  const isName = (it: string): boolean => names.some((name) => name.value === it);
  const parts = text.split(/[\s,;]+/);
  if (parts.length > 1 && parts.every(isName))
    return `name one cluster, or write a list where it may be several: [${parts.join(', ')}]`;
  const named = text.split(/[^\w-]+/).find(isName);
  return named === undefined ? undefined : `write only the name of the cluster: ${named}`;
}

const namedCluster = (it: Selector): readonly Located<string>[] =>
  it.kind === 'cluster' ? [{ value: it.name, at: it.at }] : [];

/** A link joins two different clusters, and `server` and `names` name only these. */
export const linksJoinTwoClusters: TopologyRule = function* (topology) {
  for (const link of [...topology.peerings, ...topology.shortcuts]) {
    const [a, b] = link.between;
    if (a.value === b.value) {
      yield diagnostic('topology/self-link', b.at, `"${a.value}" is linked to itself`, {
        hint: 'name two different clusters',
        related: [{ message: 'the same cluster is named here', span: a.at }],
      });
      continue;
    }
    const ends = `"${a.value}" or "${b.value}"`;
    const named = [
      ...(link.server ? [{ ...link.server, hint: `set \`server\` to ${ends}` }] : []),
      ...link.names.map((it) => ({
        ...it.cluster,
        hint: `write the names below ${ends}, the cluster that has the objects`,
      })),
    ];
    for (const { value, at, hint } of named) {
      if (value === a.value || value === b.value) continue;
      yield diagnostic('topology/unknown-end', at, `"${value}" is not an end of this link`, { hint });
    }
  }
  for (const cluster of topology.clusters) {
    for (const hub of cluster.hubs ?? []) {
      if (hub.value !== cluster.name) continue;
      yield diagnostic('topology/self-link', hub.at, `"${cluster.name}" is its own hub`, {
        hint: 'name another cluster, or set `hub: []` for a cluster without a hub',
      });
    }
  }
};

/**
 * The most links of one topology: git and Argo CD become unusable long before. It allows hubs with tens of thousands of
 * spokes; more links are usually a mistake, a list of hubs that connects everything.
 */
const MAX_LINKS = 50_000;

/** Manifests, their kustomization, and the rules of gateway and nodes, at both ends. */
const FILES_PER_LINK = 8;

/** Reports the size of a result that would be too large: a list of hubs multiplies with the clusters. */
export const linksCanBeWritten: TopologyRule = function* (declaration) {
  const links = sumOverLinks(declaration, () => 1);
  if (links <= MAX_LINKS) return;
  const at = declaration.hubs[0]?.at ?? declaration.name.at;
  const size = `${withThousands(links)} links, and out/ would have about ${withThousands(links * FILES_PER_LINK)} files`;
  yield diagnostic('topology/too-many-links', at, `the fleet would have ${size}`, {
    hint: `list fewer hubs, or describe parts of the fleet in topologies of their own: weft compiles up to ${withThousands(MAX_LINKS)} links`,
  });
};

/**
 * The sum, over all links, of the weights of both ends multiplied; without a list of the links, which may be too many. Entries of
 * hub links in `peerings` count twice, which does not matter here.
 */
function sumOverLinks(
  { clusters, hubs, peerings, shortcuts }: Declaration,
  weightOf: (cluster: string) => number,
): number {
  const isHub = new Set(hubs.map((it) => it.value));
  const weightOfAll = (them: typeof hubs): number => them.reduce((sum, it) => sum + weightOf(it.value), 0);
  const ofHubs = weightOfAll(hubs);
  const ofSpokes = clusters.map(
    ({ name, hubs: own }) => weightOf(name) * (own === null ? (isHub.has(name) ? 0 : ofHubs) : weightOfAll(own)),
  );
  const ofPairs = [...peerings, ...shortcuts].map(({ between: [a, b] }) => weightOf(a.value) * weightOf(b.value));
  return [...ofSpokes, ...ofPairs].reduce((sum, it) => sum + it, 0);
}

/** The most bytes that one kind of text may multiply to: with more, git and the memory of a machine are not enough. */
const MAX_BYTES = 100_000_000;

/** Bytes of a rule in the ruleset of nodes, and of everything else about a pod CIDR of a peer, in all files of both ends. */
const BYTES_PER = { rule: 165, view: 900 } as const;

const megabytes = (bytes: number): string => `${withThousands(Math.round(bytes / 1e6))} MB`;

/**
 * Reports the size of what follows from lists of pod CIDRs before it is made: both ends of a link have a rule for each of their
 * own towards each one of the peer, and texts about each, so that some kilobytes become hundreds of megabytes.
 */
export const rulesCanBeWritten: TopologyRule = function* (declaration) {
  const counts = new Map(declaration.clusters.map((it) => [it.name, it.retired ? 0 : it.podCIDRs.length]));
  const countOfPods = (it: string): number => counts.get(it) ?? 0;
  const links = sumOverLinks(declaration, () => 1);
  const rules = 2 * sumOverLinks(declaration, countOfPods);
  const views = sumOfEnds(declaration, countOfPods);
  // The rules and views of one pod CIDR each are part of every link.
  const bytes = BYTES_PER.rule * (rules - 2 * links) + BYTES_PER.view * (views - 2 * links);
  if (bytes <= MAX_BYTES) return;
  const [most] = [...declaration.clusters].sort((a, b) => b.podCIDRs.length - a.podCIDRs.length);
  if (most === undefined) return;
  yield diagnostic(
    'topology/too-many-rules',
    most.podCIDRs[0]?.at ?? most.at,
    `the pod CIDRs of the fleet would become ${withThousands(rules)} rules of nodes and ${withThousands(views)} views of peers, about ${megabytes(bytes)} in out/`,
    {
      hint: `use fewer and larger pod CIDRs ("${most.name}" has ${withThousands(most.podCIDRs.length)}), or describe parts of the fleet in topologies of their own: weft compiles up to ${megabytes(MAX_BYTES)} of them`,
    },
  );
};

/** The sum, over all links, of the weights of both ends. */
const sumOfEnds = (declaration: Declaration, weightOf: (cluster: string) => number): number =>
  sumOverLinks(declaration, (it) => 1 + weightOf(it)) -
  sumOverLinks(declaration, weightOf) -
  sumOverLinks(declaration, () => 1);

/** Bytes of a reserved network in a bundle, and how many of them a cluster may have anyway. */
const RESERVED = { bytes: 380, usual: 32 } as const;

/**
 * Reports what is written once for each link of a gateway, for each loan of an entry of `sharing`, or in each cluster, and
 * multiplies to too much: annotations, labels and reserved networks.
 */
export const repeatedPartsCanBeWritten: TopologyRule = function* (declaration) {
  const sizes = declaration.clusters.map((cluster) => ({
    cluster,
    bytes: bytesOfTexts(cluster.gateway.serviceAnnotations),
  }));
  const bySize = new Map(sizes.map(({ cluster, bytes }) => [cluster.name, bytes]));
  const ofGateways = sumOfEnds(declaration, (it) => bySize.get(it) ?? 0);
  const [most] = sizes.sort((a, b) => b.bytes - a.bytes);
  if (most !== undefined && ofGateways > MAX_BYTES)
    yield tooLong(most.cluster.at, '`serviceAnnotations` are written for each link of a gateway', ofGateways);
  const extra = declaration.clusters.map((it) => Math.max(0, it.reserved.length - RESERVED.usual));
  const reserved = RESERVED.bytes * extra.reduce((sum, it) => sum + it, 0);
  const first = declaration.clusters.find((it) => it.reserved.length > RESERVED.usual);
  if (first !== undefined && reserved > MAX_BYTES)
    yield tooLong(first.reserved[0]?.at ?? first.at, '`reserved` is written for each cluster', reserved);
  for (const { at, consumer, provider, slices } of declaration.sharing) {
    const bytes = slices.reduce(
      (sum, { virtualNode }) => sum + bytesOfTexts(virtualNode?.labels) + bytesOfTexts(virtualNode?.annotations),
      0,
    );
    const all = bytes * countSelected(declaration, consumer) * countSelected(declaration, provider);
    if (all > MAX_BYTES)
      yield tooLong(at, '`labels` and `annotations` of a virtual node are written for each loan', all);
  }
};

const bytesOfTexts = (texts: Readonly<Record<string, string>> | undefined = {}): number =>
  Object.entries(texts).reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);

const tooLong = (at: Span, what: string, bytes: number): Diagnostic =>
  diagnostic('topology/wrong-value', at, `${what}, about ${megabytes(bytes)} in out/`, {
    hint: `shorten or remove some of them: weft compiles up to ${megabytes(MAX_BYTES)}`,
  });

/** Prints 1999000 as `1,999,000`. */
const withThousands = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** The most loans of one topology: `consumer: {}` with `provider: {}` selects the square of the clusters. */
const MAX_LOANS = 50_000;

/** Reports the number of loans before they are created. */
export const loansCanBeWritten: TopologyRule = function* (declaration) {
  let loans = 0;
  for (const { at, consumer, provider } of declaration.sharing) {
    loans += countSelected(declaration, consumer) * countSelected(declaration, provider);
    if (loans <= MAX_LOANS) continue;
    yield diagnostic(
      'topology/too-many-loans',
      at,
      `\`sharing\` up to here selects ${countOf(loans, 'pair')} of clusters`,
      {
        hint: `select fewer, or describe parts of the fleet in topologies of their own: weft compiles up to ${MAX_LOANS} loans`,
      },
    );
    return;
  }
};

/** An upper limit: retired clusters are counted, and pairs of one cluster. */
function countSelected({ clusters }: Declaration, selector: Selector): number {
  if (selector.kind === 'cluster') return 1;
  const wanted = Object.entries(selector.labels);
  return clusters.filter(({ labels }) => wanted.every(([key, value]) => valueAt(labels, key) === value)).length;
}

/** MTU, ports and address of a link are valid for a tunnel. */
export const linkOptionsAreInRange: TopologyRule = (topology) => {
  const found: Diagnostic[] = [];
  const report = (it: Diagnostic): void => void found.push(it);
  for (const { between, mtuBytes, servicePort, nodePort, loadBalancerIP, port, address } of [
    ...topology.peerings,
    ...topology.shortcuts,
  ]) {
    const link = `link ${between[0].value}-${between[1].value}`;
    if (mtuBytes) checkMtu(mtuBytes, `mtu of ${link}`, report);
    if (nodePort) checkPort(nodePort, `nodePort of ${link}`, report);
    if (servicePort) checkPort(servicePort, `servicePort of ${link}`, report);
    if (loadBalancerIP) checkLoadBalancerIP(loadBalancerIP, `loadBalancerIP of ${link}`, report, '`address`');
    if (port) checkPort(port, `port of ${link}`, report);
    if (address) checkDialAddress(address, `address of ${link}`, report);
  }
  return found;
};

/** The most clusters in a message about spokes. */
const SHOWN_SPOKES = 3;

/** A spoke has a hub that is not retired, or another link. */
export const spokesHaveAHub: TopologyRule = function* ({ clusters, hubs, peerings, shortcuts }) {
  const retired = new Set(clusters.flatMap((it) => (it.retired ? [it.name] : [])));
  if (retired.size === 0) return;
  const linked = new Set(
    [...peerings, ...shortcuts]
      .map(({ between }) => between.map((it) => it.value))
      .filter((it) => !it.some((end) => retired.has(end)))
      .flat(),
  );
  const alone = clusters.filter((it) => {
    const own = (it.hubs ?? hubs).map((hub) => hub.value);
    return !it.retired && !linked.has(it.name) && own.length > 0 && own.every((hub) => retired.has(hub));
  });
  const [first] = alone;
  if (first === undefined) return;
  const gone = sortedUnique(alone.flatMap((it) => (it.hubs ?? hubs).map((hub) => hub.value)));
  const why = `the ${gone.length === 1 ? 'hub' : 'hubs'} ${someOf(gone.map(quoted), SHOWN_SPOKES)} ${gone.length === 1 ? 'is' : 'are'} retired`;
  yield diagnostic(
    'topology/selects-no-link',
    first.at,
    `${someOf(
      alone.map((it) => quoted(it.name)),
      SHOWN_SPOKES,
    )} ${alone.length === 1 ? 'has' : 'have'} no link: ${why}`,
    {
      about: alone.map((it) => [it.name]),
      hint: 'name another cluster in `hub`, list peerings, or set `retired: true` for these, too',
    },
  );
};
