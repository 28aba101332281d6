import type { KubernetesObject } from './kubernetes-object.ts';

/** What is known of a live cluster. */
export interface LiveCluster {
  readonly cluster: string;
  /** True when its own ID is known to be this name, and not only what a file is called. */
  readonly isCertain?: boolean;
  /** By `objectKey`. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  /**
   * Kinds of which every object is known, as `kindKey` prints them. A dump does not show which kinds somebody dumped, so of
   * a kind that it contains, all objects count as dumped.
   */
  readonly listed: ReadonlySet<string>;
  /** Kinds that may not be read there. */
  readonly forbidden: ReadonlySet<string>;
}
