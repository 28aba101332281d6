import { clusterFolderOf } from '../../base/core/bundle-path.ts';
import { groupBy, sortedUnique } from '../../base/core/collections.ts';
import { countOf, firstOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';

/** The compiled files that a pull request contains or lacks. Paths are below `out/`. */
interface PendingFiles {
  /** `out`, as in messages. */
  readonly root: string;
  readonly topology: string;
  /** The files that the base has otherwise than its own topology compiles to. */
  readonly pending: readonly string[];
  /** The files that the topology of the pull request changes since the base. */
  readonly due: readonly string[];
  /** The files that the pull request does not have as its topology compiles to them. */
  readonly missing: ReadonlySet<string>;
  /** Files that are reported already. */
  readonly forged: ReadonlySet<string>;
  /** True for a file that the pull request has changed itself. */
  readonly isChanged: (path: string) => boolean;
}

const SHOWN_NAMES = 5;

/**
 * Diagnostics about compiled files that a pull request contains only in part. The plan shows everything that its
 * topology compiles to, also what others have edited before.
 */
export const judgePending = (files: PendingFiles): readonly Diagnostic[] => [...halves(files), ...pendingOfBase(files)];

/**
 * A cluster with some of its compiled files. A pull request may contain the files of one cluster alone, or none; but what
 * is applied to a cluster must be of one compile.
 */
function halves({ root, due, missing, forged, isChanged }: PendingFiles): readonly Diagnostic[] {
  const folders = groupBy(due, (path) => [clusterFolderOf(path) ?? '']);
  return [...folders].flatMap(([cluster, paths]) => {
    const [first, ...others] = paths.filter((path) => missing.has(path) && !forged.has(path));
    const done = paths.filter((path) => !missing.has(path) && isChanged(path));
    if (first === undefined || done.length === 0) return [];
    const files = countOf(paths.length, 'file');
    const of = cluster === '' ? 'the whole fleet' : quoted(cluster);
    const message = `half of a compile: the topology changes ${files} of ${of}, and ${others.length + 1} of them, such as this one, ${others.length === 0 ? 'is' : 'are'} missing or as in the base`;
    return [
      diagnostic('provenance/half-compiled', startOf({ path: `${root}/${first}`, text: '' }), message, {
        hint: 'run "weft compile" and commit the result',
      }),
    ];
  });
}

function pendingOfBase({ root, topology, pending, missing }: PendingFiles): readonly Diagnostic[] {
  if (pending.length === 0) return [];
  const clusters = sortedUnique(pending.map((path) => clusterFolderOf(path)).filter((it) => it !== undefined));
  const names = clusters.length === 0 ? '' : ` (${firstOf(clusters.map(quoted), SHOWN_NAMES)})`;
  const contained = pending.filter((path) => !missing.has(path)).length;
  const count =
    contained === 0 ? 'none of them' : contained === pending.length ? 'all of them' : `${contained} of them`;
  const message = `${countOf(pending.length, 'file')} below ${root}/ ${pending.length === 1 ? 'is' : 'are'} pending: the base does not have what its own topology compiles to${names}; this pull request contains ${count}`;
  const hint =
    'the plan shows these files with those of this edit; merge the pull request with the manifests first to see them apart';
  return [diagnostic('provenance/pending', startOf({ path: topology, text: '' }), message, { hint })];
}
