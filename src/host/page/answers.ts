import {
  type FleetFacts,
  factsNear,
  factsOfModel,
  factsOfPlan,
  factsSeenBy,
  groupingLabel,
} from '../../answers/graph/fleet-facts.ts';
import { foldFleet, MOST_BOXES } from '../../answers/graph/fold-fleet.ts';
import { drawPicture, type Picture } from '../../answers/graph/svg/print-svg.ts';
import { diagnosticsDocument } from '../../answers/report/diagnostics-document.ts';
import { type HunkLine, hunksOf } from '../../answers/report/diff/hunks-of.ts';
import { commandLines } from '../../answers/report/live-commands.ts';
import { planDocument } from '../../answers/report/plan/plan-answer.ts';
import { stepGroups, usualNames } from '../../answers/report/plan/plan-steps.ts';
import { WHEN_WORDS } from '../../answers/report/plan/plan-tables.ts';
import { openingsWords } from '../../answers/report/ports/openings.ts';
import { drawTrace, type TraceWords, traceWords } from '../../answers/report/trace.ts';
import { pairsWords } from '../../answers/report/trace-pairs.ts';
import { forecastWords } from '../../answers/report/view-forecast.ts';
import { borrowRows, closedRows, legend, marksOf } from '../../answers/report/view-rows.ts';
import { whatIfSections } from '../../answers/report/what-if.ts';
import { inOrder, sortedUnique } from '../../base/core/collections.ts';
import { folderOf } from '../../base/core/folder-files.ts';
import { once } from '../../base/core/once.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { EXPLAIN_PAGES } from '../../base/generated/explain-pages.js';
import { containsAddress, moveHost, samePrefix } from '../../base/net/prefix.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { type Compiled, compile, type Sources } from '../../compile.ts';
import { certificatesIn } from '../../fleet/certificates/certificate.ts';
import {
  type AddressedCluster,
  clusterNamed,
  describeRouted,
  routedNetworks,
} from '../../fleet/ipam/addressed-model.ts';
import type { Link, LinkEnd } from '../../fleet/model/network-model.ts';
import { sharingOf } from '../../fleet/sharing/shared-model.ts';
import { endingCertificates } from '../../live/identities/ending-certificates.ts';
import { diffFleet } from '../../plan/diff/diff-fleet.ts';
import type { ChangedFile } from '../../plan/diff/pairs.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { openingsOf } from '../../reach/ports/openings.ts';
import { representativePod } from '../../reach/trace/address.ts';
import { trace } from '../../reach/trace/trace.ts';
import { traceAll } from '../../reach/trace/trace-all.ts';
import { readEnd } from '../../reach/trace/trace-request.ts';
import { type ClusterView, clusterView } from '../../reach/view/cluster-view.ts';
import { forecast } from '../../reach/view/forecast.ts';
import { listClusters } from '../../reach/view/lists.ts';
import {
  failedClusters,
  findPart,
  findParts,
  type Part,
  printPart,
  withAllKeys,
  without,
} from '../../reach/whatif/parts.ts';
import { type SingleFailure, singleFailures } from '../../reach/whatif/single-failures.ts';
import { whatIf } from '../../reach/whatif/what-if.ts';
import { planBetween } from '../library/plan-between.ts';
import type { PageData } from './page-data.ts';

/** The most clusters in a table with a cell for each pair. */
const WIDEST_MATRIX = 30;

interface OpenFleet {
  readonly data: PageData;
  readonly compiled: Compiled;
  /** The fleet through which packets go. */
  readonly walkable: Compiled['model'];
  readonly diagnostics: readonly Diagnostic[];
  /** The fleet before the changes; `null` without a base, or when it does not compile. */
  readonly before: () => Compiled | null;
  readonly plan: () => Plan | null;
}

