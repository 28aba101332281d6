import { sortedUnique } from '../../base/core/collections.ts';
import { withLf } from '../../base/core/encodings.ts';
import type { TreeFile, TreeFileKind } from '../../base/core/folder-files.ts';
import { quoted, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';

/** A file of one tree. */
export interface FileContent {
  readonly kind: TreeFileKind;
  readonly id: string;
  /** `null` for bytes that are not UTF-8, or too many bytes. */
  readonly text: string | null;
}

/** One path in all trees; `undefined` for a tree without a file there. */
interface Suspect {
  /** Below `out/`. */
  readonly path: string;
  readonly head: FileContent | undefined;
  readonly bases: readonly (FileContent | undefined)[];
  readonly wanted: FileContent | undefined;
  /** True for a record of weft, whose lines may come from different compiles. */
  readonly isRecord: boolean;
}

/** A file that neither the topology nor the base explains. */
export interface Finding {
  readonly path: string;
  /** `replaced`: the path is not a plain file, although its content may be right. */
  readonly how: 'edited' | 'added' | 'removed' | 'replaced';
  /** The file in the head; its text has `\n` at the ends of lines. */
  readonly head: FileContent | undefined;
  /**
   * The texts that the file is compared with to find the edited line: the compiled text, then those of the bases; may
   * be empty.
   */
  readonly before: readonly string[];
}

/** Judges one path; `undefined` for a file that is explained because only its line ends differ. */
export function judgeFile({ path, head, bases, wanted, isRecord }: Suspect): Finding | undefined {
  const known = [wanted, ...bases];
  if (known.some((it) => isSameContent(head, it))) return undefined;
  const before = known.flatMap((it) => (it?.text == null ? [] : [withLf(it.text)]));
  const text = head?.text == null ? null : withLf(head.text);
  if (isRecord && head?.kind === 'file' && text !== null && followsRecords(text, before)) return undefined;
  const finding = { path, head: head && { ...head, text }, before };
  if (head === undefined) return { ...finding, how: 'removed' };
  const expected = known.find((it) => it !== undefined);
  if (head.kind !== (expected?.kind ?? 'file')) return { ...finding, how: 'replaced' };
  return { ...finding, how: expected === undefined ? 'added' : 'edited' };
}

function isSameContent(a: FileContent | undefined, b: FileContent | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind !== b.kind) return false;
  return (
    a.id === b.id || (a.kind !== 'link' && a.text !== null && b.text !== null && withLf(a.text) === withLf(b.text))
  );
}

/**
 * True when a record of written files follows from known records. Compiling one cluster and merging two branches mix
 * lines of several records: each line must be in a known record, and lines that all of them contain must be present.
 */
function followsRecords(text: string, known: readonly string[]): boolean {
  if (known.length === 0) return false;
  const lines = linesOf(text);
  const sets = known.map(linesOf);
  const [first = new Set<string>(), ...others] = sets;
  const everywhere = [...first].filter((it) => others.every((set) => set.has(it)));
  return [...lines].every((it) => sets.some((set) => set.has(it))) && everywhere.every((it) => lines.has(it));
}

/** The lines of a record without commas at their ends: the last entry has none. */
const linesOf = (text: string): ReadonlySet<string> => new Set(text.split('\n').map((it) => it.replace(/,$/, '')));

/** A symbolic link or a submodule of a commit, at the path of a file that weft reads or at a folder above it. */
interface LinkOnPath {
  readonly path: string;
  readonly kind: TreeFileKind;
  /** The target of a link; `null` for a name that is not UTF-8. */
  readonly target: string | null;
}

/**
 * Errors about links on the paths of files that weft reads. The target can be edited at another path, for which no
 * workflow starts, no owner is asked, and no later check looks.
 */
export const judgeLinks = (links: readonly LinkOnPath[]): readonly Diagnostic[] =>
  links.map(({ path, kind, target }) =>
    diagnostic(
      'provenance/not-a-plain-file',
      startOf({ path, text: '' }),
      `the topology and all files beside it must be plain files, and this is ${kind === 'submodule' ? 'a submodule' : `a symbolic link to ${quoted(shortened(target ?? '?', 120))}`}`,
      { hint: 'put the files themselves at this path' },
    ),
  );

type Files = ReadonlyMap<string, TreeFile>;

/** Trees of a pull request, by path below `out/`. */
interface Trees {
  /** The files of the pull request. */
  readonly head: Files;
  /** The trees that the head may have kept, at least one: the base, and the commit that it branched off. */
  readonly bases: readonly Files[];
  /** The file that the head's topology compiles to, which costs more than a lookup in a base. */
  readonly wanted: (path: string) => TreeFile | undefined;
}

/**
 * The paths at which the head contains neither the bytes that its topology compiles to nor those of a base. Object
 * names decide, so that only these few files must be read; possibly only their line ends differ. A path that is equal
 * in a base is not compared further. This includes a file that only the topology compiles to: no base contains it, and
 * the head may omit it, too.
 */
export function findSuspects({ head, bases, wanted }: Trees): readonly string[] {
  const changed = new Set<string>();
  for (const tree of [head, ...bases]) {
    for (const path of tree.keys()) {
      const found = head.get(path);
      if (!bases.some((it) => isSameFile(found, it.get(path)))) changed.add(path);
    }
  }
  return sortedUnique(changed).filter((path) => !isSameFile(head.get(path), wanted(path)));
}

/** True for equal files. A file that is absent in both trees is equal: it was not written yet, or not removed. */
const isSameFile = (a: TreeFile | undefined, b: TreeFile | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.kind === b.kind && a.id === b.id);
