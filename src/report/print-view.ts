import type { ClusterView, IndirectView, PeerView, SeenBy, SeenCidr } from '../view/cluster-view.ts';
import { alignRows } from './align-rows.ts';
import type { Paint } from './paint.ts';

/** Clusters behind a hub that are named; a hub can have thousands of leaves. */
const NAMED_LEAVES = 12;

/** `weft view CLUSTER`: how it sees its peers, how they see it, then what it reaches through a hub. */
export function printView(view: ClusterView, paint: Paint): string {
  const head = [
    `${paint.strong(view.cluster)} on Liqo ${view.liqo}`,
    `  pods ${view.podCIDRs.join(', ')}, services ${view.serviceCIDR}, external ${view.externalCIDR}`,
  ];
  if (view.retired) return lines([...head, '', 'It is retired: no cluster has a link to it.']);
  if (view.peers.length === 0) return lines([...head, '', 'It has no links.']);
  const rows = [['PEER', 'LINK', 'ROLE', 'CLIENT DIALS', 'PODS', 'EXTERNAL', ''], ...view.peers.flatMap(peerRows)];
  const [titles = '', ...table] = alignRows(rows);
  return lines([
    ...head,
    '',
    paint.quiet(titles),
    ...table,
    ...section(printSeenBy(view.peers, paint)),
    ...section(legend(view.peers)),
    ...section(printIndirect(view, paint)),
  ]);
}

/** `weft view CLUSTER PEER`: both directions of one link. */
export function printPairView(here: ClusterView, there: ClusterView, paint: Paint): string {
  const mine = here.peers.find((it) => it.peer === there.cluster);
  const theirs = there.peers.find((it) => it.peer === here.cluster);
  if (mine === undefined || theirs === undefined) return printWithoutLink(here, there, paint);
  const [server, client] = mine.role === 'server' ? [here.cluster, there.cluster] : [there.cluster, here.cluster];
  return lines([
    `${paint.strong(here.cluster)} and ${paint.strong(there.cluster)} are joined by ${article(mine)}`,
    `  ${server} serves, ${client} dials ${mine.address}:${mine.port}, MTU ${mine.mtu}`,
    '',
    ...printDirection(here.cluster, mine),
    '',
    ...printDirection(there.cluster, theirs),
    ...section(legend([mine, theirs])),
  ]);
}

/** The same tables for a pull request or a wiki. */
export function printViewMarkdown(view: ClusterView): string {
  const cidrs = (of: Pick<PeerView, 'views'>, kind: SeenCidr['kind']) => ofKind(of, kind).map(printSeen).join('<br>');
  return lines([
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
    ...section(legend(view.peers).map((it) => `- ${it}`)),
    ...markdownTable(
      INDIRECT_TITLES.map((it) => it.toLowerCase()),
      indirectRows(view),
    ),
    ...section(restOfLeaves(view)),
  ]);
}

/** With an empty line above; nothing without rows. */
function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const row = (cells: readonly string[]) => `| ${cells.map((it) => it.replace(/\|/g, '\\|')).join(' | ')} |`;
  return rows.length === 0 ? [] : ['', row(titles), row(titles.map(() => '---')), ...rows.map(row)];
}

function printWithoutLink(here: ClusterView, there: ClusterView, paint: Paint): string {
  const names = `${paint.strong(here.cluster)} and ${paint.strong(there.cluster)} have no link`;
  const directions = [indirectTo(here, there.cluster), indirectTo(there, here.cluster)].flatMap((it) => it ?? []);
  if (directions.length === 0) return lines([`${names}, and no hub in common.`]);
  return lines([
    `${names}; each reaches pods of the other through a hub`,
    ...directions.flatMap(({ from, it, hub, hubExternalCIDR, seenIn, address, sourceThere }) => [
      '',
      `${from} sees pods of ${it.cluster} as ${address}, single addresses in ${seenIn}`,
      `  ${hub} gives them at run time, from its external CIDR ${hubExternalCIDR}`,
      `  and ${it.cluster} sees ${sourceThere} as the source of all that ${from} sends`,
    ]),
  ]);
}

function indirectTo(from: ClusterView, to: string) {
  const it = from.indirect.find((other) => other.cluster === to);
  return it?.through.map((through) => ({ from: from.cluster, it, ...through }));
}

function peerRows(peer: PeerView): readonly (readonly string[])[] {
  const pods = ofKind(peer, 'pod').map(printSeen);
  const external = ofKind(peer, 'external').map(printSeen);
  const dials = `${peer.address}:${peer.port}`;
  return pods.map((pod, row) =>
    row === 0
      ? [peer.peer, peer.link, peer.role, dials, pod, external[0] ?? '', marksOf(peer).join(', ')]
      : ['', '', '', '', pod],
  );
}

