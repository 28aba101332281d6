import type { Span } from '../../base/source/source.ts';
import type { Json } from '../dumps/json.ts';

/** An object by what identifies it. */
export interface ObjectName {
  /** As `kindKey` prints it. */
  readonly key: string;
  readonly kind: string;
  /** `null` for an object of the whole cluster. */
  readonly namespace: string | null;
  readonly name: string;
}

interface Subject {
  readonly object: ObjectName;
  /** The remote cluster that the object is about; `null` for what is about none. */
  readonly peer: string | null;
}

/** A field that is not as promised. */
export interface DifferentField extends Subject {
  readonly kind: 'different';
  /** Keys, and places in lists that count from 0. */
  readonly path: readonly string[];
  /** `undefined` where nothing is promised. */
  readonly promised: Json | undefined;
  /** `undefined` where nothing is there. */
  readonly live: Json | undefined;
  /** Liqo or Kubernetes have chosen what git says: see `isChosenAlready`. */
  readonly isChosen: boolean;
  readonly at: Span;
}

/** One way in which a cluster is not as its bundle promises. */
export type Finding =
  | (Subject & {
      readonly kind: 'missing';
      readonly at: Span;
      /** False for an object that Liqo makes of applied ones. */
      readonly isApplied: boolean;
      /** In which order GitOps tools apply it: its sync wave; 0 without one. */
      readonly wave: number;
    })
  /** It is promised, and on its way out: it waits for its finalizers. */
  | (Subject & { readonly kind: 'being-deleted'; readonly at: Span })
  | DifferentField
  /** Of a kind that weft writes, and not in git. */
  | (Subject & { readonly kind: 'extra' });

/** Objects that were not compared. */
export interface Uncompared {
  /** As `kindKey` prints it. */
  readonly key: string;
  readonly objects: number;
  /**
   * `not-in-dump`: the dumps of the cluster have no object of the kind, so it may not have been dumped at all. `unknown-key`:
   * they are there, and git does not know which keys they should have.
   */
  readonly why: 'not-in-dump' | 'forbidden' | 'unknown-key';
}

/** What was found out about one cluster. */
export interface ClusterDrift {
  readonly cluster: string;
  /** How many promised objects were compared. */
  readonly compared: number;
  /** By kind, namespace and name; of one object by path. */
  readonly findings: readonly Finding[];
  readonly uncompared: readonly Uncompared[];
}
