import type { CidrKind } from '../../base/core/lock-key.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { Link } from '../model/network-model.ts';
import type { AddressedCluster } from './addressed-model.ts';

/** What a peer announces to a cluster, over one link. */
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

/** In one peer, pod CIDRs in list order come first, then the external one. Source: liqotech/liqo@v1.2.0 .../external-network/configuration. */
export function requestsOf(announcement: Announcement): readonly ViewRequest[] {
  const { podCIDRs, externalCIDR } = announcement.peer;
  return [
    ...podCIDRs.map(({ value: cidr }): ViewRequest => ({ announcement, kind: 'pod', cidr })),
    { announcement, kind: 'external', cidr: externalCIDR },
  ];
}

/** `pod CIDR 10.200.0.0/16 of "rome"`, as messages show it. */
export const describeRequest = ({ announcement, kind, cidr }: ViewRequest): string =>
  `${kind} CIDR ${printPrefix(cidr)} of "${announcement.peer.name}"`;
