import { type DocumentEntry, type DocumentMap, type DocumentPath, nodeAt } from './document-node.ts';

/** A key that is added to a map, with its value as it is written on one line, and below its key for a long one. */
export interface AddedKey {
  readonly key: string;
  readonly value: string;
  readonly lines?: (indent: string) => string;
}

/** An edit of YAML in block or in flow style. */
export type YamlEdit =
  /** Replaces the value of a key that exists. */
  | { readonly kind: 'replace'; readonly path: DocumentPath; readonly value: string }
  /** Adds keys to a map: behind one of its keys, in front of all (`null`), or behind all. */
  | {
      readonly kind: 'add';
      readonly path: DocumentPath;
      readonly keys: readonly AddedKey[];
      readonly after?: string | null;
    }
  /** Adds an item to the end of a list. */
  | { readonly kind: 'append'; readonly path: DocumentPath; readonly value: string };

/** A text, and the document in it. */
interface YamlText {
  readonly text: string;
  readonly root: DocumentMap;
}

/** The text with all edits. Comments, order and layout of everything else stay as they are written. */
export function editYaml(before: YamlText, edits: readonly YamlEdit[]): string {
  const yaml = { root: before.root, text: before.text.endsWith('\n') ? before.text : `${before.text}\n` };
  const changes = edits.map((it, index) => ({ ...changeOf(yaml, it), index }));
  // From the last place to the first, so that no edit moves another one; those at one place keep their order.
  changes.sort((a, b) => b.start - a.start || b.index - a.index);
  return changes.reduce(
    (text, { start, end, inserted }) => text.slice(0, start) + inserted + text.slice(end),
    yaml.text,
  );
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly inserted: string;
}

function changeOf(yaml: YamlText, edit: YamlEdit): Change {
  if (edit.kind === 'replace') return replaced(yaml, edit.path, edit.value);
  return edit.kind === 'add' ? added(yaml, edit) : appended(yaml, edit.path, edit.value);
}

/** A value below the line of its key, or none at all, is replaced from the colon on. */
function replaced({ text, root }: YamlText, path: DocumentPath, value: string): Change {
  const { key, value: old } = entryAt(root, path);
  const colon = colonAfter(text, key.end);
  const { start } = old.span;
  const end = valueEnd(text, old.span);
  if (start < end && !text.slice(colon, start).includes('\n')) return { start, end, inserted: value };
  const isColonMissing = colon === key.end;
  return { start: colon, end: start < end ? end : colon, inserted: `${isColonMissing ? ':' : ''} ${value}` };
}

function added(yaml: YamlText, { path, keys, after }: Extract<YamlEdit, { kind: 'add' }>): Change {
  const { text, root } = yaml;
  const node = nodeAt(root, path);
  const onOneLine = keys.map((it) => `${it.key}: ${it.value}`).join(', ');
  const below = (indent: string): string =>
    keys.map((it) => it.lines?.(indent) ?? `${indent}${it.key}: ${it.value}\n`).join('');
  if (node?.kind === 'map' && node.entries.size > 0) {
    const entries = [...node.entries.values()];
    const [first] = entries;
    const isFlow = text[node.span.start] === '{';
    const indent = indentAt(text, first?.key.start ?? 0);
    if (after === null) {
      if (isFlow) return insertion(node.span.start + 1, ` ${onOneLine},`);
      const above = path.length === 0 ? 0 : colonAfter(text, entryAt(root, path).key.end);
      return onNextLine(text, above, below(indent));
    }
    const previous = (after === undefined ? undefined : node.entries.get(after)) ?? entries.at(-1);
    const end = previous === undefined ? node.span.end : entryEnd(text, previous);
    return isFlow ? insertion(end, `, ${onOneLine}`) : onNextLine(text, end, below(indent));
  }
  const { key, value } = entryAt(root, path);
  const isInFlow = keys.every((it) => it.lines === undefined) || isInBraces(yaml, path);
  if (isInFlow) return replaced(yaml, path, `{ ${onOneLine} }`);
  const [start, indent] = [colonAfter(text, key.end), `${indentAt(text, key.start)}  `];
  if (value.span.start === value.span.end) return onNextLine(text, start, below(indent));
  // `{}` or a null is removed, and what is behind it on its line stays.
  return {
    start,
    end: text.indexOf('\n', value.span.end) + 1,
    inserted: `${text.slice(value.span.end, text.indexOf('\n', value.span.end)).trimEnd()}\n${below(indent)}`,
  };
}

function appended(yaml: YamlText, path: DocumentPath, value: string): Change {
  const { text, root } = yaml;
  const { value: list } = entryAt(root, path);
  const last = list.kind === 'list' ? list.items.at(-1) : undefined;
  if (last === undefined) return replaced(yaml, path, `[${value}]`);
  const end = valueEnd(text, last.span);
  if (text[list.span.start] === '[') return insertion(end, `, ${value}`);
  return onNextLine(text, end, `${indentAt(text, list.span.start)}- ${value}\n`);
}

const insertion = (at: number, inserted: string): Change => ({ start: at, end: at, inserted });

/** Inserts lines behind the line of an offset. */
function onNextLine(text: string, at: number, lines: string): Change {
  return insertion(text.indexOf('\n', at) + 1, lines);
}

const indentAt = (text: string, at: number): string => ' '.repeat(at - (text.lastIndexOf('\n', at - 1) + 1));

/** The offset behind the colon of a key; a key in braces may have none. */
const colonAfter = (text: string, keyEnd: number): number =>
  keyEnd + (/^\s*:/.exec(text.slice(keyEnd))?.[0].length ?? 0);

/** The end of a value without the line breaks that belong to a block. */
const valueEnd = (text: string, { start, end }: { readonly start: number; readonly end: number }): number =>
  start + text.slice(start, end).trimEnd().length;

const entryEnd = (text: string, { key, value }: DocumentEntry): number =>
  value.span.start < value.span.end ? valueEnd(text, value.span) : colonAfter(text, key.end);

const parentOf = (root: DocumentMap, path: DocumentPath) => nodeAt(root, path.slice(0, -1));

/** True if the map around the end of a path is in braces. */
const isInBraces = ({ text, root }: YamlText, path: DocumentPath): boolean =>
  text[parentOf(root, path)?.span.start ?? 0] === '{';

function entryAt(root: DocumentMap, path: DocumentPath): DocumentEntry {
  const parent = parentOf(root, path);
  const entry = parent?.kind === 'map' ? parent.entries.get(String(path.at(-1))) : undefined;
  if (entry === undefined) throw new RangeError(`there is no key at ${path.join('.')}`);
  return entry;
}
