import { shortened } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source } from '../../base/source/source.ts';
import type { Place } from '../dumps/kubernetes-object.ts';
import type { ClustersById, LiveEnd, LiveLink, Served } from '../facts/links.ts';
import type { LinkProblem } from '../problems/link-problems.ts';

/** A defect of live clusters, or a state that a topology cannot express. Printing the topology adds its place. */
export interface ImportFinding {
  readonly code: Code;
  /** The cluster of the finding, which has an entry in the topology. */
  readonly cluster: string;
  /** Names the cluster and the object. Texts from dumps are shortened. */
  readonly message: string;
  readonly hint: string;
}

/** The network facts of all live clusters, with both ends of each link. */
export interface LiveFleet {
  /** The clusters that were dumped. */
  readonly clusters: ClustersById;
  readonly links: readonly LiveLink[];
  /** Links with a known endpoint and known networks of both clusters. */
  readonly served: readonly Served[];
  /** All clusters of the topology, sorted. */
  readonly names: readonly string[];
  readonly problems: readonly LinkProblem[];
}

/** A rule for live clusters that yields its violations. */
export type FindingRule = (live: LiveFleet) => Iterable<ImportFinding>;

/** An import never replaces files, so it writes beside those that are there. */
export const IMPORT_AGAIN = 'import again with another --topology';

/** Both ends of every link, without ends in clusters that were not dumped. */
export const endsOf = ({ links }: LiveFleet): readonly LiveEnd[] =>
  links.flatMap((it) => it.ends).filter((it) => it.isDumped);

/** Texts of dumps are shortened to this length. */
const LONGEST = 80;

export const dumpText = (text: string): string => shortened(text, LONGEST);

/** `Configuration liqo-tenant-rome/rome`. */
export const objectText = (kind: string, { namespace, name }: Place): string =>
  `${kind} ${dumpText(namespace)}/${dumpText(name)}`;

/** `10.0.0.0/16, 10.1.0.0/16`, or `none`. */
export const cidrText = (cidrs: readonly string[]): string =>
  dumpText(cidrs.filter((it) => it !== '').join(', ')) || 'none';

interface Printed {
  readonly source: Source;
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

/** Places findings at the topology lines of their clusters. */
export function placeFindings(findings: readonly ImportFinding[], { source, places }: Printed): readonly Diagnostic[] {
  const top = places.get('clusters') ?? { start: 0, end: 0 };
  return findings.map(({ code, cluster, message, hint }) =>
    diagnostic(code, { source, ...(places.get(`clusters.${cluster}`) ?? top) }, message, {
      hint,
      about: [[cluster]],
    }),
  );
}