function printDirection(cluster: string, peer: PeerView): readonly string[] {
  const rows = peer.views.map((it) => [
    `  ${it.kind === 'pod' ? 'pods' : 'external'}`,
    printSeen(it),
    it.history ? 'history' : '',
  ]);
  return [`${cluster} sees ${peer.peer}${peer.orderDependent ? ', order-dependent' : ''}`, ...alignRows(rows)];
}

/** The other direction: how the peers see this cluster. */
function printSeenBy(peers: readonly PeerView[], paint: Paint): readonly string[] {
  const rows = peers.flatMap(({ peer, seenBy }) => {
    const external = ofKind(seenBy, 'external').map(printSeen);
    return ofKind(seenBy, 'pod').map((it, row) =>
      row === 0 ? [peer, printSeen(it), external[0] ?? '', marksOf(seenBy).join(', ')] : ['', printSeen(it)],
    );
  });
  if (rows.length === 0) return [];
  const [titles = '', ...table] = alignRows([['SEEN BY', 'PODS', 'EXTERNAL', ''], ...rows]);
  return [paint.quiet(titles), ...table];
}

const INDIRECT_TITLES = [
  'WITHOUT A LINK',
  'THROUGH',
  'ITS PODS SEEN AS',
  'GIVEN AT RUN TIME FROM',
  'SEES SOURCE',
] as const;

function printIndirect(view: ClusterView, paint: Paint): readonly string[] {
  const rows = indirectRows(view);
  if (rows.length === 0) return [];
  const [titles = '', ...table] = alignRows([INDIRECT_TITLES, ...rows]);
  return [paint.quiet(titles), ...table, ...restOfLeaves(view)];
}

const indirectRows = ({ indirect }: ClusterView): readonly (readonly string[])[] =>
  shownLeaves(indirect).flatMap(({ cluster, through }) =>
    through.map(({ hub, hubExternalCIDR, seenIn, address, sourceThere }) => [
      cluster,
      hub,
      `${address} in ${seenIn}`,
      `${hubExternalCIDR} of ${hub}`,
      sourceThere,
    ]),
  );

// The name of one remaining cluster is as short as its number.
const shownLeaves = (leaves: readonly IndirectView[]): readonly IndirectView[] =>
  leaves.length <= NAMED_LEAVES + 1 ? leaves : leaves.slice(0, NAMED_LEAVES);

function restOfLeaves({ indirect }: ClusterView): readonly string[] {
  const rest = indirect.length - shownLeaves(indirect).length;
  return rest === 0 ? [] : [`... and ${rest} more; -o json lists all`];
}

const LEGENDS = {
  'order-dependent':
    'order-dependent: the cluster that sees it must remap it, so the address depends on which link is made first',
  history: 'history: kept from an earlier compile; a fresh rollout would choose another address',
} as const;

function legend(peers: readonly PeerView[]): readonly string[] {
  const marks = new Set(peers.flatMap((it) => [...marksOf(it), ...marksOf(it.seenBy)]));
  return (['order-dependent', 'history'] as const).filter((it) => marks.has(it)).map((it) => LEGENDS[it]);
}

const marksOf = (peer: SeenBy): readonly ('order-dependent' | 'history')[] => [
  ...(peer.orderDependent ? (['order-dependent'] as const) : []),
  ...(peer.views.some((it) => it.history) ? (['history'] as const) : []),
];

const ofKind = (peer: Pick<PeerView, 'views'>, kind: SeenCidr['kind']) => peer.views.filter((it) => it.kind === kind);

const printSeen = ({ cidr, seenAs }: SeenCidr): string => (cidr === seenAs ? cidr : `${cidr} -> ${seenAs}`);

const article = ({ link }: PeerView): string =>
  ({ hub: 'a hub link', peering: 'a peering', shortcut: 'a shortcut' })[link];

const section = (it: readonly string[]): readonly string[] => (it.length === 0 ? [] : ['', ...it]);

const lines = (it: readonly string[]): string => `${it.join('\n')}\n`;

/** Two clusters, each with only what it sees of the other. */
export function narrowed(...views: readonly [ClusterView, ClusterView]): readonly ClusterView[] {
  const names = views.map((it) => it.cluster);
  return views.map((it) => ({
    ...it,
    peers: it.peers.filter((peer) => names.includes(peer.peer)),
    indirect: it.indirect.filter((other) => names.includes(other.cluster)),
  }));
}
