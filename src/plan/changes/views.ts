import { listOf } from '../../base/core/words.ts';
import { firstLineWith } from '../../base/releases/traits.ts';
import { aboutSide, after, before, breaks, changeKind, follows, harmless, together } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { type Flows, flowsBetween, flowsThroughTunnel } from '../flows.ts';
import { type NetworkState, pairOf, type SideState, type ViewState, viewsOfKind } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { ADDRESSES, hubFiles, inFolder, isPart, peerOf } from '../plan-file.ts';
import { untilAsCompiled } from '../step-command.ts';
import { type ListChange, listChange } from './networks.ts';
import { cidrs, DELETE_BEFORE_APPLYING, PROVE, side, VIEW_WORDS, viewIn } from './plain-words.ts';

/** Since this release the name of a Network contains its CIDR, so another CIDR is another Network. */
const REPLACING_LINE = firstLineWith('namesPeerNetworksByCIDR');

export const viewMoved = changeKind('view-moved')
  .decided({
    identity: ({ cluster, peer, cidr, index }) => [cluster, peer, cidr, String(index)],
    subject: aboutSide,
    code: 'plan/view-moves',
    judge: (it, context) =>
      breaks(
        'change',
        'old-addresses-are-wrong',
        ...(isAskedAgain(it, context) ? [] : [together('delete-before-applying'), after('compare-views')]),
      ),
    flows: (it, context) => readdressed(it, context),
    explains: ({ cluster, peer }, context) => [
      ADDRESSES,
      ...hubFiles([cluster, peer], context),
      inFolder(
        cluster,
        (file) =>
          isPart(file, 'expected') || (isPart(file, 'peer', 'gateway-rules', 'node-rules') && peerOf(file) === peer),
      ),
    ],
  })
  .worded({
    section: 'Views',
    title: ({ cluster, peer, cidr, from, to }) =>
      `${cluster} sees ${peer}'s ${VIEW_WORDS[cidr]} at ${to} instead of ${from}`,
    why: {
      'old-addresses-are-wrong':
        'live flows to the old addresses break, and what was allowed or cached by address is wrong',
    },
    steps: {
      'delete-before-applying': DELETE_BEFORE_APPLYING,
      'compare-views': { what: PROVE, on: viewIn },
    },
  });

/**
 * True when the view is requested again. The IPAM does not move an allocated Network; only a new Network is allocated
 * again.
 */
function isAskedAgain({ cluster, peer, cidr, index }: Difference<'view-moved'>, context: PlanContext): boolean {
  if (context.reinstalled.has(cluster)) return true;
  const views = ({ links }: NetworkState): readonly ViewState[] => {
    const side = links.get(pairOf(cluster, peer))?.sides.get(cluster);
    return side === undefined ? [] : viewsOfKind(side, cidr);
  };
  const announced = views(context.after)[index]?.cidr;
  const isNew = views(context.before).every((it) => it.cidr !== announced);
  return context.hasTrait(cluster, 'namesPeerNetworksByCIDR') && isNew;
}

/**
 * A moved view changes the addresses that the two clusters use for each other. The external view of a cluster also
 * contains everything behind it. A cluster that sees a peer's pods at new addresses must also map its own addresses to
 * them, for all others that reach the peer through it.
 */
const readdressed = ({ cluster, peer, cidr }: Difference<'view-moved'>, { was }: PlanContext): readonly Flows[] =>
  was.areLinked(cluster, peer)
    ? [
        ...flowsBetween('readdressed', cluster, [peer]),
        ...(cidr === 'external'
          ? flowsBetween('readdressed', cluster, was.reachedThrough(peer, cluster))
          : flowsBetween('interrupted', peer, was.reachedThrough(cluster, peer))),
      ]
    : [];

/** A view of a link that is added. */
type NewView = Pick<SideState, 'cluster' | 'peer'> & { readonly view: ViewState };

/** The views that new links give: those of remapped networks, or all. */
export const viewsOfNewLinks = (changes: readonly Difference[], all: boolean): readonly NewView[] =>
  changes.flatMap((it) =>
    it.kind === 'link-added'
      ? [...it.link.sides.values()].flatMap(({ cluster, peer, views }) =>
          views.filter(({ cidr, seenAs }) => all || cidr !== seenAs).map((view) => ({ cluster, peer, view })),
        )
      : [],
  );

export const newViewWords = ({ cluster, peer, view: { kind, cidr, seenAs } }: NewView): string =>
  `${cluster} sees ${peer}'s ${VIEW_WORDS[kind]} at ${seenAs}${cidr === seenAs ? ', its own network' : `, which ${peer} calls ${cidr}`}`;

export const NEW_VIEWS = 'with a new link, a peer is reached at these addresses';

