import { listOf } from '../../base/core/words.ts';
import type { ClusterView, PeerView, RecreatedView, SeenCidr } from '../../reach/view/cluster-view.ts';
import type { ListedCluster } from '../../reach/view/lists.ts';
import type { Answer } from './answer.ts';
import { alignRows, printLines, printTable, wrapLines } from './layout.ts';
import { type LookReport, lookKeys, withLook, withLookMarkdown } from './live-look.ts';
import { markdownTable } from './markdown-text.ts';
import { type Paint, plainPaint } from './paint.ts';
import { type PrintedRunbook, printRunbook, printRunbookMarkdown, runbookDocument } from './print-runbook.ts';
import {
  BORROWS_TITLES,
  borrowRows,
  CLOSED_TITLES,
  closedRows,
  INDIRECT_TITLES,
  indirectRows,
  keyAdvice,
  LENDS_TITLES,
  legend,
  lendRows,
  marksOf,
  OFFLOADS_TITLES,
  offloadRows,
  ofKind,
  peerRows,
  printSeen,
  restOfLeaves,
  seenByRows,
  shortcutLines,
} from './view-rows.ts';

interface Viewed {
  readonly view: ClusterView;
  /** The peer's view of the network; `null` without a peer. */
  readonly peerView: ClusterView | null;
  /** The view alone, or both narrowed to each other. */
  readonly views: readonly ClusterView[];
  /** True when the two clusters reach each other. */
  readonly joined: boolean;
  readonly recreated: RecreatedView | null;
  /** `null` when they were not requested. */
  readonly runbooks: readonly PrintedRunbook[] | null;
  readonly look: LookReport | null;
}

/** `weft view CLUSTER [PEER]`. */
export const viewAnswer: Answer<'view', Viewed> = {
  text: (viewed, look) => {
    const isAboutSteps = viewed.look !== null && (viewed.runbooks ?? []).length > 0 && !look.verbose;
    const views = isAboutSteps ? '' : printViews(viewed, look.paint);
    const steps = printSteps(viewed, look);
    return `${withLook(views, viewed.look, look.paint)}${isAboutSteps ? steps.trimStart() : steps}`;
  },
  json: ({ views, recreated, runbooks, look }) => ({
    views,
    ...(recreated && { recreated }),
    ...(runbooks && { runbooks: runbooks.map(runbookDocument) }),
    ...lookKeys(look),
  }),
  markdown: (viewed) => {
    const { views, joined, recreated, runbooks, look } = viewed;
    if (!joined)
      return `${withLookMarkdown(printViews(viewed, plainPaint), look)}${printSteps(viewed, { paint: plainPaint, verbose: true })}`;
    if (runbooks !== null) return withLookMarkdown(runbooks.map(printRunbookMarkdown).join('\n'), look);
    const tables = views.map((it) => printViewMarkdown(it, look !== null));
    const parts = [...tables, ...(recreated === null ? [] : [printRecreatedMarkdown(recreated)])];
    return withLookMarkdown(parts.join('\n'), look);
  },
};

function printViews({ view, peerView, recreated, look }: Viewed, paint: Paint): string {
  const isLive = look !== null;
  const text = peerView === null ? printView(view, paint, isLive) : printPairView(view, peerView, paint, isLive);
  return recreated === null ? text : `${text}\n${printRecreated(recreated, paint)}`;
}

const printSteps = ({ runbooks }: Viewed, look: Parameters<typeof printRunbook>[1]): string =>
  (runbooks ?? []).map((it) => `\n${printRunbook(it, look)}`).join('');

interface ListedClusters {
  readonly clusters: readonly ListedCluster[];
  readonly look: LookReport | null;
}

/** `weft view`. */
export const clustersAnswer: Answer<'view', ListedClusters> = {
  text: ({ clusters, look }, { paint }) => withLook(printClusters(clusters, paint), look, paint),
  json: ({ clusters, look }) => ({ clusters, ...lookKeys(look) }),
  markdown: ({ clusters, look }) => withLookMarkdown(printClustersMarkdown(clusters), look),
};

/** `weft view CLUSTER`: its views of peers, their views of it, then the clusters behind another one. */
export function printView(view: ClusterView, paint: Paint, isLive = false): string {
  const head = [
    `${paint.strong(view.cluster)} on Liqo ${view.liqo}`,
    ...wrapLines(
      [`  pods ${view.podCIDRs.join(', ')}, services ${view.serviceCIDR}, external ${view.externalCIDR}`],
      paint,
    ),
  ];
  if (view.retired) return printLines([...head, '', 'It is retired: no cluster has a link to it.']);
  const shared = sharedTables(view, paint);
  if (view.peers.length === 0) return printLines([...head, '', 'It has no links.', ...shared]);
  return printLines([
    ...head,
    '',
    ...printTable(PEER_TITLES, view.peers.flatMap(peerRows), paint),
    ...afterBlank(printTable(['SEEN BY', 'PODS', 'EXTERNAL', ''], seenByRows(view.peers), paint)),
    ...afterBlank(wrapLines(legend(view.peers, isLive), paint)),
    ...afterBlank([...printTable(INDIRECT_TITLES, indirectRows(view), paint), ...restOfLeaves(view)]),
    ...afterBlank(wrapLines(shortcutLines(view), paint)),
    ...afterBlank(printTable(CLOSED_TITLES, closedRows(view, isLive), paint)),
    ...shared,
  ]);
}

