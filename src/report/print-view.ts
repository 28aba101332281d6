import { alignRows } from './align-rows.ts';
import type { ClusterView, IndirectView, PeerView, SeenCidr } from './cluster-view.ts';
import { someOf } from './count-of.ts';
import type { Paint } from './paint.ts';

/** Clusters behind a hub that are named; a hub can have thousands of leaves. */
const NAMED_LEAVES = 12;

/** `weft view CLUSTER`: a table of its peers, then what it reaches through a hub. */
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
    ...section(legend(view.peers)),
    ...section(printIndirect(view)),
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

/** The same table for a pull request or a wiki. */
export function printViewMarkdown(view: ClusterView): string {
  const row = (cells: readonly string[]) => `| ${cells.map((it) => it.replace(/\|/g, '\\|')).join(' | ')} |`;
  const cidrs = (peer: PeerView, kind: SeenCidr['kind']) => ofKind(peer, kind).map(printSeen).join('<br>');
  return lines([
    `### ${view.cluster}`,
    '',
    `Liqo ${view.liqo}, pods ${view.podCIDRs.join(', ')}, services ${view.serviceCIDR}, external ${view.externalCIDR}.`,
    '',
    row(['peer', 'link', 'role', 'client dials', 'pods', 'external', 'remarks']),
    row(['---', '---', '---', '---', '---', '---', '---']),
    ...view.peers.map((it) =>
      row([
        it.peer,
        it.link,
        it.role,
        `${it.address}:${it.port}`,
        cidrs(it, 'pod'),
        cidrs(it, 'external'),
        marksOf(it).join(', '),
      ]),
    ),
    ...section(printIndirect(view).map((it) => it.trim())),
  ]);
}

function printWithoutLink(here: ClusterView, there: ClusterView, paint: Paint): string {
  const names = `${paint.strong(here.cluster)} and ${paint.strong(there.cluster)} have no link`;
  const directions = [indirectTo(here, there.cluster), indirectTo(there, here.cluster)].flatMap((it) => it ?? []);
  if (directions.length === 0) return lines([`${names}, and no hub in common.`]);
  return lines([
    `${names}; what one offers the other goes through a hub`,
    ...directions.map(
      ({ from, it, hub, seenIn }) => `  ${from} sees pods of ${it.cluster} as single addresses in ${seenIn} (${hub})`,
    ),
  ]);
}

function indirectTo(from: ClusterView, to: string) {
  const it = from.indirect.find((other) => other.cluster === to);
  return it?.through.map((through) => ({ from: from.cluster, it, ...through }));
}

/** Whether the two reach each other in some way: by a link, or through a hub. */
export function areJoined(here: ClusterView, there: string): boolean {
  return here.peers.some((it) => it.peer === there) || here.indirect.some((it) => it.cluster === there);
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

/** Who is reached through which hub: one line a hub. */
function printIndirect(view: ClusterView): readonly string[] {
  const byHub = new Map<string, { seenIn: string; leaves: IndirectView[] }>();
  for (const leaf of view.indirect) {
    for (const { hub, seenIn } of leaf.through) {
      const group = byHub.get(hub) ?? { seenIn, leaves: [] };
      group.leaves.push(leaf);
      byHub.set(hub, group);
    }
  }
  return [...byHub].map(
    ([hub, { seenIn, leaves }]) =>
      `through ${hub}, as single addresses in ${seenIn}: ${someOf(
        leaves.map((it) => it.cluster),
        NAMED_LEAVES,
      )}`,
  );
}

const LEGENDS = {
  'order-dependent': 'order-dependent: this cluster has to remap, so the answer depends on which link it makes first',
  history: 'history: kept from an earlier compile; a fresh rollout would choose another address',
} as const;

function legend(peers: readonly PeerView[]): readonly string[] {
  const marks = new Set(peers.flatMap(marksOf));
  return (['order-dependent', 'history'] as const).filter((it) => marks.has(it)).map((it) => LEGENDS[it]);
}

const marksOf = (peer: PeerView): readonly ('order-dependent' | 'history')[] => [
  ...(peer.orderDependent ? (['order-dependent'] as const) : []),
  ...(peer.views.some((it) => it.history) ? (['history'] as const) : []),
];

const ofKind = (peer: PeerView, kind: SeenCidr['kind']) => peer.views.filter((it) => it.kind === kind);

const printSeen = ({ cidr, seenAs }: SeenCidr): string => (cidr === seenAs ? cidr : `${cidr} -> ${seenAs}`);

const article = ({ link }: PeerView): string =>
  ({ hub: 'a hub link', peering: 'a peering', shortcut: 'a shortcut' })[link];

const section = (it: readonly string[]): readonly string[] => (it.length === 0 ? [] : ['', ...it]);

const lines = (it: readonly string[]): string => `${it.join('\n')}\n`;
