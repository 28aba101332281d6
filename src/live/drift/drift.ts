import { groupBy } from '../../base/core/collections.ts';
import { countOf, listOf, shortened } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
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

/** Findings that no problem explains yet. */
export interface FindingPool {
  /** Removes and returns those that are wanted. */
  readonly take: (isWanted: (it: Finding) => boolean) => readonly Finding[];
  /** The fields below a path in which objects of a kind differ. */
  readonly takeFields: (kinds: readonly string[], ...path: readonly string[]) => readonly DifferentField[];
}

export function findingPool(findings: readonly Finding[]): FindingPool {
  let left = findings;
  const take: FindingPool['take'] = (isWanted) => {
    // Most causes find nothing, and most peers have nothing left.
    if (left.length === 0) return [];
    const taken = left.filter(isWanted);
    if (taken.length > 0) left = left.filter((it) => !isWanted(it));
    return taken;
  };
  return {
    take,
    takeFields: (kinds, ...path) =>
      take((it) => isFieldOf(it, kinds) && startsWith(it.path, path)).filter((it) => it.kind === 'different'),
  };
}

const isFieldOf = (it: Finding, kinds: readonly string[]): it is DifferentField =>
  it.kind === 'different' && kinds.includes(it.object.kind);

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((it, index) => path[index] === it);

/** The findings of each object. */
export const byObject = (findings: readonly Finding[]): readonly (readonly Finding[])[] => [
  ...groupBy(findings, (it) => [keyOf(it.object)]).values(),
];

/** As `objectKey` prints it. */
export const keyOf = ({ key, namespace, name }: ObjectName): string => `${key} ${namespace ?? ''}/${name}`;

export const GATEWAY_KINDS: readonly string[] = ['GatewayServer', 'GatewayClient'];

/** UTF-16 code units of a value, and names of objects, that a sentence shows. */
const LONGEST = 60;
const NAMED = 4;

/** `Configuration "milan"`: within a cluster and a peer the namespace is known. */
export const named = ({ kind, name }: ObjectName): string => `${kind} "${shortened(name, LONGEST)}"`;

/** `the PublicKey "milan" and the Network "milan-pod"`, each object once. */
export function objectsIn(findings: readonly Finding[]): string {
  const names = [...new Set(findings.map((it) => named(it.object)))];
  const shown = names.slice(0, names.length === NAMED + 1 ? names.length : NAMED);
  const more = names.length - shown.length;
  return listOf([...shown, ...(more > 0 ? [countOf(more, 'more object')] : [])]);
}

/** A value of an object in a sentence; `nothing` for none. */
export const valueIn = (value: Json | undefined): string =>
  value === undefined || value === ''
    ? 'nothing'
    : shortened(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);

/** Clusters, the first of them by name. */
export interface SomeClusters {
  readonly names: readonly string[];
  /** How many there are besides. */
  readonly more: number;
}

/** Clusters that no longer reach others under the addresses that git promises. */
export interface BrokenPairs {
  readonly from: SomeClusters;
  readonly to: SomeClusters;
  /** The cluster that forwards the packets; `null` over a link of the two. */
  readonly through: string | null;
  /** An address that people dial, as git promises it. */
  readonly dialled: string;
  /** The one that has to be dialled now; `null` as long as there is none. */
  readonly now: string | null;
  /** What the dialled address reaches now: `10.202.3.7 of turin`; `null` for nothing that Liqo knows. */
  readonly reaches: string | null;
}

/** One thing that is not as git promises, in the language of the network, with every finding that it explains. */
export interface Problem {
  /** `null` for what is about no peer, or about all of them. */
  readonly peer: string | null;
  readonly diagnostic: Diagnostic;
  /**
   * True when nothing that is there contradicts git: a rollout that goes on resolves it. It is still something that git
   * promises and the cluster does not have.
   */
  readonly isWaiting: boolean;
  /** Further sentences: evidence, the other end, what it means. */
  readonly details: readonly string[];
  /** What is wrong, and what only follows from it. */
  readonly findings: readonly Finding[];
  readonly effects: readonly Finding[];
  readonly pairs: readonly BrokenPairs[];
}

interface ProblemParts {
  readonly peer: string | null;
  readonly at: Span;
  readonly message: string;
  readonly hint?: string;
  readonly isWaiting?: boolean;
  readonly details?: readonly string[];
  readonly findings: readonly Finding[];
  readonly effects?: readonly Finding[];
  readonly pairs?: readonly BrokenPairs[];
}

/** Its place is that of the first finding that has one, else `at`. */
export function problem(code: Code, { at, message, hint, ...parts }: ProblemParts): Problem {
  const place = parts.findings.flatMap((it) => (it.kind === 'extra' ? [] : [it.at]))[0] ?? at;
  return {
    peer: parts.peer,
    diagnostic: diagnostic(code, place, message, { hint }),
    isWaiting: parts.isWaiting ?? false,
    details: parts.details ?? [],
    findings: parts.findings,
    effects: parts.effects ?? [],
    pairs: parts.pairs ?? [],
  };
}

export const withEffects = (it: Problem, effects: readonly Finding[]): Problem => ({
  ...it,
  effects: [...it.effects, ...effects],
});

export const withDetails = (it: Problem, details: readonly string[]): Problem => ({
  ...it,
  details: [...it.details, ...details],
});

/** Notes are not drift. */
export const isDrift = ({ diagnostic: { severity } }: Problem): boolean => severity !== 'note';