/** The resources that the cluster borrows and lends, and the namespaces that it offloads. */
const sharedTables = ({ sharing }: ClusterView, paint: Paint): readonly string[] => [
  ...afterBlank(printTable(BORROWS_TITLES, borrowRows(sharing), paint)),
  ...afterBlank(printTable(LENDS_TITLES, lendRows(sharing), paint)),
  ...afterBlank(printTable(OFFLOADS_TITLES, offloadRows(sharing), paint)),
];

/** `weft view CLUSTER PEER`: both directions of one link. */
export function printPairView(here: ClusterView, there: ClusterView, paint: Paint, isLive = false): string {
  const mine = here.peers.find((it) => it.peer === there.cluster);
  const theirs = there.peers.find((it) => it.peer === here.cluster);
  if (mine === undefined || theirs === undefined) return printLines(printWithoutLink(here, there, paint));
  const [server, client] = mine.role === 'server' ? [here.cluster, there.cluster] : [there.cluster, here.cluster];
  return printLines([
    `${paint.strong(here.cluster)} and ${paint.strong(there.cluster)} are joined by ${article(mine)}`,
    `  ${server} serves, ${client} dials ${mine.address}:${mine.port}, MTU ${mine.mtu}`,
    ...keylessLines(mine, isLive),
    '',
    ...printDirection(here.cluster, mine),
    '',
    ...printDirection(there.cluster, theirs),
    ...afterBlank(wrapLines(legend([mine, theirs], isLive), paint)),
    ...narrowed(here, there).flatMap((it) => printClosed(it, isLive, paint)),
    ...afterBlank(throughLines(here, there)),
  ]);
}

/** The connections of the peer that may enter a cluster; empty where all may. */
const printClosed = (view: ClusterView, isLive: boolean, paint: Paint): readonly string[] =>
  view.closed === undefined
    ? []
    : ['', `${view.cluster} is closed`, ...printTable(CLOSED_TITLES, closedRows(view, isLive), paint)];

/** Prints the tables for a pull request or a wiki. */
export function printViewMarkdown(view: ClusterView, isLive = false): string {
  const cidrs = (of: Pick<PeerView, 'views'>, kind: SeenCidr['kind']) => ofKind(of, kind).map(printSeen).join('<br>');
  return printLines([
    `### ${view.cluster}`,
    '',
    `Liqo ${view.liqo}, pods ${view.podCIDRs.join(', ')}, services ${view.serviceCIDR}, external ${view.externalCIDR}.`,
    ...markdownTable(
      ['peer', 'link', 'role', 'client dials', 'pods', 'external', 'remarks'],
      view.peers.map((it) => [
        it.peer,
        it.link,
        it.role,
        `${it.address}:${it.port}`,
        cidrs(it, 'pod'),
        cidrs(it, 'external'),
        marksOf(it).join(', '),
      ]),
    ),
    ...markdownTable(
      ['seen by', 'pods', 'external', 'remarks'],
      view.peers.map((it) => [
        it.peer,
        cidrs(it.seenBy, 'pod'),
        cidrs(it.seenBy, 'external'),
        marksOf(it.seenBy).join(', '),
      ]),
    ),
    ...afterBlank(legend(view.peers, isLive).map((it) => `- ${it}`)),
    ...markdownTable(lowerCase(INDIRECT_TITLES), indirectRows(view)),
    ...afterBlank(restOfLeaves(view)),
    ...afterBlank(shortcutLines(view)),
    ...markdownTable(lowerCase(CLOSED_TITLES), closedRows(view, isLive)),
    ...markdownTable(lowerCase(BORROWS_TITLES), borrowRows(view.sharing)),
    ...markdownTable(lowerCase(LENDS_TITLES), lendRows(view.sharing)),
    ...markdownTable(lowerCase(OFFLOADS_TITLES), offloadRows(view.sharing)),
  ]);
}

const lowerCase = (titles: readonly string[]): readonly string[] => titles.map((it) => it.toLowerCase());

const PEER_TITLES = ['PEER', 'LINK', 'ROLE', 'CLIENT DIALS', 'PODS', 'EXTERNAL', ''] as const;

function printDirection(cluster: string, peer: PeerView): readonly string[] {
  const rows = peer.views.map((it) => [
    `  ${it.kind === 'pod' ? 'pods' : 'external'}`,
    printSeen(it),
    it.history ? 'history' : '',
  ]);
  return [`${cluster} sees ${peer.peer}${peer.orderDependent ? ', order-dependent' : ''}`, ...alignRows(rows)];
}

