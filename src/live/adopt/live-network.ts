import type { CidrKind } from '../../base/core/lock-key.ts';
import type { Prefix } from '../../base/net/prefix.ts';

/** What live clusters have decided: everything that a lock can record about it. */
export interface LiveNetwork {
  readonly views: readonly LiveView[];
  /** CIDRs of peers that a cluster has not given a network yet. */
  readonly waiting: readonly WaitingView[];
  readonly ports: readonly LivePort[];
}

/** A CIDR of a peer, which a live cluster has been asked to see. */
export interface WaitingView {
  readonly viewer: string;
  readonly peer: string;
  readonly kind: CidrKind;
  /** As the Configuration in the viewer has it. */
  readonly cidr: Prefix;
  /** The Configuration. */
  readonly object: { readonly namespace: string; readonly name: string };
}

/** How a live cluster sees one CIDR of a peer. */
export interface LiveView extends WaitingView {
  readonly seenAs: Prefix;
  readonly given: Given;
}

/** When the viewer's IPAM gave a view, as far as its API server says. */
interface Given {
  /** When the object that asked for it was made: RFC 3339 in seconds. */
  readonly created: string | null;
  /** Of that object; counts up with each write in one cluster. An object that is written again looks younger than it is. */
  readonly version: number | null;
}

/** Where a live gateway serves a link: its node port, or the port of its Service. */
export interface LivePort {
  /** Only the client says so: it may go on dialling a port that the server no longer has. */
  readonly isDialled?: boolean;
  readonly server: string;
  readonly client: string;
  readonly port: number;
}
