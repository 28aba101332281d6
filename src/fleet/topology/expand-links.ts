import { firstOf, listOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { LinkEntry, ObjectNames } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located } from '../../base/source/source.ts';
import type { Declaration, LinkDeclaration, NamesDeclaration, ServiceType, TemplateName } from './declaration.ts';
import type { Report } from './report.ts';
import { type LinkableCluster, type Pair, pairKey, readSelector, type Selector, selectPairs } from './selector.ts';

interface WrittenLinks {
  readonly peerings: readonly Reading<LinkEntry>[];
  readonly shortcuts: readonly Reading<LinkEntry>[];
  /** By name, sorted; read only if an entry has labels. */
  readonly clusters: () => ReadonlyMap<string, LinkableCluster>;
}

/** The most pairs that one entry may select: a little more than every pair of 45 clusters. */
const MOST_PAIRS = 1000;

/** The most pairs that all entries may select: the limit of links in a fleet. */
const MOST_PAIRS_IN_ALL = 50_000;

/**
 * Reads `peerings` and `shortcuts`; an entry with labels becomes one link per selected pair. Pairs with their own entry
 * are left out, so that these can have options. A shortcut is selected only for a pair with a common hub and no other
 * link.
 */
export function expandLinks(
  { peerings, shortcuts, clusters }: WrittenLinks,
  report: Report,
): Pick<Declaration, 'peerings' | 'shortcuts'> {
  const linked = new Set<string>();
  for (const it of [...peerings, ...shortcuts])
    if (readLinkEnds(it) === undefined) linked.add(pairKey(readLink(it).between));
  const selectedBy = new Map<string, Reading<LinkEntry>>();
  let left = MOST_PAIRS_IN_ALL;
  const expand = (entry: Reading<LinkEntry>, isWanted: (pair: Pair) => boolean): readonly LinkDeclaration[] => {
    const link = readLink(entry);
    const ends = readLinkEnds(entry);
    if (ends === undefined) return [link];
    const { most, pairs } = selectPairs(ends, clusters());
    if (most > Math.min(MOST_PAIRS, left)) {
      report(tooMany(entry, most));
      return [];
    }
    left -= most;
    const selected = pairs().filter((it) => !linked.has(pairKey(it)) && isWanted(it));
    if (selected.length === 0) report(selectsNoLink(entry));
    const again = selected.filter((it) => selectedBy.has(pairKey(it)));
    const [first] = again;
    const earlier = first && selectedBy.get(pairKey(first));
    if (earlier !== undefined) report(selectsAgain(entry, earlier, again));
    const chosen = selected.filter((it) => !selectedBy.has(pairKey(it)));
    for (const it of chosen) selectedBy.set(pairKey(it), entry);
    return chosen.map((between) => ({ ...link, between }));
  };
  const selectedPeerings = peerings.flatMap((it) => expand(it, () => true));
  for (const it of selectedPeerings) linked.add(pairKey(it.between));
  const isShortcut = (pair: Pair): boolean => haveOnlyHubsInCommon(pair.map((it) => clusters().get(it.value)));
  return { peerings: selectedPeerings, shortcuts: shortcuts.flatMap((it) => expand(it, isShortcut)) };
}

/** True when two clusters have a common hub, and neither is a hub of the other; also for unknown clusters. */
function haveOnlyHubsInCommon([a, b]: readonly (LinkableCluster | undefined)[]): boolean {
  if (a === undefined || b === undefined) return true;
  if (a.hubs.includes(b.name) || b.hubs.includes(a.name)) return false;
  return a.hubs.some((it) => b.hubs.includes(it));
}

const tooMany = (entry: Reading<LinkEntry>, count: number): Diagnostic =>
  diagnostic(
    'topology/too-many-links',
    entry.at('between').span,
    `the labels select ${count} pairs of clusters; an entry may select ${MOST_PAIRS}, and all entries together ${MOST_PAIRS_IN_ALL}`,
    { hint: 'select fewer clusters, or give them a hub in common instead of a link for each pair' },
  );

