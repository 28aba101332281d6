import type { CidrKind } from '../core/lock-key.ts';
import type { Prefix } from '../net/prefix.ts';

/** What live clusters have decided: everything that a lock can record about it. */
export interface LiveNetwork {
  readonly views: readonly LiveView[];
  readonly ports: readonly LivePort[];
}

/** How a live cluster sees one CIDR of a peer. */
export interface LiveView {
  readonly viewer: string;
  readonly peer: string;
  readonly kind: CidrKind;
  /** As the Configuration in the viewer has it. */
  readonly cidr: Prefix;
  readonly seenAs: Prefix;
  /**
   * When the viewer's IPAM gave it, as far as its API server says: greater is later, and only comparable within one viewer.
   * Written again later, an object looks younger than it is. `null` where no object says.
   */
  readonly given: number | null;
}

/** Where a live gateway serves a link: its node port, or the port of its Service. */
export interface LivePort {
  readonly server: string;
  readonly client: string;
  readonly port: number;
}
