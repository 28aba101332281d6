import { groupBy } from '../../base/core/collections.ts';
import { countOf, listOf, shortened } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';
import type { Json } from '../dumps/json.ts';

/** The identity of an object. */
export interface ObjectName {
  /** Printed by `kindKey`. */
  readonly key: string;
  readonly kind: string;
  /** `null` for a cluster-scoped object. */
  readonly namespace: string | null;
  readonly name: string;
}

interface Subject {
  readonly object: ObjectName;
  /** The remote cluster of the object; `null` for an object without one. */
  readonly peer: string | null;
}

/** A field that differs from the promised one. */
export interface DifferentField extends Subject {
  readonly kind: 'different';
  /** Keys, and indices of lists, which start at 0. */
  readonly path: readonly string[];
  /** `undefined` when the field is not promised. */
  readonly promised: Json | undefined;
  /** `undefined` when the field is absent. */
  readonly live: Json | undefined;
  /** True when Liqo or Kubernetes chose the value that is in git: see `isChosenAlready`. */
  readonly isChosen: boolean;
  readonly at: Span;
}

/** One difference between a cluster and its bundle. */
export type Finding =
  | (Subject & {
      readonly kind: 'missing';
      readonly at: Span;
      /** False for an object that Liqo creates from applied ones. */
      readonly isApplied: boolean;
      /** The sync wave in which GitOps tools apply it; 0 without one. */
      readonly wave: number;
    })
  /** It is promised, but waits for its finalizers to be deleted. */
  | (Subject & { readonly kind: 'being-deleted'; readonly at: Span })
  | DifferentField
  /** It is of a kind that weft writes, but not in git. */
  | (Subject & { readonly kind: 'extra' });

/** Objects that were not compared. */
export interface Uncompared {
  /** Printed by `kindKey`. */
  readonly key: string;
  readonly objects: number;
  /**
   * `not-in-dump`: the dumps have no object of the kind and do not say whether they were asked for it. `not-asked`:
   * they were not. `unknown-key`: the objects exist, but their keys are unknown to git.
   */
  readonly why: 'not-in-dump' | 'not-asked' | 'forbidden' | 'unknown-key';
}

/** The differences of one cluster. */
export interface ClusterDrift {
  readonly cluster: string;
  /** The number of promised objects that were compared. */
  readonly compared: number;
  /** Sorted by namespace, kind and name, and within an object by path. */
  readonly findings: readonly Finding[];
  readonly uncompared: readonly Uncompared[];
}

/** Findings that no problem explains yet. */
export interface FindingPool {
  /** Removes and returns the wanted findings. */
  readonly take: (isWanted: (it: Finding) => boolean) => readonly Finding[];
  /** Removes and returns the different fields of some kinds below a path. */
  readonly takeFields: (kinds: readonly string[], ...path: readonly string[]) => readonly DifferentField[];
}

export function findingPool(findings: readonly Finding[]): FindingPool {
  let left = findings;
  const take: FindingPool['take'] = (isWanted) => {
    // Most causes find nothing, and most peers have no findings left.
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

export const byObject = (findings: readonly Finding[]): readonly (readonly Finding[])[] => [
  ...groupBy(findings, (it) => [nameKey(it.object)]).values(),
];

/** The key of an object, equal to `objectKey`. */
export const nameKey = ({ key, namespace, name }: ObjectName): string => `${key} ${namespace ?? ''}/${name}`;

export const GATEWAY_KINDS: readonly string[] = ['GatewayServer', 'GatewayClient'];

/** The greatest length of a value or a name in a sentence, in UTF-16 code units. */
const LONGEST = 60;
const NAMED = 4;

/** `Configuration "milan"`: the namespace is known from the cluster and the peer. */
export const objectName = ({ kind, name }: ObjectName): string => `${kind} "${shortened(name, LONGEST)}"`;

/** `the PublicKey "milan" and the Network "milan-pod"`, each object once. */
export function objectsIn(findings: readonly Finding[]): string {
  const names = [...new Set(findings.map((it) => objectName(it.object)))];
  const shown = names.slice(0, names.length === NAMED + 1 ? names.length : NAMED);
  const more = names.length - shown.length;
  return listOf([...shown, ...(more > 0 ? [countOf(more, 'more object')] : [])]);
}

/** A value in a sentence; `nothing` for none. */
export const valueIn = (value: Json | undefined): string =>
  value === undefined || value === ''
    ? 'nothing'
    : shortened(typeof value === 'string' ? value : JSON.stringify(value), LONGEST);

/** A set of clusters, the first of them by name. */
export interface SomeClusters {
  readonly names: readonly string[];
  /** The number of clusters besides `names`. */
  readonly more: number;
}

/** Clusters that no longer reach others at the addresses that git promises. */
export interface BrokenPairs {
  readonly from: SomeClusters;
  readonly to: SomeClusters;
  /** The cluster that forwards the packets; `null` for a direct link. */
  readonly through: string | null;
  /** An address that clients dial, as git promises it. */
  readonly dialled: string;
  /** The address to dial now; `null` while there is none. */
  readonly now: string | null;
  /** The current destination of the dialled address: `10.202.3.7 of turin`; `null` when Liqo knows none. */
  readonly reaches: string | null;
}

/** One problem of the network, with all findings that it explains. */
export interface Problem {
  /** `null` for a problem of no peer, or of all peers. */
  readonly peer: string | null;
  readonly diagnostic: Diagnostic;
  /** True when no live object contradicts git, and a running rollout resolves it. */
  readonly isWaiting: boolean;
  /** True when the link carries nothing with it, whatever state its tunnel had when it was read. */
  readonly stops: boolean;
  /** Further sentences: evidence, the other end, consequences. */
  readonly details: readonly string[];
  /** The cause; `effects` only follow from it. */
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
  readonly stops?: boolean;
  readonly details?: readonly string[];
  readonly findings: readonly Finding[];
  readonly effects?: readonly Finding[];
  readonly pairs?: readonly BrokenPairs[];
}

/** Creates a problem at the place of the first finding that has one, else at `at`. */
export function problem(code: Code, { at, message, hint, ...parts }: ProblemParts): Problem {
  const place = parts.findings.flatMap((it) => (it.kind === 'extra' ? [] : [it.at]))[0] ?? at;
  return {
    peer: parts.peer,
    diagnostic: diagnostic(code, place, message, { hint }),
    isWaiting: parts.isWaiting ?? false,
    stops: parts.stops ?? false,
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

/** True unless the problem is a note. */
export const isDrift = ({ diagnostic: { severity } }: Problem): boolean => severity !== 'note';
