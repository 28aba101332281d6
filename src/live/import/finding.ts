import { shortened } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source } from '../../base/source/source.ts';
import type { Place } from '../dumps/kubernetes-object.ts';
import type { ClustersById, LiveEnd, LiveLink, Served } from '../facts/links.ts';
import type { LinkProblem } from '../problems/link-problems.ts';

/** Something in live clusters that is broken, or that a topology cannot say. It gets its place once the topology is a text. */
export interface Finding {
  readonly code: Code;
  /** The cluster that it is about, which the text has an entry for. */
  readonly cluster: string;
  /** Names the cluster and the object; of its texts, those from dumps are shortened. */
  readonly message: string;
  readonly hint: string;
}

/** Everything that live clusters say about their network, with the two views of each link side by side. */
export interface LiveFleet {
  /** Those of which there is a dump. */
  readonly clusters: ClustersById;
  readonly links: readonly LiveLink[];
  /** Links of which it is known where their client finds their server, and which networks both clusters have. */
  readonly served: readonly Served[];
  /** Every cluster that the topology has, in order of name. */
  readonly names: readonly string[];
  /** What is wrong with the links. */
  readonly problems: readonly LinkProblem[];
}

/** Something that must hold in live clusters, and what is found where it does not. */
export type FindingRule = (live: LiveFleet) => Iterable<Finding>;

/** Both ends of every link, those in clusters that nobody dumped left out. */
export const endsOf = ({ links }: LiveFleet): readonly LiveEnd[] =>
  links.flatMap((it) => it.ends).filter((it) => it.isDumped);

/** Texts of dumps can be long. */
const LONGEST = 80;

export const shown = (text: string): string => shortened(text, LONGEST);

/** `Configuration liqo-tenant-rome/rome`. */
export const objectText = (kind: string, { namespace, name }: Place): string =>
  `${kind} ${shown(namespace)}/${shown(name)}`;

/** `10.0.0.0/16, 10.1.0.0/16`, or that there is none. */
export const cidrText = (cidrs: readonly string[]): string =>
  shown(cidrs.filter((it) => it !== '').join(', ')) || 'none';

interface Printed {
  readonly source: Source;
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

/** Findings at the lines of the topology that describe their clusters. */
export function placeFindings(findings: readonly Finding[], { source, places }: Printed): readonly Diagnostic[] {
  const top = places.get('clusters') ?? { start: 0, end: 0 };
  return findings.map(({ code, cluster, message, hint }) =>
    diagnostic(code, { source, ...(places.get(`clusters.${cluster}`) ?? top) }, message, { hint }),
  );
}
