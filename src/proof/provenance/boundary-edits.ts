import { parseBundlePath } from '../../base/core/bundle-path.ts';
import type { FolderFiles } from '../../base/core/folder-files.ts';
import { quoted } from '../../base/core/words.ts';
import type { Span } from '../../base/source/source.ts';
import type { PortSpan } from '../../fleet/topology/declaration.ts';
import { boundaryChanged } from '../../plan/changes/boundaries.ts';
import { boundaryValues, EVERY_PORT } from '../../plan/compare-boundaries.ts';
import type { ValueChange } from '../../plan/difference.ts';
import { planChanges } from '../../plan/plan-changes.ts';
import { readPlanState } from '../../plan/plan-state.ts';
import { type Expectation, type ExpectedEnd, expectationOf, type VerifySources } from '../verify/expectation.ts';
import { type ExpectedOpening, expectOpenings, isClosedInto } from '../verify/expected/expect-boundaries.ts';
import { cidrText } from '../verify/networks.ts';

/** The effect of an edit of a fence or a policy on connections. */
export interface BoundaryEdit {
  /** In the words of a plan: `milan lets through rome to milan on TCP 22`. */
  readonly message: string;
  /** The entries of `boundaries` whose rules are gone, and what closes the link where a rule came. */
  readonly decidedBy: readonly { readonly message: string; readonly span: Span }[];
}

interface Edited {
  /** Paths below `out/`. */
  readonly paths: readonly string[];
  readonly compiled: FolderFiles;
  readonly edited: FolderFiles;
  readonly inputs: VerifySources;
}

/** The edits of fences and policies by path; those that change no rule are left out. */
export function boundaryEdits({ paths, compiled, edited, inputs }: Edited): ReadonlyMap<string, BoundaryEdit> {
  const limits = paths.flatMap((path) => {
    const place = parseBundlePath(path);
    if (place?.part !== 'boundaries' && place?.part !== 'peer') return [];
    const textIn = (files: FolderFiles): string | null => files.inFolder(place.cluster).get(path) ?? null;
    const values = boundaryValues(textIn(compiled), textIn(edited));
    return values.length === 0 ? [] : [{ path, cluster: place.cluster, values }];
  });
  if (limits.length === 0) return new Map();
  const [before, after] = [compiled, edited].map((files) => readPlanState({ files, lock: null, known: null }));
  if (before === undefined || after === undefined) return new Map();
  const changes = planChanges(before, after).changes.flatMap((it) => (it.kind === 'boundary-changed' ? [it] : []));
  const titles = new Map(changes.map((it) => [it.cluster, boundaryChanged.words.title(it)]));
  const fleet = expectationOf(inputs);
  return new Map(
    limits.flatMap(({ path, cluster, values }) => {
      const message = titles.get(cluster);
      return message === undefined
        ? []
        : [[path, { message, decidedBy: decisionsAbout(cluster, values, fleet) }] as const];
    }),
  );
}

/** The entries whose rules an edit removes, and the closed ends where it adds some. */
function decisionsAbout(
  cluster: string,
  values: readonly ValueChange[],
  fleet: Expectation,
): BoundaryEdit['decidedBy'] {
  const ends = [...(fleet.clusters.get(cluster)?.ends.values() ?? [])];
  const ways = ends.flatMap((it) => [
    { from: it.peer, to: cluster, end: it },
    { from: cluster, to: it.peer, end: fleet.clusters.get(it.peer)?.ends.get(cluster) },
  ]);
  const found = ways.flatMap(({ from, to, end }) => {
    const ofWay = values.filter((it) => it.from !== it.to && isAbout(it.from ?? it.to ?? '', from, to, cluster));
    if (end === undefined || ofWay.length === 0) return [];
    const gone = ofWay.flatMap((it) => (it.to === null && it.from !== null ? [it.from] : []));
    const entries = expectOpenings(fleet, from, to).flatMap((it) =>
      gone.some((rule) => isOf(it, rule)) ? [it.at] : [],
    );
    const isAdded = ofWay.some((it) => it.from === null) && isClosedInto(end, fleet);
    return [
      ...entries.map((span) => ({ message: `the entry that opens it from ${quoted(from)} to ${quoted(to)}`, span })),
      ...(isAdded
        ? [{ message: `what enters ${quoted(to)} from ${quoted(from)} is closed here`, span: closedAt(end, fleet) }]
        : []),
    ];
  });
  return [...new Map(found.map((it) => [`${it.span.source.path} ${it.span.start}`, it])).values()];
}

/** True for a rule of a fence of the receiver, or one of a policy in either, which does not name the peer. */
const isAbout = (rule: string, from: string, to: string, cluster: string): boolean =>
  to === cluster ? rule.startsWith(`from ${from} `) || rule.startsWith('in ') : rule.startsWith('out ');

/** True for an opening that has the rule: with its ports, and its networks or its namespace. */
function isOf(opening: ExpectedOpening, rule: string): boolean {
  const [way = '', name = '', ...rest] = rule.split(' ');
  const texts =
    opening.ports.length === 0 ? [opening.protocol ?? EVERY_PORT] : opening.ports.map((it) => spanText(opening, it));
  if (way === 'from') {
    const [source = '', destination = '', ...ports] = rest;
    const sources = opening.sources;
    const isSource =
      sources === 'external address' ? source.endsWith('/32') : sources.some((it) => cidrText(it) === source);
    return (
      isSource && opening.destinations.some((it) => cidrText(it) === destination) && texts.includes(ports.join(' '))
    );
  }
  const namespace = way === 'in' ? opening.toNamespace : opening.fromNamespace;
  // The name is `shop[app=db]` in a policy of some pods.
  return (namespace === null || namespace === name.split('[')[0]) && texts.includes(rest.slice(1).join(' '));
}

const spanText = ({ protocol }: ExpectedOpening, { first, last }: PortSpan): string =>
  `${protocol ?? 'TCP'} ${first === last ? first : `${first}-${last}`}`;

/** The place of the text that closes an end: its link where that has the key, else its cluster. */
const closedAt = ({ link, cluster }: ExpectedEnd, { clusters, at }: Expectation): Span =>
  link.boundary === null ? (clusters.get(cluster)?.at ?? at) : link.at;