/** The reason why the link carries nothing, if there is one. */
function keylessLines({ keyless }: PeerView, isLive: boolean): readonly string[] {
  if (keyless.length === 0) return [];
  const gateways = keyless.map(({ cluster, peer }) => `${cluster} towards ${peer}`);
  return [`  it carries nothing: no public key for the gateway of ${listOf(gateways)}; ${keyAdvice(isLive)}`];
}

const article = ({ link }: PeerView): string =>
  ({ hub: 'a hub link', peering: 'a peering', shortcut: 'a shortcut' })[link];

const afterBlank = (it: readonly string[]): readonly string[] => (it.length === 0 ? [] : ['', ...it]);

/** Reduces two views to what each cluster sees of the other. */
export function narrowed(...views: readonly [ClusterView, ClusterView]): readonly ClusterView[] {
  const names = views.map((it) => it.cluster);
  return views.map(({ closed: all = [], ...it }) => {
    const closed = all.filter(({ peer }) => names.includes(peer));
    return {
      ...it,
      ...(closed.length === 0 ? {} : { closed }),
      peers: it.peers.filter((peer) => names.includes(peer.peer)),
      indirect: it.indirect.filter((other) => names.includes(other.cluster)),
      shortcuts: [],
    };
  });
}

const TITLES = ['CLUSTER', 'PODS', 'GATEWAY', 'HUB', 'LINKS', ''] as const;

const NEXT = 'run "weft view CLUSTER" for how one of them sees its peers, or "weft view links" for all links';

/** `weft view`: the clusters of the fleet, one per row. */
const printClusters = (clusters: readonly ListedCluster[], paint: Paint): string =>
  printLines([
    ...(clusters.length === 0 ? ['The fleet has no clusters.'] : printTable(TITLES, clusters.map(clusterCells), paint)),
    ...(clusters.length === 0 ? [] : ['', ...wrapLines([NEXT], paint)]),
  ]);

/** Prints the table of clusters for a pull request or a wiki. */
const printClustersMarkdown = (clusters: readonly ListedCluster[]): string =>
  printLines(
    markdownTable(
      TITLES.map((it) => it.toLowerCase()),
      clusters.map(clusterCells),
    ).slice(1),
  );

const clusterCells = (it: ListedCluster): readonly string[] => [
  it.cluster,
  it.podCIDRs.join(', '),
  it.gateway ?? '-',
  it.isHub ? 'is one' : it.hubs.join(', ') || '-',
  String(it.links),
  it.retired ? 'retired' : '',
];

/** `weft view CLUSTER PEER` for two clusters without a link. */
function printWithoutLink(here: ClusterView, there: ClusterView, paint: Paint): readonly string[] {
  const names = `${paint.strong(here.cluster)} and ${paint.strong(there.cluster)} have no link`;
  const [through, ...lines] = throughLines(here, there);
  if (through === undefined) return [`${names}, and no cluster has working links to both.`];
  return [`${names}; ${through}`, ...lines];
}

/** The pods that two clusters reach of each other through a third one; empty without such a cluster. */
function throughLines(here: ClusterView, there: ClusterView): readonly string[] {
  const directions = [indirectTo(here, there.cluster), indirectTo(there, here.cluster)].flatMap((it) => it ?? []);
  if (directions.length === 0) return [];
  return [
    'each reaches pods of the other through another cluster',
    ...directions.flatMap(({ from, it, hub, hubExternalCIDR, seenIn, address, sourceThere }) => [
      '',
      `${from} sees pods of ${it.cluster} as ${address}, single addresses in ${seenIn}`,
      `  ${hub} gives them at run time to pods that it has offloaded, from its external CIDR ${hubExternalCIDR}`,
      `  and ${it.cluster} sees ${sourceThere} as the source of all that ${from} sends`,
    ]),
  ];
}

function indirectTo(from: ClusterView, to: string) {
  const it = from.indirect.find((other) => other.cluster === to);
  return it?.through.map((through) => ({ from: from.cluster, it, ...through }));
}

/** A cluster's view of a peer after the Configuration is deleted and created again. */
function printRecreated(view: RecreatedView, paint: Paint): string {
  const rows = recreatedRows(view).map(([kind = '', ...cells]) => [`  ${kind}`, ...cells]);
  return `${[paint.strong(`${title(view)}:`), ...alignRows(rows)].join('\n')}\n`;
}

function printRecreatedMarkdown(view: RecreatedView): string {
  return `${[`${title(view)}:`, ...markdownTable(['', 'CIDR', 'seen at', ''], recreatedRows(view))].join('\n')}\n`;
}

const title = ({ cluster, peer }: RecreatedView): string =>
  `${cluster} sees ${peer} at these addresses once its Configuration is deleted and created again`;

const recreatedRows = ({ views }: RecreatedView): readonly (readonly string[])[] =>
  views.map(({ kind, cidr, seenAs, recreatedAs }) => [
    kind === 'pod' ? 'pods' : 'external',
    cidr,
    recreatedAs,
    recreatedAs === seenAs ? 'as now' : `instead of ${seenAs}`,
  ]);
