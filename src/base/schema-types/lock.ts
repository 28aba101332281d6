// Generated from schemas/lock.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * Earlier decisions of weft, so that an edit of the topology changes no address or port without need. weft writes this file beside the topology; commit it, and do not edit it by hand.
 */
export interface LockFile {
  /**
   * Version of this file's format.
   */
  version: 1;
  /**
   * One entry per decision, sorted by key, so that two pull requests rarely conflict.
   */
  decisions: Record<string, string | number>;
}
