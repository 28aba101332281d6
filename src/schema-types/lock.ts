// Generated from schemas/lock.schema.json by `npm run generate -- --types`; edit that instead.

/**
 * What weft decided before, so that an edit moves nothing it does not have to. weft writes this file beside the topology; commit it, and do not edit it by hand.
 */
export interface LockFile {
  /**
   * Version of this file's format.
   */
  version: 1;
  /**
   * One entry per decision, sorted by key, so that two pull requests rarely meet.
   */
  decisions: Record<string, string | number>;
}
