import type { Code } from '../codes.ts';

/** What messages call a file that has a schema, and the codes of the room that reads it. */
export interface SchemaFile {
  /** `the topology` */
  readonly what: string;
  /** The map whose keys are names, and what they name: `{ key: 'clusters', noun: 'cluster' }`. */
  readonly named: { readonly key: string; readonly noun: string };
  readonly codes: {
    readonly unknownKey: Code;
    readonly missingKey: Code;
    readonly wrongType: Code;
    readonly wrongValue: Code;
  };
}