/** Facts about the whole fleet, which every view may need. */
export interface FleetSummary {
  readonly name: string;
  readonly weft: string;
  readonly clusters: ReturnType<typeof listClusters>;
  readonly links: number;
  readonly loans: number;
  readonly open: ReturnType<typeof diagnosticsDocument>['summary'];
  /** The name of the base; `null` without one. */
  readonly base: string | null;
  readonly drift: PageData['drift'];
  readonly uncompared: NonNullable<PageData['uncompared']>;
  /** The parts that are switched off when the page opens. */
  readonly without: readonly string[];
  /** The cluster with most to explain: the first that sees a peer at other addresses. */
  readonly viewer: string | null;
  /** A remap that this cluster sees. */
  readonly story: Story | null;
  /** True when packets pass gateways whose keys are still to be made. */
  readonly countsMissingKeys: boolean;
}

/**
 * A fleet with what views of it ask for later.
 *
 * @param nowSeconds since 1970
 */
function openedFleet(data: PageData, nowSeconds: number, { compiled, diagnostics }: JudgedFleet): OpenFleet {
  const { identities } = compiled.inputs;
  const ending = endingCertificates({ identities, shares: compiled.model.shares, nowSeconds });
  const before = once(() => {
    const base = data.base && compile(data.base.sources, { relock: [], only: null, withoutAssertions: true });
    return base?.ok ? base.value : null;
  });
  return {
    data,
    compiled,
    walkable: data.countsMissingKeys ? withAllKeys(compiled.model) : compiled.model,
    diagnostics: [...diagnostics, ...ending],
    before,
    plan: once(() => {
      const base = before();
      return base && planBetween(base, { sources: data.sources, compiled, diagnostics });
    }),
  };
}

/** Sources that compile, and the remarks about them. */
interface JudgedFleet {
  readonly compiled: Compiled;
  readonly diagnostics: readonly Diagnostic[];
}

/** Compiles the sources of a page. Assertions that do not hold do not hide the fleet. */
function compiledSources(sources: Sources): JudgedFleet {
  const judged = compile(sources, { relock: [], only: null });
  if (judged.ok) return { compiled: judged.value, diagnostics: judged.diagnostics };
  const lenient = compile(sources, { relock: [], only: null, withoutAssertions: true, allowReplacements: true });
  if (lenient.ok) return { compiled: lenient.value, diagnostics: judged.diagnostics };
  return bug(lenient.diagnostics[0]?.message ?? 'the sources of the page do not compile');
}

function opened({ data, compiled: { model }, walkable, diagnostics }: OpenFleet): FleetSummary {
  const clusters = listClusters(model);
  const story = firstStory(model);
  return {
    name: model.fleet.name,
    weft: data.weft,
    clusters,
    links: model.links.length,
    loans: model.shares.length,
    open: diagnosticsDocument(diagnostics).summary,
    base: data.base?.name ?? null,
    drift: data.drift,
    uncompared: data.uncompared ?? [],
    without: data.without ?? [],
    viewer: story?.viewer ?? clusters[0]?.cluster ?? null,
    story,
    countsMissingKeys: walkable !== model,
  };
}

interface MapRequest {
  /** Draws the addresses that this cluster sees; `null` for each cluster's own. */
  readonly viewer: string | null;
  /** Draws only these clusters with their neighbours; empty for the whole fleet. */
  readonly near: readonly string[];
  /** Draws only the clusters and links that the base and this fleet have otherwise, as one of the two has them. */
  readonly side: 'before' | 'after' | null;
  /** Parts that are drawn as switched off. */
  readonly without: readonly string[];
}

interface DrawnMap extends Picture {
  readonly summary: string;
}

