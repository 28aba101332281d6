import { MAKE_OR_COLLECT } from '../../base/core/key-pair.ts';
import { moreLine, shownOf, someOf } from '../../base/core/words.ts';
import type {
  BorrowedSlice,
  ClusterView,
  IndirectView,
  LentSlice,
  OpenedView,
  PeerView,
  SeenBy,
  SeenCidr,
  SharedView,
} from '../../reach/view/cluster-view.ts';

/** The most clusters behind another one that are named; a hub can have thousands of leaves. */
const NAMED_LEAVES = 12;

/** One row for each pod CIDR of a peer; values of the whole link are in the first. */
export function peerRows(peer: PeerView): readonly (readonly string[])[] {
  const pods = ofKind(peer, 'pod').map(printSeen);
  const external = ofKind(peer, 'external').map(printSeen);
  const dials = `${peer.address}:${peer.port}`;
  return pods.map((pod, row) =>
    row === 0
      ? [peer.peer, peer.link, peer.role, dials, pod, external[0] ?? '', marksOf(peer).join(', ')]
      : ['', '', '', '', pod],
  );
}

/** The other direction: the peers' views of this cluster. */
export function seenByRows(peers: readonly PeerView[]): readonly (readonly string[])[] {
  return peers.flatMap(({ peer, seenBy }) => {
    const external = ofKind(seenBy, 'external').map(printSeen);
    return ofKind(seenBy, 'pod').map((it, row) =>
      row === 0 ? [peer, printSeen(it), external[0] ?? '', marksOf(seenBy).join(', ')] : ['', printSeen(it)],
    );
  });
}

export const INDIRECT_TITLES = [
  'NO WORKING LINK',
  'THROUGH',
  'ITS PODS SEEN AS',
  'GIVEN AT RUN TIME FROM',
  'SEES SOURCE',
] as const;

/** The clusters that a cluster reaches through another one. */
export const indirectRows = ({ indirect }: ClusterView): readonly (readonly string[])[] =>
  shownLeaves(indirect).flatMap(({ cluster, through }) =>
    through.map(({ hub, hubExternalCIDR, seenIn, address, sourceThere }) => [
      cluster,
      hub,
      `${address} in ${seenIn}`,
      `${hubExternalCIDR} of ${hub}`,
      sourceThere,
    ]),
  );

const shownLeaves = (leaves: readonly IndirectView[]): readonly IndirectView[] =>
  leaves.slice(0, shownOf(leaves.length, NAMED_LEAVES));

/** The number of clusters that are not named. */
export function restOfLeaves({ indirect }: ClusterView): readonly string[] {
  return moreLine(indirect.length - shownLeaves(indirect).length, '; -o json lists all');
}

/** The spokes of a hub that a shortcut joins. */
export function shortcutLines({ cluster, shortcuts }: ClusterView): readonly string[] {
  const pairs = (all: ClusterView['shortcuts']): string =>
    someOf(
      all.map(({ server, client }) => `${server} and ${client}`),
      NAMED_LEAVES,
      '; ',
    );
  const [direct, idle] = [shortcuts.filter(isUsable), shortcuts.filter((it) => !isUsable(it))];
  return [
    ...(direct.length === 0 ? [] : [`direct by a shortcut, not through ${cluster}: ${pairs(direct)}`]),
    ...(idle.length === 0 ? [] : [`through ${cluster} while their shortcut lacks a key: ${pairs(idle)}`]),
  ];
}

const isUsable = ({ keyless }: ClusterView['shortcuts'][number]): boolean => keyless.length === 0;

export const BORROWS_TITLES = ['BORROWS FROM', 'SLICE', 'RESOURCES', ''] as const;
export const LENDS_TITLES = ['LENDS TO', 'SLICE', 'RESOURCES', ''] as const;
export const OFFLOADS_TITLES = ['NAMESPACE', 'PODS', 'PROVIDERS', 'NAME THERE'] as const;

export const CLOSED_TITLES = ['CLOSED TO', 'LETS IN', 'ENTRY', 'ENFORCED BY'] as const;

type Rows = readonly (readonly string[])[];

export const borrowRows = (view: SharedView | undefined): Rows =>
  (view?.borrows ?? []).map((it) => [it.provider, it.slice, resourcesOf(it), sliceRemarks(it)]);

export const lendRows = (view: SharedView | undefined): Rows =>
  (view?.lends ?? []).map((it) => [it.consumer, it.slice, resourcesOf(it), sliceRemarks(it)]);

export const offloadRows = (view: SharedView | undefined): Rows =>
  (view?.offloads ?? []).map((it) => [
    it.namespace,
    it.pods,
    it.providers.length === 0 ? 'no cluster' : it.providers.join(', '),
    it.remoteName,
  ]);

