import type { FolderFiles } from '../base/core/folder-files.ts';
import type { AddressesFile } from '../base/schema-types/addresses.ts';

/** One side of a plan: the state before, or after. */
export interface PlanState {
  /** Without weft's own folder. Their texts are too many to be in memory together. */
  readonly files: FolderFiles;
  /** What `addresses.json` contains; `null` without any files. */
  readonly addresses: AddressesFile | null;
  /** The text of the lock; `null` when there is none. */
  readonly lock: string | null;
  /** Facts that only a topology contains; `null` without a topology that compiles to exactly these files. */
  readonly known: TopologyFacts | null;
}

/** By cluster name. */
export interface TopologyFacts {
  /** Version of Liqo, with its patch. */
  readonly releases: ReadonlyMap<string, string>;
  /** The former name of a cluster that declares one. */
  readonly formerNames: ReadonlyMap<string, string>;
  /** The hubs of each cluster that is a spoke. */
  readonly hubs: ReadonlyMap<string, readonly string[]>;
  /** Keys that exist and that the keys file does not know: gateways as `gatewayText`, and consumers by name. */
  readonly unknownKeys: ReadonlySet<string>;
}