async function drawnMap(fleet: OpenFleet, { viewer, near, side, without: off }: MapRequest): Promise<DrawnMap> {
  const { model: whole } = (side === 'before' ? fleet.before() : null) ?? fleet.compiled;
  const parts = knownParts(whole, off);
  const model = without(whole, parts);
  const plan = side === null ? null : fleet.plan();
  const labels = sortedUnique([...model.clusters.values()].flatMap((it) => Object.keys(it.labels)));
  const facts = factsOfModel(model, groupingLabel(labels), failedClusters(parts));
  const marked =
    plan === null
      ? facts
      : markedFacts(
          facts,
          factsOfPlan(plan, () => null),
        );
  const shown = near.length === 0 ? marked : factsNear(marked, near);
  const seen = viewer === null ? shown : factsSeenBy(shown, viewOf(model, viewer));
  const graph = foldFleet(seen, { title: model.fleet.name, most: MOST_BOXES });
  return { ...(await drawPicture(graph)), summary: graph.summary };
}

/** The part of a fleet that a plan touches, with the marks of the plan. */
function markedFacts(facts: FleetFacts, touched: FleetFacts): FleetFacts {
  const names = touched.clusters.flatMap((it) => [it.name, ...(it.formerName === null ? [] : [it.formerName])]);
  const marks = new Map(touched.clusters.map((it) => [it.name, it.mark]));
  const linkMarks = new Map(touched.links.map((it) => [inOrder(it.server, it.client).join(' '), it.mark]));
  const known = new Set(facts.clusters.map((it) => it.name));
  const part = factsNear(
    facts,
    names.filter((it) => known.has(it)),
  );
  return {
    clusters: part.clusters.map((it) => ({ ...it, mark: marks.get(it.name) ?? null })),
    links: part.links.map((it) => ({ ...it, mark: linkMarks.get(inOrder(it.server, it.client).join(' ')) ?? null })),
  };
}

const viewOf = (model: Compiled['model'], name: string): ClusterView => clusterView(model, clusterNamed(model, name));

interface SeenFleet {
  readonly view: ClusterView;
  /** Why the first moved network is moved, with the names of this fleet; `null` when nothing is. */
  readonly story: Story | null;
  readonly legend: readonly string[];
  readonly marks: readonly (readonly string[])[];
  /** The connections that may enter over closed links. */
  readonly closed: readonly (readonly string[])[];
}

/** One remap, explained with the address of one pod. */
interface Story {
  readonly viewer: string;
  readonly peer: string;
  /** The network of the peer, and what the viewer calls it. */
  readonly cidr: string;
  readonly seenAs: string;
  /** A pod of the peer, and the address at which the viewer dials it. */
  readonly pod: string;
  readonly dialled: string;
  /** The network of the viewer that has the peer's addresses: `its own pod CIDR 10.1.0.0/16`; `null` without one now. */
  readonly takenBy: string | null;
}

function seen({ compiled: { model } }: OpenFleet, { cluster: name }: { readonly cluster: string }): SeenFleet {
  const cluster = clusterNamed(model, name);
  const view = clusterView(model, cluster);
  return {
    view,
    story: storiesOf(cluster)[0]?.story ?? null,
    legend: legend(view.peers, false),
    marks: view.peers.map((it) => [...new Set([...marksOf(it), ...marksOf(it.seenBy)])]),
    closed: closedRows(view, false),
  };
}

/** A remap for the first look: best one that a cluster needs because of its own network, towards a peer that it dials. */
function firstStory({ clusters }: Compiled['model']): Story | null {
  const stories = [...clusters.values()].flatMap((it) => storiesOf(it));
  const rank = ({ isOwn, isDialled }: Told): number => (isOwn ? 2 : 0) + (isDialled ? 1 : 0);
  return stories.toSorted((a, b) => rank(b) - rank(a))[0]?.story ?? null;
}

interface Told {
  readonly story: Story;
  /** True when the viewer itself has the addresses. */
  readonly isOwn: boolean;
  /** True when the viewer dials the peer. */
  readonly isDialled: boolean;
}

