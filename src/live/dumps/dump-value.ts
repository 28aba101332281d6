import type { Span } from '../../base/source/source.ts';
import type { Json } from './json.ts';

/** A value of a dump, with its place. */
export interface DumpValue {
  readonly value: Json;
  readonly at: () => Span;
  /** The place of an item, for a value that is a list. */
  readonly itemAt?: (index: number) => Span;
}

/** Which kinds are kept; a dump of everything is mostly Pods. */
export type WantedKind = (apiVersion: string, kind: string) => boolean;
