import type { FolderFiles } from '../../base/core/folder-files.ts';
import { UNKNOWN_KEY } from '../../base/core/unknown-key.ts';
import { andThen } from '../../base/diagnostics/outcome.ts';
import type { Sources } from '../../compile.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import { parseTopology } from '../../fleet/topology/parse-topology.ts';
import type { TopologyFacts } from '../../plan/plan-state.ts';
import { topologyFacts } from '../../plan/topology-facts.ts';
import { compileThen, sourcesThen } from './compile-then.ts';
import { openBase, openLastCommit } from './open-base.ts';
import type { FileReader } from './ports.ts';
import type { BaseRequest } from './read-base.ts';
import { topologyText } from './topology-text.ts';

interface Found {
  /** The files of the base. */
  readonly found: FolderFiles;
  /** Whether the topology as it is now compiles to exactly these. */
  readonly isCurrent: boolean;
}

/**
 * What the topology of a base says of its files: for `out/` that is the present one, or the last committed one. `null` where it
 * does not compile to exactly these files, and where it would say nothing else: only releases and keys that are not known count, so
 * a base with the present releases and without such keys need not be compiled.
 */
export async function readBaseFacts(
  files: FileReader,
  { base, topology }: BaseRequest,
  { found, isCurrent }: Found,
): Promise<TopologyFacts | null> {
  const { files: paths, sources: now, compiled } = topology;
  if (base.kind === 'out' && isCurrent) return topologyFacts(compiled.model);
  const reader = base.kind === 'out' ? await openLastCommit(files) : await openBase(files, base);
  const sources = reader && (await sourcesThen(reader, paths));
  if (sources === undefined) return null;
  const facts = topologyFacts(compiled.model);
  const isSame = topologyText(sources) === topologyText(now);
  if (!hasUnknownKeys(sources, facts) && (isSame || !hasOtherReleases(sources, facts))) return null;
  const then = compileThen(sources);
  return then !== undefined && areSame(then.bundle, found) ? topologyFacts(then.model) : null;
}

/** A base that did not know the same keys says so: a key that is known since then may be the one in use. */
const hasUnknownKeys = ({ keys }: Sources, { unknownKeys }: TopologyFacts): boolean =>
  unknownKeys.size > 0 || (keys?.text.includes(`: "${UNKNOWN_KEY}"`) ?? false);

/** Whether a cluster has, or may have, another release now. One that is gone may be any new one under its old name. */
function hasOtherReleases({ topology, included = [] }: Sources, now: TopologyFacts): boolean {
  const declared = andThen(parseTopology(topology, included), checkTopology);
  if (!declared.ok) return false;
  const then = new Map(declared.value.clusters.map((it) => [it.name, it.release.version]));
  if ([...then].some(([name, version]) => (now.releases.get(name) ?? version) !== version)) return true;
  const gone = [...then].flatMap(([name, version]) => (now.releases.has(name) ? [] : [version]));
  const come = [...now.releases].flatMap(([name, version]) => (then.has(name) ? [] : [version]));
  return gone.length > 0 && come.length > 0 && new Set([...gone, ...come]).size > 1;
}

/** The same files with the same texts, seen folder by folder and only up to the first difference. */
function areSame(a: FolderFiles, b: FolderFiles): boolean {
  const folders = new Set([...a.folders, ...b.folders]);
  return [...folders].every((folder) => {
    const [one, other] = [a.inFolder(folder), b.inFolder(folder)];
    return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
  });
}
