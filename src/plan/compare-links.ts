import { bug } from '../base/diagnostics/outcome.ts';
import { CHART_TEMPLATES } from '../base/releases/install-defaults.ts';
import type { Difference, RemoteNamespace } from './difference.ts';
import {
  earlierViews,
  type LinkState,
  NAMED,
  type NetworkState,
  portsOf,
  type ServiceState,
  type SideState,
  type ViewState,
  viewsOfKind,
} from './network-state.ts';

/** The facts about both fleets that a comparison of links needs. */
export interface AroundLinks {
  readonly sameTemplate: SameTemplate;
  readonly offloaded: OffloadedBetween;
  /** True when both templates are the chart's or in the bundle. */
  readonly knowsTemplates: (was: SideState, is: SideState) => boolean;
  /** The names of the key Secret of one end, where they differ. */
  readonly secretsOf: (was: SideState, is: SideState) => ChangedSecret | null;
}

export function* compareLinks(was: LinkState, is: LinkState, around: AroundLinks): Iterable<Difference> {
  const { sameTemplate } = around;
  const { ends } = is;
  const sameRoles = was.server === is.server;
  if (was.kind !== is.kind) yield { kind: 'link-kind-changed', ends, from: was.kind, to: is.kind };
  if (sameRoles) yield* compareEndpoints(was, is);
  else yield { kind: 'role-changed', ends, from: was.server, to: is.server, link: is };
  if (was.mtuBytes !== is.mtuBytes) {
    yield { kind: 'mtu-changed', ends, server: is.server, from: was.mtuBytes, to: is.mtuBytes };
  }
  let left = around;
  for (const [cluster, side] of is.sides) {
    const old = was.sides.get(cluster);
    if (!old) continue;
    // The two roles have different templates of weft, so after a swap only other templates are compared.
    if (sameRoles ? !sameTemplate(old, side) : !around.knowsTemplates(old, side)) yield* compareTemplates(old, side);
    const other = { was: was.sides.get(side.peer), is: is.sides.get(side.peer) };
    yield* compareNames(old, side, other, left);
    // A deleted namespace is listed once, with the first removed namespace.
    if (old.names.namespace !== side.names.namespace) left = { ...around, offloaded: () => [] };
    yield* compareKeys(old, side, { link: is, other, around });
    yield* compareViews(old, side);
  }
}

function* compareEndpoints(was: LinkState, is: LinkState): Iterable<Difference> {
  const { ends, server, client } = is;
  const [from, to] = [portsOf(was), portsOf(is)];
  // If the Service of one side is unknown, only the dialled port can be compared.
  const samePorts = was.service && is.service ? JSON.stringify(from) === JSON.stringify(to) : was.port === is.port;
  if (!samePorts) yield { kind: 'port-changed', ends, server, address: is.address, from, to };
  if (was.address !== is.address)
    yield { kind: 'address-changed', ends, server, client, from: was.address, to: is.address, ports: to };
  if (was.service && is.service && offerOf(was.service) !== offerOf(is.service)) {
    yield { kind: 'service-changed', ends, server, from: was.service, to: is.service };
  }
}

/** Everything of a Service except its ports. */
const offerOf = ({ port: _, nodePort: __, ...offer }: ServiceState): string => JSON.stringify(offer);

/** True when a side's template stays the same, apart from a new namespace of the cluster's Liqo. */
type SameTemplate = (was: SideState, is: SideState) => boolean;

export function followsNamespace(before: NetworkState, after: NetworkState): SameTemplate {
  const nameIn = ({ clusters }: NetworkState, { cluster, template }: SideState): string | undefined => {
    const namespace = clusters.get(cluster)?.namespace ?? '';
    return template?.startsWith(`${namespace}/`) ? template.slice(namespace.length) : undefined;
  };
  return (was, is) => nameIn(before, was) !== undefined && nameIn(before, was) === nameIn(after, is);
}

/** True when a template is the chart's, or in the bundle of its cluster. Other templates were applied in other ways. */
export function knowsTemplate({ clusters }: NetworkState, cluster: string, template: string | null): boolean {
  const it = clusters.get(cluster);
  const own = [...Object.values(CHART_TEMPLATES), ...(it?.ownTemplates ?? [])];
  return template === null || own.some((name) => template === `${it?.namespace ?? ''}/${name}`);
}

