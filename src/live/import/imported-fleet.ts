import type { Topology } from '../../base/schema-types/topology.ts';
import type { LiveNetwork } from '../adopt/live-network.ts';
import type { Finding } from './finding.ts';

/** A topology that describes live clusters, before it is a text. */
export interface ImportedFleet {
  readonly topology: Topology;
  /** Comments of the text by the path of the value that they are about, as in `clusters.rome.podCIDR`. */
  readonly comments: ReadonlyMap<string, string>;
  /** Public keys of gateways: by cluster, then by peer. */
  readonly keys: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** What the lock is to record. */
  readonly live: LiveNetwork;
  /** What is broken there, or cannot be written down. */
  readonly findings: readonly Finding[];
}
