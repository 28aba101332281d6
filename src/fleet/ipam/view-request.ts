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

/** A cluster's view of one CIDR of a leaving peer: the lock still contains the view, and the topology has no link. */
export interface LeavingView {
  readonly viewer: string;
  readonly peer: string;
  readonly seenAs: Located<Prefix>;
}

/**
 * The views of links that are in the lock but no longer in the topology, by viewer. GitOps tools apply new objects
 * before they prune old ones, so a running cluster assigns none of these networks to a peer that is added in the same
 * change. Source: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go, where pruning comes last.
 */
export function leavingViews(
  links: readonly Link[],
  decisions: Decisions,
): ReadonlyMap<string, readonly LeavingView[]> {
  if (decisions.size === 0) return new Map();
  const remaining = new Set(links.flatMap(({ id }) => [linkText(id.first, id.second), linkText(id.second, id.first)]));
  const leaving: LeavingView[] = [];
  for (const [text, { value, at }] of decisions) {
    const [first = '', second = '', kind] = text.split('/', 3);
    if (kind !== 'view' || remaining.has(linkText(first, second))) continue;
    const key = parseLockKey(text);
    const seenAs = readPrintedPrefix(String(value));
    if (key?.kind !== 'view' || !seenAs) continue;
    const peer = key.viewer === first ? second : first;
    leaving.push({ viewer: key.viewer, peer, seenAs: { value: seenAs, at } });
  }
  return groupBy(leaving, (it) => [it.viewer]);
}

const linkText = (first: string, second: string): string => `${first}/${second}`;
