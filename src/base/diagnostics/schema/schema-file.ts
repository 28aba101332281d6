import type { Code } from '../codes.ts';

/** The name of a file that has a schema in messages, and the codes of the room that reads it. */
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