const selectsNoLink = (entry: Reading<LinkEntry>): Diagnostic =>
  diagnostic('topology/selects-no-link', entry.at('between').span, 'the labels select no two clusters to link', {
    hint: 'check `labels` of the clusters, or remove the entry; a shortcut needs two spokes of one hub, and pairs that are listed on their own are left out',
  });

const selectsAgain = (entry: Reading<LinkEntry>, earlier: Reading<LinkEntry>, pairs: readonly Pair[]): Diagnostic => {
  const names = pairs.map((pair) => listOf(pair.map((it) => quoted(it.value))));
  return diagnostic(
    'topology/duplicate-link',
    entry.at('between').span,
    `the labels select what another entry selects: ${firstOf(names, 1)}`,
    {
      hint: 'select each pair with one entry, or list it on its own, with its options',
      related: [{ message: 'the other entry', span: earlier.at('between').span }],
    },
  );
};

/** An entry of `peerings` or `shortcuts`: two names, or two names with options. */
function readLink(link: Reading<LinkEntry>): LinkDeclaration {
  const [a, b] = link.texts() ?? link.at('between').texts() ?? [];
  const nowhere = { value: '', at: link.span };
  const template = link.at('template');
  const both = template.scalar();
  const annotations = link.at('serviceAnnotations');
  const forBoth = both ? { name: both.value, namespace: null } : null;
  return {
    at: link.span,
    between: [a ?? nowhere, b ?? nowhere],
    server: link.at('server').scalar() ?? null,
    mtuBytes: link.at('mtu').scalar() ?? null,
    boundary: link.at('boundary').scalar()?.value ?? null,
    service: link.at('service').scalar() ?? null,
    servicePort: link.at('servicePort').scalar() ?? null,
    nodePort: link.at('nodePort').scalar() ?? null,
    loadBalancerIP: link.at('loadBalancerIP').scalar() ?? null,
    address: link.at('address').scalar() ?? null,
    port: link.at('port').scalar() ?? null,
    names: link.at('names').entries().map(readNames),
    template: {
      server: readTemplate(template.at('server')) ?? forBoth,
      client: readTemplate(template.at('client')) ?? forBoth,
    },
    serviceAnnotations: annotations.isPresent ? { value: annotations.textMap(), at: annotations.keySpan } : null,
  };
}

function readNames({ name, value }: NamedObjects): NamesDeclaration {
  const textAt = (key: keyof ObjectNames): Located<string> | null => value.at(key).scalar() ?? null;
  return {
    cluster: name,
    namespace: textAt('namespace'),
    configuration: textAt('configuration'),
    gateway: textAt('gateway'),
    publicKey: textAt('publicKey'),
    secret: textAt('secret'),
  };
}

interface NamedObjects {
  readonly name: Located<string>;
  readonly value: Reading<ObjectNames>;
}

function readTemplate(
  template: Reading<string | { readonly name: string; readonly namespace?: string }>,
): TemplateName | null {
  const name = template.scalar() ?? template.at('name').scalar();
  return name ? { name: name.value, namespace: template.at('namespace').scalar()?.value ?? null } : null;
}

/** The ends of an entry with labels, which both ends may share; `undefined` for two names. */
function readLinkEnds(entry: Reading<LinkEntry>): readonly [Selector, Selector] | undefined {
  const between = entry.at('between');
  if (!between.isPresent) return undefined;
  if (!between.isList) {
    const both: Selector = { kind: 'labels', labels: between.textMap(), at: between.span };
    return [both, both];
  }
  const [first, second] = between.items().map(readSelector);
  if (first === undefined || second === undefined) return undefined;
  return first.kind === 'labels' || second.kind === 'labels' ? [first, second] : undefined;
}

/** The types of Service that links set for server ends, by cluster; without `server`, for both ends. */
export function servicesOfLinks(links: readonly LinkDeclaration[]): ReadonlyMap<string, ReadonlySet<ServiceType>> {
  const services = new Map<string, Set<ServiceType>>();
  for (const { between, server, service } of links) {
    if (!service) continue;
    for (const { value } of server ? [server] : between) {
      const known = services.get(value) ?? new Set<ServiceType>();
      services.set(value, known.add(service.value));
    }
  }
  return services;
}
