import { sortedUnique } from '../../base/core/collections.ts';
import { once } from '../../base/core/once.ts';
import { firstOf, listOf, quoted, shortened } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { contains, moveHost, type Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import { DENY_PRIORITY, FENCE_PREFIX } from '../../bundle/enforcement/lower-fence.ts';
import type { Place } from '../dumps/kubernetes-object.ts';
import {
  networksIn,
  type OtherChain,
  type OtherFirewall,
  type OtherPolicy,
  type PolicyBlock,
} from '../facts/boundaries.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import { type SeenNetwork, seenNetworks } from '../facts/networks.ts';
import type { CidrLists } from '../facts/peer.ts';

/** An object that neither Liqo nor weft made, with its meaning for connections between clusters, in words. */
interface LimitProblem {
  readonly code: Extract<Code, `live/${string}`>;
  /** `null` for one about several peers. */
  readonly peer: string | null;
  readonly message: string;
  readonly hint: string;
}

/** The networks of all clusters of the fleet, as they are in their own clusters. */
type FleetNetworks = ReadonlyMap<string, CidrLists>;

/** Returns one for each FirewallConfiguration and NetworkPolicy of others that concerns them. */
export function limitProblems(facts: ObservedCluster, fleet: () => FleetNetworks): readonly LimitProblem[] {
  const { firewalls, policies, unread } = facts.limitsOfOthers;
  const networks = once(() => networksAt(facts, fleet()));
  return [
    ...firewalls.map((it) => firewallProblem(it, facts)),
    ...policies.flatMap((it) => policyProblem(it, facts, networks())),
    ...(unread.length === 0 ? [] : [unreadKinds(facts.cluster, unread)]),
  ];
}

const unreadKinds = (cluster: string, kinds: readonly string[]): LimitProblem => ({
  code: 'live/limits-unread',
  peer: null,
  message: `${listOf(kinds.map((it) => it.split('.')[0] ?? ''))} of ${quoted(cluster)} may not be listed, so it is not known which of others limit connections between clusters`,
  hint: 'let the user of the context list them: "weft import --print-commands" prints the role',
});

const LONGEST = 80;

const otherPlace = ({ namespace, name }: Place): string => shortened(`${namespace}/${name}`, LONGEST);

/*
 * Packets of a tunnel pass the chains of all tables of a gateway by hook and priority. After a rule of type nat has applied, no
 * chain of that type is asked at the hook again; what one chain drops, no other one brings back. Source:
 * liqotech/liqo@v1.2.0 pkg/firewall, and nft(8).
 */
function firewallProblem(it: OtherFirewall, { cluster, boundaries }: ObservedCluster): LimitProblem {
  const { loadedBy, table } = it;
  const fences = (boundaries.fences ?? []).filter(
    ({ isClosed, peer }) => isClosed && (loadedBy === 'gateways' || (loadedBy !== 'nodes' && loadedBy.peer === peer)),
  );
  const peer = typeof loadedBy === 'string' ? null : loadedBy.peer;
  const where =
    loadedBy === 'nodes'
      ? `every node of ${quoted(cluster)} loads`
      : loadedBy === 'gateways'
        ? `every gateway of ${quoted(cluster)} loads`
        : `the gateway of ${quoted(cluster)} towards ${quoted(loadedBy.peer)} loads`;
  const subject = `${where} FirewallConfiguration ${otherPlace(it)}, which neither Liqo nor weft made`;
  if (table.startsWith(FENCE_PREFIX))
    return {
      code: 'live/fence-bypassed',
      peer,
      message: `${subject}: it has the table ${quoted(table)} of a fence, and two objects of one table delete the chains of each other`,
      hint: 'give its table another name, or delete it',
    };
  const before = it.chains.find((one) => fences.length > 0 && one.does === 'translates' && isBeforeFence(one));
  if (before !== undefined) {
    const names = fences.map((one) => quoted(one.peer));
    return {
      code: 'live/fence-bypassed',
      peer,
      message: `${subject}: its chain ${hookText(before)} comes before the fence towards ${firstOf(names, 3)}, and what one of its rules translates enters whatever \`boundaries\` lists`,
      hint: `move the chain behind the fence, to a priority above ${DENY_PRIORITY}, or delete it`,
    };
  }
  const effects = it.chains.map((one) => effectOf(one, loadedBy === 'nodes' ? 0 : fences.length));
  return {
    code: 'live/firewall-of-others',
    peer,
    message: `${subject}: ${listOf(effects.length === 0 ? ['it has no chains'] : [...new Set(effects)])}`,
    hint: 'weft does not know of it: traces and plans answer as if it were not there',
  };
}

const isBeforeFence = ({ type, hook, priority }: OtherChain): boolean =>
  type === 'nat' && hook === 'prerouting' && priority <= DENY_PRIORITY;

const hookText = ({ type, hook, priority }: OtherChain): string => `(${type} ${hook}, priority ${priority})`;

function effectOf(chain: OtherChain, fences: number): string {
  const at = hookText(chain);
  if (chain.does === 'drops')
    return `a chain ${at} refuses packets, also those that ${fences > 0 ? 'the fence lets in' : 'git lets through'}`;
  if (chain.does === 'nothing') return `a chain ${at} neither refuses nor translates anything of a tunnel`;
  if (chain.hook === 'prerouting' && fences > 0)
    return `a chain ${at} translates destinations behind the fence: only what goes to the external CIDR gets there`;
  return `a chain ${at} translates ${chain.hook === 'prerouting' ? 'destinations' : 'sources'} beside the rules of Liqo`;
}

interface NetworksAt {
  /** The views of the cluster. */
  readonly views: readonly (SeenNetwork & { readonly peer: string })[];
  /** The networks of all other clusters as they have them. */
  readonly others: readonly (Omit<SeenNetwork, 'seenAs'> & { readonly peer: string })[];
  readonly own: readonly Prefix[];
}

const KINDS = ['pod', 'external'] as const;

function networksAt({ cluster, peers }: ObservedCluster, fleet: FleetNetworks): NetworksAt {
  const views = [...peers.values()].flatMap(({ remote: peer, configurations: [it] }) =>
    seenNetworks(it).map((one) => ({ ...one, peer })),
  );
  const others = [...fleet].flatMap(([peer, networks]) =>
    peer === cluster
      ? []
      : KINDS.flatMap((kind) => networks[kind].flatMap(networksIn).map((cidr) => ({ peer, kind, cidr }))),
  );
  return { views, others, own: (fleet.get(cluster)?.pod ?? []).flatMap(networksIn) };
}

/** A block of a policy whose addresses are those of a cluster, here or there. */
interface NamedBlock {
  readonly text: string;
  readonly isUnseen: boolean;
  readonly peers: readonly string[];
  /** The network to name instead. */
  readonly instead: string | null;
}

function policyProblem(policy: OtherPolicy, facts: ObservedCluster, networks: NetworksAt): readonly LimitProblem[] {
  const named = policy.blocks.flatMap((it) => namedBlock(it, policy, facts, networks) ?? []);
  if (named.length === 0) return [];
  const unseen = named.filter((it) => it.isUnseen);
  const shown = unseen.length > 0 ? unseen : named;
  const instead = sortedUnique(unseen.flatMap((it) => it.instead ?? []));
  const [peer = null, ...others] = sortedUnique(shown.flatMap((it) => it.peers));
  const texts = [...new Set(shown.map((it) => it.text))];
  return [
    {
      code: unseen.length > 0 ? 'live/policy-names-unseen' : 'live/policy-of-others',
      peer: others.length === 0 ? peer : null,
      message: `NetworkPolicy ${otherPlace(policy)} of ${quoted(facts.cluster)} ${firstOf(texts, 3, '; it ')}`,
      hint:
        unseen.length === 0
          ? 'nothing changes it when these addresses do: an entry of `boundaries` follows them'
          : instead.length > 0
            ? `name ${firstOf(instead, 3)} there, or write the connection into \`boundaries\`, which knows the addresses`
            : 'give the two a link, or remove the network from the policy',
    },
  ];
}

function namedBlock(
  { side, network, except }: PolicyBlock,
  { namespace }: Place,
  { cluster, boundaries }: ObservedCluster,
  { views, others, own }: NetworksAt,
): NamedBlock | undefined {
  const verb = side === 'ingress' ? 'lets in' : 'lets pods send to';
  const text = printPrefix(network);
  const view = views.find((it) => contains(it.seenAs, network));
  if (view !== undefined) {
    const other = others.find((it) => it.peer !== view.peer && it.kind === 'pod' && contains(it.cidr, network));
    const not = other === undefined ? '' : `, not of ${quoted(other.peer)}, which calls its own pods so`;
    const whose = `${text}, ${view.kind === 'pod' ? 'pods' : 'the external CIDR'} of ${quoted(view.peer)}${not}`;
    return {
      ...{ peers: [view.peer], isUnseen: false, instead: null },
      text: `${verb} ${whose}${beside(boundaries, namespace, side)}`,
    };
  }
  const owner = others.find((it) => contains(it.cidr, network));
  if (owner === undefined) {
    const covered = views.filter(
      (it) => contains(network, it.seenAs) && !except.some((one) => contains(one, it.seenAs)),
    );
    const also = beside(boundaries, namespace, side);
    if (covered.length === 0 || also === '') return undefined;
    const peers = sortedUnique(covered.map((it) => it.peer));
    return {
      ...{ peers, isUnseen: false, instead: null },
      text: `${verb} ${text}, and with it ${firstOf(peers.map(quoted), 3)}${also}`,
    };
  }
  const seen = views.find((it) => it.peer === owner.peer && contains(it.cidr, network));
  const moved = seen && printPrefix({ base: moveHost(network.base, seen.seenAs), length: network.length });
  const what = owner.kind === 'pod' ? 'pods' : 'the external CIDR';
  const isOwn = own.some((it) => contains(it, network));
  const meets = isOwn
    ? `only pods of ${quoted(cluster)} itself have these addresses there`
    : 'nothing has these addresses there';
  return {
    ...{ peers: [owner.peer], isUnseen: true, instead: moved ?? null },
    text: `names ${text}, ${what} of ${quoted(owner.peer)} in its own cluster: ${meets}, ${
      moved === undefined ? 'and the two have no link' : `where they are ${moved}`
    }`,
  };
}

/** The consequence for a policy of weft in the same namespace: policies add up. */
function beside({ policies }: ObservedCluster['boundaries'], namespace: string, side: PolicyBlock['side']): string {
  const limits = policies?.some((it) => it.namespace === namespace && it[side] !== null) === true;
  return limits ? ', although `weft-boundaries` in this namespace limits it: policies add up' : '';
}