/** The remaps of pods that a cluster sees; one for each peer. */
function storiesOf(viewer: AddressedCluster): readonly Told[] {
  const routed = once(() => routedNetworks(viewer));
  return [...viewer.peers.values()].flatMap(({ podViews, cluster: peer, role }) => {
    const moved = podViews.find((it) => !samePrefix(it.cidr, it.seenAs));
    if (moved === undefined) return [];
    const taken = routed().first(moved.cidr);
    const usual = representativePod(peer);
    const pod = containsAddress(moved.cidr, usual) ? usual : moved.cidr.base;
    const story = {
      viewer: viewer.name,
      peer: peer.name,
      pod: printAddress(pod),
      dialled: printAddress(moveHost(pod, moved.seenAs)),
      cidr: printPrefix(moved.cidr),
      seenAs: printPrefix(moved.seenAs),
      takenBy: taken === undefined ? null : describeRouted(taken),
    };
    return [{ story, isOwn: taken !== undefined && 'own' in taken.is, isDialled: role === 'client' }];
  });
}

/** Names that no part has are left out of pictures and tables: the sentence above them says so. */
const knownParts = (model: Compiled['model'], names: readonly string[]): readonly Part[] =>
  names.flatMap((it) => {
    const found = findPart(model, it);
    return found.ok ? [found.part] : [];
  });

type Consequences =
  | { readonly ok: false; readonly problem: string }
  | { readonly ok: true; readonly sections: ReturnType<typeof whatIfSections> };

/** The consequences when some parts fail at the same time. */
function consequences(
  { compiled: { model, inputs } }: OpenFleet,
  { parts: names }: { readonly parts: readonly string[] },
): Consequences {
  const keyed = withAllKeys(model);
  const parts = findParts(keyed, names);
  if (!parts.ok) return parts;
  const found = whatIf(keyed, parts.parts, inputs.declaration);
  return { ok: true, sections: whatIfSections({ asked: 'some', found }, true) };
}

interface PartFailure extends Omit<SingleFailure, 'part' | 'broken' | 'namespaces'> {
  readonly kind: Part['kind'];
  readonly name: string;
  /** Number of assertions. */
  readonly broken: number;
}

/** The consequences of each part's failure, those that cut most first. */
function failures({ compiled: { model, inputs } }: OpenFleet): readonly PartFailure[] {
  return singleFailures(withAllKeys(model), inputs.declaration).failures.map(
    ({ part, cut, around, isolated, broken, endpoints }) => ({
      ...{ kind: part.kind, name: printPart(part), cut, around, isolated, endpoints },
      broken: broken.length,
    }),
  );
}

interface WalkRequest {
  /** `rome` or `rome/10.202.0.5`, each optionally with a port. */
  readonly from: string;
  /** Written likewise, or an address that the sender dials. */
  readonly to: string;
  /** Parts that are switched off. */
  readonly without: readonly string[];
}

type Walked =
  | { readonly ok: false; readonly problem: string }
  | { readonly ok: true; readonly words: TraceWords; readonly picture: ReturnType<typeof drawTrace> };

function walked({ walkable, data }: OpenFleet, { from, to, without: off }: WalkRequest): Walked {
  const reading = findParts(walkable, off);
  if (!reading.ok) return reading;
  const model = without(walkable, reading.parts);
  const [sender, receiver] = [readEnd(from), readEnd(to)];
  if (!sender.ok) return sender;
  if (!receiver.ok) return receiver;
  if (sender.end.kind === 'address')
    return { ok: false, problem: 'the sender needs a cluster: each cluster sees other addresses' };
  const unknown = [sender.end, receiver.end].find((it) => it.kind === 'cluster' && !model.clusters.has(it.cluster));
  if (unknown?.kind === 'cluster') return { ok: false, problem: `the topology has no cluster "${unknown.cluster}"` };
  const found = trace(model, { from: sender.end, to: receiver.end });
  const printed = { model, out: data.out };
  return { ok: true, words: traceWords(found, printed), picture: drawTrace(found, printed) };
}

interface LinkRow {
  readonly kind: Link['kind'];
  readonly client: string;
  readonly server: string;
  readonly dials: string;
  readonly mtu: number;
  readonly isRemapped: boolean;
  readonly keys: readonly { readonly cluster: string; readonly key: string | null; readonly isUnknown: boolean }[];
}