function* compareTemplates(was: SideState, { cluster, peer, template: to }: SideState): Iterable<Difference> {
  const from = was.template;
  if (from !== to && from !== null && to !== null) yield { kind: 'template-changed', cluster, peer, from, to };
}

/** The namespaces of one cluster in another cluster, before and after. */
type OffloadedBetween = (cluster: string, provider: string) => readonly RemoteNamespace[];

function* compareNames(was: SideState, is: SideState, other: OtherEnd, around: AroundLinks): Iterable<Difference> {
  const { cluster, peer } = is;
  const { offloaded, secretsOf } = around;
  if (was.nextSecret !== is.nextSecret && !isRotated(was, is, other, around))
    yield { kind: 'next-key-changed', cluster, peer, from: was.nextSecret, to: is.nextSecret };
  // A PublicKey that is added or removed is another change.
  const isKeyKept = was.keyOfPeer !== null && is.keyOfPeer !== null;
  const to = {
    ...is.names,
    publicKey: isKeyKept ? is.names.publicKey : was.names.publicKey,
    secret: secretsOf(was, is) === null || isRotated(was, is, other, around) ? was.names.secret : is.names.secret,
  };
  if (NAMED.every((it) => was.names[it] === to[it])) return;
  const isMoved = was.names.namespace !== to.namespace;
  const deleted = isMoved ? [...offloaded(cluster, peer), ...offloaded(peer, cluster)] : [];
  yield { kind: 'names-changed', cluster, peer, from: was.names, to, deleted };
}

/** The end of the same link that is not compared at the moment; it has the public key of the other one's gateway. */
interface OtherEnd {
  readonly was: SideState | undefined;
  readonly is: SideState | undefined;
}

interface ChangedSecret {
  readonly from: string;
  readonly to: string;
}

/** True when a gateway has another key in another Secret, and everything else of it has its name. */
const isRotated = (was: SideState, is: SideState, other: OtherEnd, { secretsOf }: AroundLinks): boolean =>
  secretsOf(was, is) !== null &&
  other.was?.keyOfPeer != null &&
  other.is?.keyOfPeer != null &&
  other.was.keyOfPeer !== other.is.keyOfPeer &&
  NAMED.every((it) => it === 'secret' || was.names[it] === is.names[it]);

interface KeyPlace {
  readonly link: LinkState;
  /** The end whose gateway has the key. */
  readonly other: OtherEnd;
  readonly around: AroundLinks;
}

/** Compares public keys. An end holds the public key of the gateway at the other end. */
function* compareKeys(was: SideState, is: SideState, { link, other, around }: KeyPlace): Iterable<Difference> {
  const [from, to] = [was.keyOfPeer, is.keyOfPeer];
  const { server } = link;
  const side = { cluster: is.peer, peer: is.cluster };
  if (from === to) return;
  if (from !== null && to !== null && other.was && other.is && isRotated(other.was, other.is, { was, is }, around)) {
    const secret = around.secretsOf(other.was, other.is) ?? bug('a rotated key has the Secret of before');
    yield { kind: 'key-rotated', ...side, server, from, to, secret, namespace: other.is.names.namespace };
    return;
  }
  if (from === null && to !== null) yield { kind: 'key-added', ...side, to };
  else if (from !== null && to === null) yield { kind: 'key-removed', ...side, from };
  else if (from !== null && to !== null) yield { kind: 'key-changed', ...side, server, from, to };
}

function* compareViews(was: SideState, is: SideState): Iterable<Difference> {
  const { cluster, peer } = is;
  for (const cidr of ['pod', 'external'] as const) {
    const [from, to] = [viewsOfKind(was, cidr), viewsOfKind(is, cidr)];
    const announced = (views: readonly ViewState[]) => views.map((it) => it.cidr);
    if (!sameTexts(announced(from), announced(to))) yield { kind: 'announced-changed', cluster, peer, cidr, from, to };
    for (const [index, old] of earlierViews(from, to).entries()) {
      const view = to[index];
      if (!old || !view) continue;
      if (old.seenAs !== view.seenAs) {
        yield { kind: 'view-moved', cluster, peer, cidr, index, from: old.seenAs, to: view.seenAs };
      }
      if (old.history !== view.history) {
        yield { kind: 'history-changed', cluster, peer, cidr, index, seenAs: view.seenAs, to: view.history };
      }
    }
  }
}

/** True for equal texts in the same order. */
export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((it, i) => it === b[i]);
