import { groupBy } from '../../base/core/collections.ts';
import { type CidrKind, type LockKey, parseLockKey } from '../../base/core/lock-key.ts';
import { type Prefix, samePrefix } from '../../base/net/prefix.ts';
import { printPrefix, readPrintedPrefix } from '../../base/net/text.ts';
import type { Located } from '../../base/source/source.ts';
import type { Decisions } from '../lock/lock.ts';
import type { Link } from '../model/network-model.ts';
import type { AddressedCluster } from './addressed-model.ts';

/** The networks that a peer announces to a cluster, over one link. */
export interface Announcement {
  readonly viewer: AddressedCluster;
  readonly link: Link;
  readonly peer: AddressedCluster;
}

/** One request to the IPAM of the viewing cluster. */
export interface ViewRequest {
  readonly announcement: Announcement;
  readonly kind: CidrKind;
  readonly cidr: Prefix;
}

/**
 * The requests for one peer: pod CIDRs in list order, then the external one. Source: liqotech/liqo@v1.2.0
 * .../external-network/configuration.
 */
export function requestsOf(announcement: Announcement): readonly ViewRequest[] {
  const { podCIDRs, externalCIDR } = announcement.peer;
  return [
    ...podCIDRs.map(({ value: cidr }): ViewRequest => ({ announcement, kind: 'pod', cidr })),
    { announcement, kind: 'external', cidr: externalCIDR },
  ];
}

/** Text for messages, such as `pod CIDR 10.200.0.0/16 of "rome"`. */
export const describeRequest = ({ announcement, kind, cidr }: ViewRequest): string =>
  `${kind} CIDR ${printPrefix(cidr)} of "${announcement.peer.name}"`;

/** A cluster's view of one CIDR that it no longer requests: the lock still contains the view. */
export interface LeavingView {
  readonly viewer: string;
  readonly peer: string;
  /** True when the link leaves, too; false when only the peer's network is another one. */
  readonly withLink: boolean;
  readonly seenAs: Located<Prefix>;
}

/**
 * The views that are in the lock but no longer requested, by viewer. GitOps tools apply new objects before they prune
 * old ones, so a running cluster assigns no network of a link that leaves to a peer that is added in the same change.
 * Source: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go, where pruning comes last.
 */
export function leavingViews(
  announcements: readonly Announcement[],
  decisions: Decisions,
): ReadonlyMap<string, readonly LeavingView[]> {
  if (decisions.size === 0) return new Map();
  const remaining = new Map(announcements.map((it) => [endText(it.viewer.name, it.peer.name), it]));
  const leaving: LeavingView[] = [];
  for (const [text, { value, at }] of decisions) {
    const [first = '', second = '', kind, viewer = ''] = text.split('/', 5);
    if (kind !== 'view') continue;
    const peer = viewer === first ? second : first;
    const announcement = remaining.get(endText(viewer, peer));
    const key = parseLockKey(text);
    const seenAs = readPrintedPrefix(String(value));
    if (key?.kind !== 'view' || !seenAs || (announcement && announces(announcement.peer, key))) continue;
    leaving.push({ viewer, peer, withLink: announcement === undefined, seenAs: { value: seenAs, at } });
  }
  return groupBy(leaving, (it) => [it.viewer]);
}

const endText = (viewer: string, peer: string): string => `${viewer}/${peer}`;

const announces = (
  { podCIDRs, externalCIDR }: AddressedCluster,
  { role, cidr }: Extract<LockKey, { kind: 'view' }>,
): boolean => (role === 'pod' ? podCIDRs.some((it) => samePrefix(it.value, cidr)) : samePrefix(externalCIDR, cidr));