function linkRow(link: Link, { clusters }: Compiled['model']): LinkRow {
  const { server, client, endpoint } = link;
  const sees = (a: LinkEnd, b: LinkEnd): boolean =>
    clusters.get(a.cluster.name)?.peers.get(b.cluster.name)?.remapped ?? false;
  return {
    kind: link.kind,
    client: client.cluster.name,
    server: server.cluster.name,
    dials: `${endpoint.address}:${endpoint.port}`,
    mtu: link.mtuBytes,
    isRemapped: sees(server, client) || sees(client, server),
    keys: [server, client].map((it) => ({
      cluster: it.cluster.name,
      key: it.publicKey,
      isUnknown: it.hasUnknownKey,
    })),
  };
}

/** A slice that one cluster lends to another. */
interface LoanRow {
  readonly consumer: string;
  readonly provider: string;
  readonly slice: string;
  readonly resources: string;
  readonly remarks: string;
  /** The end of the recorded certificate, `2027-01-01`; `null` without one. */
  readonly ends: string | null;
}

function loans({ compiled: { model } }: OpenFleet): {
  readonly loans: readonly LoanRow[];
  readonly namespaces: readonly NamespaceRow[];
} {
  const endOf = (consumer: string, provider: string): string | null => {
    const share = sharingOf(model, consumer).borrows.find((it) => it.provider.name === provider);
    const [certificate] = share?.identity ? certificatesIn(share.identity.certificate) : [];
    return certificate?.notAfter.slice(0, '2027-01-01'.length) ?? null;
  };
  const consumers = sortedUnique(model.shares.map((it) => it.consumer.name));
  return {
    loans: consumers.flatMap((consumer) =>
      borrowRows(viewOf(model, consumer).sharing).map(([provider = '', slice = '', resources = '', remarks = '']) => ({
        ...{ consumer, provider, slice, resources, remarks },
        ends: endOf(consumer, provider),
      })),
    ),
    namespaces: model.offloadings.map(({ cluster, namespace, providers, remoteName, pods }) => ({
      ...{ cluster: cluster.name, namespace, remoteName, pods },
      providers: providers.map((it) => it.name),
    })),
  };
}

interface NamespaceRow {
  readonly cluster: string;
  readonly namespace: string;
  readonly remoteName: string;
  readonly pods: string;
  readonly providers: readonly string[];
}

/** The folders of the bundles, and what differs from the base. */
interface WrittenFolders {
  /** The empty text for files of the whole fleet. */
  readonly folders: readonly string[];
  /** Files that differ, with the lock; `null` without a base. */
  readonly changes: readonly ChangedFile[] | null;
}

function writtenFolders({ compiled: { bundle }, data, plan }: OpenFleet): WrittenFolders {
  const found = plan();
  if (found === null) return { folders: bundle.folders, changes: null };
  const { before, after } = found.lock;
  const path = lockPath(data);
  const lock: readonly ChangedFile[] =
    before === after ? [] : [{ path, change: before === null ? 'add' : after === null ? 'remove' : 'change' }];
  return { folders: bundle.folders, changes: [...found.files, ...lock] };
}

const lockPath = ({ sources }: PageData): string =>
  sources.lock?.path ?? sources.topology.path.replace(/(\.[^./]*)?$/, '.lock.yaml');

/** A file that weft writes. */
interface WrittenFile {
  /** `null` for a file that weft would remove. */
  readonly text: string | null;
  /** The differences from the base. */
  readonly hunks: readonly { readonly title: string; readonly lines: readonly HunkLine[] }[];
}