export const announcedChanged = changeKind('announced-changed')
  .decided({
    identity: ({ cluster, peer, cidr }) => [cluster, peer, cidr],
    subject: aboutSide,
    code: 'plan/view-moves',
    judge: (it, context) => {
      switch (announcementEffect(it, context)) {
        case 'reinstalled':
          return breaks('change', 'every-view-is-new');
        case 'immutable':
          return breaks('change', 'network-is-immutable', together('delete-before-applying'), after('compare-views'));
        case 'contended':
          return breaks('change', 'network-is-awaited', together('delete-before-applying'), after('compare-views'));
        case 'replaced':
          return context.asked.ofOthers(it.cluster, it.peer).some((one) => one.isAgain)
            ? breaks('change', 'network-is-replaced', after('compare-views'))
            : breaks('change', 'network-is-replaced', after('wait-for-the-new-view'));
        case 'removed':
          return breaks('change', 'network-is-released', before('stop-using-the-network'));
        case 'added':
          return context.asked.ofOthers(it.cluster, it.peer).some((one) => one.isAgain)
            ? harmless('change', 'network-is-added', together('wait-for-every-view'), after('compare-views'))
            : harmless('change', 'network-is-added', together('wait-for-every-view'));
        case 'reordered':
          return harmless('change', 'networks-keep-their-views');
      }
    },
    flows: (it, context) => {
      const effect = announcementEffect(it, context);
      if (effect === 'added' || effect === 'reordered') return [];
      const flows = effect === 'removed' ? 'readdressed' : 'interrupted';
      return flowsThroughTunnel([it.cluster, it.peer], context, flows);
    },
    explains: ({ cluster, peer }) => [
      ADDRESSES,
      inFolder(cluster, (file) => isPart(file, 'expected', 'node-rules') || peerOf(file) === peer),
    ],
  })
  .worded({
    section: 'Views',
    title: ({ cluster, peer, cidr, from, to }) => {
      const [was, is] = [from, to].map((views) => views.map((view) => view.cidr)) as [string[], string[]];
      const remapped = to.filter((view) => view.cidr !== view.seenAs && !was.includes(view.cidr));
      const seen = remapped.map((view) => `; it sees ${view.cidr} at ${view.seenAs}`).join('');
      return `${cluster} configures ${peer} with the ${cidr} ${cidrs(is)} instead of ${listOf(was)}${seen}`;
    },
    why: {
      'network-is-replaced': `Liqo ${REPLACING_LINE} replaces the Network, and every connection to it dies: until the new one is ready, the status still contains the old addresses`,
      'network-is-awaited':
        'the cluster asks for other views in the same change, and what it gives them depends on whether this network is still there: its Configuration is made again',
      'every-view-is-new': 'Liqo is installed again in the cluster, and asks for every view anyway',
      'network-is-released': 'the address of the network that leaves stops working; the others stay as they are',
      'network-is-added':
        'the other networks keep their addresses, and nothing is touched before the new one has its own',
      'networks-keep-their-views': 'every network keeps its address, wherever it is in the list',
      'network-is-immutable': `before ${REPLACING_LINE} the Network of a live Configuration is immutable: the old view stays and its NAT is wrong until the Configuration is recreated`,
    },
    steps: {
      'delete-before-applying': DELETE_BEFORE_APPLYING,
      'compare-views': { what: PROVE, on: viewIn },
      'wait-for-the-new-view': { what: PROVE, on: viewIn },
      'wait-for-every-view': {
        what: 'wait until the status of the Configuration has an address for every network in its spec',
        on: side,
        commands: ({ cluster }) => [untilAsCompiled(cluster)],
      },
      'stop-using-the-network': {
        what: 'make sure that nothing uses these addresses any more',
        on: ({ cluster, peer, from, to }) => {
          const gone = from.filter((view) => to.every((other) => other.cidr !== view.cidr));
          return `${listOf(gone.map((view) => view.seenAs))} for ${peer} in ${cluster}`;
        },
      },
    },
  });

/**
 * The effect of other networks in a Configuration. A Network with its CIDR in its name is created and deleted with that
 * CIDR, and the others of the list stay unchanged; but another Configuration may request networks before the deleted
 * ones are free. In older releases the only Network of a live Configuration is immutable.
 */
function announcementEffect(
  { cluster, peer, from, to }: Difference<'announced-changed'>,
  { before: { links }, hasTrait, reinstalled, asked }: PlanContext,
): ListChange | 'reinstalled' | 'immutable' | 'contended' {
  if (reinstalled.has(cluster)) return 'reinstalled';
  if (!hasTrait(cluster, 'namesPeerNetworksByCIDR')) return 'immutable';
  const effect = listChange(
    from.map((it) => it.cidr),
    to.map((it) => it.cidr),
  );
  const was = links.get(pairOf(cluster, peer))?.sides.get(cluster);
  return (effect === 'replaced' || effect === 'removed') && was !== undefined && asked.beforeRelease(was)
    ? 'contended'
    : effect;
}

export const historyChanged = changeKind('history-changed')
  .decided({
    identity: ({ cluster, peer, cidr, index }) => [cluster, peer, cidr, String(index)],
    subject: aboutSide,
    code: null,
    judge: ({ to }) => (to ? follows('change', 'kept-by-the-lock') : follows('change', 'same-after-a-rebuild')),
    // `Plan.history` lists the views that the lock keeps.
    isListedElsewhere: ({ to }) => to,
    flows: () => [],
    explains: () => [ADDRESSES],
  })
  .worded({
    section: 'Views',
    title: ({ cluster, peer, cidr, seenAs, to }) =>
      to
        ? `${cluster} keeps seeing ${peer}'s ${VIEW_WORDS[cidr]} at ${seenAs}, which a rebuild would not choose again`
        : `${cluster} would see ${peer}'s ${VIEW_WORDS[cidr]} at ${seenAs} after a rebuild, too`,
    why: {
      'kept-by-the-lock': 'the lock keeps it; a rebuild of the cluster would choose another',
      'same-after-a-rebuild': 'a rebuild of the cluster would choose it again',
    },
    steps: {},
  });
