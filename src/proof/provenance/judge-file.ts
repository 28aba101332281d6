import type { TreeFileKind } from '../../base/core/file-tree.ts';
import { withLf } from '../../base/core/line-ends.ts';
import { followsRecords } from './follows-records.ts';

/** One file of one tree, as it was read. */
export interface FileContent {
  readonly kind: TreeFileKind;
  readonly id: string;
  /** `null` for bytes that are not UTF-8 or too many. */
  readonly text: string | null;
}

/** One path in all trees; `undefined` where a tree has nothing there. */
interface Suspect {
  /** Below `out/`. */
  readonly path: string;
  readonly head: FileContent | undefined;
  readonly bases: readonly (FileContent | undefined)[];
  readonly wanted: FileContent | undefined;
  /** Whether it is a record of weft, of which lines may come from different compiles. */
  readonly isRecord: boolean;
}

/** A file that neither the topology nor the base explains. */
export interface Finding {
  readonly path: string;
  /** `replaced`: there is no plain file, though its content may be right. */
  readonly how: 'edited' | 'added' | 'removed' | 'replaced';
  /** What the head has; its text has `\n` at the ends of lines. */
  readonly head: FileContent | undefined;
  /** What it is compared with, to find the line: the compiled text, else that of the base; empty without either. */
  readonly before: readonly string[];
}

/** `undefined` for a file that is explained after all, because only line ends are different. */
export function judgeFile({ path, head, bases, wanted, isRecord }: Suspect): Finding | undefined {
  const known = [wanted, ...bases];
  if (known.some((it) => isSame(head, it))) return undefined;
  const before = known.flatMap((it) => (it?.text == null ? [] : [withLf(it.text)]));
  const text = head?.text == null ? null : withLf(head.text);
  if (isRecord && head?.kind === 'file' && text !== null && followsRecords(text, before)) return undefined;
  const finding = { path, head: head && { ...head, text }, before };
  if (head === undefined) return { ...finding, how: 'removed' };
  const expected = known.find((it) => it !== undefined);
  if (head.kind !== (expected?.kind ?? 'file')) return { ...finding, how: 'replaced' };
  return { ...finding, how: expected === undefined ? 'added' : 'edited' };
}

function isSame(a: FileContent | undefined, b: FileContent | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind !== b.kind) return false;
  return (
    a.id === b.id || (a.kind !== 'link' && a.text !== null && b.text !== null && withLf(a.text) === withLf(b.text))
  );
}