/** The text of a file, and its difference from the base. */
function writtenFile(
  { compiled, data, plan, before }: OpenFleet,
  { path }: { readonly path: string },
): WrittenFile | null {
  const isLock = path === lockPath(data);
  const text = isLock ? compiled.lock : (compiled.bundle.inFolder(folderOf(path)).get(path) ?? null);
  const [found, base] = [plan(), before()];
  if (found === null || base === null) return text === null ? null : { text, hunks: [] };
  const renames = found.changes.flatMap((it) =>
    it.kind === 'cluster-renamed' ? [{ from: it.from, to: it.cluster }] : [],
  );
  // Objects move between files of one cluster only.
  const folder = folderOf(path);
  const folders = [
    folder,
    ...renames.flatMap(({ from, to }) => (from === folder ? [to] : to === folder ? [from] : [])),
  ];
  const changes = isLock ? [] : found.files.filter((it) => folders.includes(folderOf(it.path)));
  const { before: was, after: is } = isLock ? found.lock : { before: null, after: null };
  const lock = { path: lockPath(data), before: was, after: is };
  const diff = diffFleet({ before: base.bundle, after: compiled.bundle, changes, renames, lock });
  for (const { files } of diff.clusters()) {
    const file = files.find((it) => it.path === path || it.formerPath === path);
    if (file !== undefined)
      return { text, hunks: [...hunksOf(file)].map(({ title, lines }) => ({ title, lines: [...lines()] })) };
  }
  return text === null ? null : { text, hunks: [] };
}

/** The functions that a page calls, by name. */
const ANSWERS = {
  opened,
  map: drawnMap,
  seen,
  walked,
  failures,
  whatIf: consequences,
  pairs: ({ walkable }: OpenFleet, { without: off }: { readonly without: readonly string[] }) => {
    const parts = knownParts(walkable, off);
    return pairsWords(traceAll(without(walkable, parts), failedClusters(parts)), WIDEST_MATRIX);
  },
  links: ({ compiled: { model } }: OpenFleet) => model.links.map((it) => linkRow(it, model)),
  ports: ({ compiled: { model, inputs } }: OpenFleet) =>
    openingsWords(openingsOf(model, { sources: new Map(), decisions: inputs.decisions })),
  room: ({ compiled: { model } }: OpenFleet) => forecastWords(null, forecast(model)),
  loans,
  remarks: ({ diagnostics }: OpenFleet) => diagnosticsDocument(diagnostics).diagnostics,
  explained: (_: OpenFleet, { code }: { readonly code: string }) => EXPLAIN_PAGES[code] ?? null,
  folders: writtenFolders,
  folder: ({ compiled: { bundle } }: OpenFleet, { folder }: { readonly folder: string }) => [
    ...bundle.inFolder(folder).keys(),
  ],
  file: writtenFile,
  changes: ({ plan }: OpenFleet) => {
    const found = plan();
    if (found === null) return null;
    const steps = stepGroups(found).map(({ when, what, on, commands }) => ({
      when: WHEN_WORDS[when],
      what,
      on,
      commands: commandLines(commands, usualNames(found), false),
    }));
    return { ...planDocument(found), steps };
  },
} satisfies Readonly<Record<string, (fleet: OpenFleet, request: never) => unknown>>;

type PageAnswers = typeof ANSWERS;

export type Question = keyof PageAnswers;

/** The input of a question besides the fleet. */
export type RequestOf<Q extends Question> = Parameters<PageAnswers[Q]> extends [unknown, infer R] ? R : undefined;

export type AnswerTo<Q extends Question> = Awaited<ReturnType<PageAnswers[Q]>>;

export type Ask = <Q extends Question>(question: Q, request: RequestOf<Q>) => Promise<AnswerTo<Q>>;

/** Opens a fleet; it is compiled once, and every answer is computed when it is asked for. */
export const openFleet = (data: PageData, nowSeconds: number): Ask =>
  openCompiled(data, nowSeconds, compiledSources(data.sources));

/** Opens a fleet that is compiled already. */
export function openCompiled(data: PageData, nowSeconds: number, compiled: JudgedFleet): Ask {
  const fleet = openedFleet(data, nowSeconds, compiled);
  return async (question, request) => ANSWERS[question](fleet, request as never) as never;
}