/** One row for each entry that opens something, or one for a peer whose every connection is refused. */
export const closedRows = ({ closed = [] }: Pick<ClusterView, 'closed'>, isLive: boolean): Rows =>
  closed.flatMap(({ peer, hasFence, openings }) => {
    const fence = hasFence ? ['fence'] : [];
    if (openings.length === 0) return [[peer, 'nothing', '', fence[0] ?? 'nothing']];
    return openings.map((it) => {
      const enforcing = [
        ...fence,
        ...(it.toNamespace === null ? [] : [`policy of ${it.toNamespace}`]),
        ...(it.fromNamespace === null ? [] : [`policy of ${it.fromNamespace} in ${peer}`]),
      ];
      const place = isLive ? '' : `${it.entry.file}:${it.entry.line}`;
      return [peer, openedText(it), place, enforcing.join(', ') || 'nothing'];
    });
  });

/** `TCP 443, 8000-8100 from namespace web to namespace shop`. */
function openedText({ protocol, ports, ...ends }: OpenedView): string {
  const from = [
    ...(ends.masqueraded ? ['what it masquerades'] : ends.fromCIDRs),
    ...(ends.fromNamespace === null ? [] : [`namespace ${ends.fromNamespace}`]),
  ];
  const to = [...ends.toCIDRs, ...(ends.toNamespace === null ? [] : [`namespace ${ends.toNamespace}`])];
  return [
    ports.length > 0 ? `${protocol} ${ports.join(', ')}` : (protocol ?? 'every port'),
    ...(from.length === 0 ? [] : [`from ${from.join(', ')}`]),
    ...(to.length === 0 ? [] : [`to ${to.join(', ')}`]),
  ].join(' ');
}

type SliceView = BorrowedSlice | LentSlice;

function resourcesOf({ resources }: SliceView): string {
  const parts = Object.entries(resources).map(([name, quantity]) => `${name} ${quantity}`);
  return parts.length === 0 ? "the provider's defaults" : parts.join(', ');
}

const HANDSHAKE = {
  'no-key': 'waits for a key: weft keys generate',
  'unknown-key': 'its key is not known here',
  'no-answer': 'waits for the answer: weft identities collect',
  complete: '',
  credentials: 'by credentials',
} as const satisfies Readonly<Record<SliceView['handshake'], string>>;

const sliceRemarks = ({ handshake, condition, linked, ...it }: SliceView): string =>
  [
    HANDSHAKE[handshake],
    condition === 'Active' ? '' : condition.toLowerCase(),
    it.class === 'default' ? '' : `class ${it.class}`,
    linked ? '' : 'no link',
  ]
    .filter((text) => text !== '')
    .join(', ');

export const ofKind = (peer: Pick<PeerView, 'views'>, kind: SeenCidr['kind']) =>
  peer.views.filter((it) => it.kind === kind);

/** `10.200.0.0/16 -> 10.71.0.0/16`: a CIDR and its view. */
export const printSeen = ({ cidr, seenAs }: SeenCidr): string => (cidr === seenAs ? cidr : `${cidr} -> ${seenAs}`);

type ViewMark = keyof typeof LEGENDS;

/** The marks of a link and of the views of a peer. */
export const marksOf = (peer: SeenBy & Partial<Pick<PeerView, 'keyless'>>): readonly ViewMark[] => [
  ...(peer.keyless !== undefined && peer.keyless.length > 0 ? (['no keys'] as const) : []),
  ...(peer.orderDependent ? (['order-dependent'] as const) : []),
  ...(peer.views.some((it) => it.history) ? (['history'] as const) : []),
];

const LEGENDS = {
  'no keys': 'no keys: a gateway of the link has no public key, so it carries nothing',
  'order-dependent':
    'order-dependent: several peers need the same addresses or a remap, so the address depends on which of them comes first',
  history: 'history: from an earlier order of joining; a fresh rollout would choose another address',
} as const;

/** The legend of these peers' marks, in both directions. */
export function legend(peers: readonly PeerView[], isLive: boolean): readonly string[] {
  const marks = new Set(peers.flatMap((it) => [...marksOf(it), ...marksOf(it.seenBy)]));
  return (Object.keys(LEGENDS) as ViewMark[])
    .filter((it) => marks.has(it))
    .map((it) => (it === 'no keys' ? `${LEGENDS[it]}; ${keyAdvice(isLive)}` : LEGENDS[it]));
}

/** A gateway that runs has a key, and a new one ends its tunnels: only its peer lacks the PublicKey. */
export const keyAdvice = (isLive: boolean): string =>
  isLive ? 'apply the bundle of its peer, or dump its PublicKeys if they were not read' : MAKE_OR_COLLECT;
