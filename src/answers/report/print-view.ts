import { listOf } from '../../base/core/words.ts';
import type { ClusterView, PeerView, SeenCidr } from '../../reach/view/cluster-view.ts';
import { alignRows } from './align-rows.ts';
import { markdownTable } from './markdown-table.ts';
import type { Paint } from './paint.ts';
import { printTable } from './print-table.ts';
import { printWithoutLink, throughLines } from './print-without-link.ts';
import { legend, marksOf, ofKind, printSeen } from './seen-cidrs.ts';
import { BORROWS_TITLES, borrowRows, LENDS_TITLES, lendRows, OFFLOADS_TITLES, offloadRows } from './shared-rows.ts';
import { INDIRECT_TITLES, indirectRows, peerRows, restOfLeaves, seenByRows } from './view-rows.ts';
import { wrapLines } from './wrap-text.ts';

/** `weft view CLUSTER`: how it sees its peers, how they see it, then what it reaches through another cluster. */
export function printView(view: ClusterView, paint: Paint): string {
  const head = [
    `${paint.strong(view.cluster)} on Liqo ${view.liqo}`,
    ...wrapLines(
      [`  pods ${view.podCIDRs.join(', ')}, services ${view.serviceCIDR}, external ${view.externalCIDR}`],
      paint,
    ),
  ];
  if (view.retired) return lines([...head, '', 'It is retired: no cluster has a link to it.']);
  const shared = sharedTables(view, paint);
  if (view.peers.length === 0) return lines([...head, '', 'It has no links.', ...shared]);
  return lines([
    ...head,
    '',
    ...printTable(PEER_TITLES, view.peers.flatMap(peerRows), paint),
    ...section(printTable(['SEEN BY', 'PODS', 'EXTERNAL', ''], seenByRows(view.peers), paint)),
    ...section(wrapLines(legend(view.peers), paint)),
    ...section([...printTable(INDIRECT_TITLES, indirectRows(view), paint), ...restOfLeaves(view)]),
    ...shared,
  ]);
}

/** What the cluster borrows, lends and offloads. */
const sharedTables = ({ sharing }: ClusterView, paint: Paint): readonly string[] => [
  ...section(printTable(BORROWS_TITLES, borrowRows(sharing), paint)),
  ...section(printTable(LENDS_TITLES, lendRows(sharing), paint)),
  ...section(printTable(OFFLOADS_TITLES, offloadRows(sharing), paint)),
];

/** `weft view CLUSTER PEER`: both directions of one link. */
export function printPairView(here: ClusterView, there: ClusterView, paint: Paint): string {
  const mine = here.peers.find((it) => it.peer === there.cluster);
  const theirs = there.peers.find((it) => it.peer === here.cluster);
  if (mine === undefined || theirs === undefined) return lines(printWithoutLink(here, there, paint));
  const [server, client] = mine.role === 'server' ? [here.cluster, there.cluster] : [there.cluster, here.cluster];
  return lines([
    `${paint.strong(here.cluster)} and ${paint.strong(there.cluster)} are joined by ${article(mine)}`,
    `  ${server} serves, ${client} dials ${mine.address}:${mine.port}, MTU ${mine.mtu}`,
    ...keylessLines(mine),
    '',
    ...printDirection(here.cluster, mine),
    '',
    ...printDirection(there.cluster, theirs),
    ...section(wrapLines(legend([mine, theirs]), paint)),
    ...section(throughLines(here, there)),
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
    ...markdownTable(lowerCase(INDIRECT_TITLES), indirectRows(view)),
    ...section(restOfLeaves(view)),
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

/** Why the link carries nothing, if it does not. */
function keylessLines({ keyless }: PeerView): readonly string[] {
  if (keyless.length === 0) return [];
  const gateways = keyless.map(({ cluster, peer }) => `${cluster} towards ${peer}`);
  return [`  it carries nothing: no public key for the gateway of ${listOf(gateways)}; run "weft keys generate"`];
}

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
