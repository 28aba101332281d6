import { groupBy } from '../../base/core/collections.ts';
import { type CidrKind, parseLockKey } from '../../base/core/lock-key.ts';
import type { Prefix } from '../../base/net/prefix.ts';
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
  const linked = new Set(announcements.map((it) => `${it.viewer.name}/${it.peer.name}`));
  const requested = new Set(announcements.flatMap(requestsOf).map(requestText));
  const leaving: LeavingView[] = [];
  for (const [text, { value, at }] of decisions) {
    const [first = '', second = '', kind, viewer = '', ...cidr] = text.split('/');
    if (kind !== 'view') continue;
    const peer = viewer === first ? second : first;
    const ends = `${viewer}/${peer}`;
    // The text of a known view is compared as it is: parsing the keys of a whole lock takes longer.
    if (requested.has([ends, ...cidr].join('/'))) continue;
    const seenAs = readPrintedPrefix(String(value));
    if (parseLockKey(text)?.kind !== 'view' || !seenAs) continue;
    leaving.push({ viewer, peer, withLink: !linked.has(ends), seenAs: { value: seenAs, at } });
  }
  return groupBy(leaving, (it) => [it.viewer]);
}

const requestText = ({ announcement: { viewer, peer }, kind, cidr }: ViewRequest): string =>
  `${viewer.name}/${peer.name}/${kind}/${printPrefix(cidr)}`;
