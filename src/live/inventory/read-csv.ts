import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Source, Span } from '../../base/source/source.ts';
import {
  type InventoryCluster,
  type InventoryKey,
  type InventoryReading,
  KeyTree,
  knownKey,
  meantKey,
  type ShownText,
  shownText,
  unreadableInventory,
} from './inventory.ts';

/** A cell without its quotes, and where it is with them. */
interface Cell {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Row = readonly Cell[];

/** A text whose first line is a header of CSV: with the name of a cluster, and a separator or nothing else. */
export const looksLikeCsv = (text: string): boolean => {
  if (/^\s*[[{]/.test(text)) return false;
  const [header] = rowsOf(text.split('\n').find(isContent) ?? '').rows;
  return header !== undefined && header.length > 1 && header.some((it) => knownKey(it.text)?.path.length === 0);
};

const isContent = (line: string): boolean => line.trim() !== '' && !line.startsWith('#');

/** Reads clusters from a table with a header of keys: podCIDR, labels.site. */
export function readCsv(source: Source): InventoryReading {
  const text = shownText(source, (it) => it.replace(/[^\n,;\t"]/g, '*'));
  const { rows, unclosed } = rowsOf(source.text);
  const [header, ...others] = rows;
  if (unclosed !== undefined)
    return {
      clusters: [],
      found: [unreadableInventory(text.hidden(unclosed, unclosed + 1), 'this quote is never closed')],
    };
  if (header === undefined) return { clusters: [], found: [] };
  const columns = header.map((cell) => ({ cell, at: text.shown(cell.start, cell.end), key: knownKey(cell.text) }));
  const found = [...unknownColumns(columns), ...repeatedColumns(columns)];
  if (!columns.some((it) => it.key?.path.length === 0)) {
    const why = 'no column has the names of the clusters';
    return { clusters: [], found: [unreadableInventory(text.shown(0, 0), why, 'name one column "name"')] };
  }
  const clusters: InventoryCluster[] = [];
  for (const row of others) {
    const further = row[header.length];
    if (further !== undefined) {
      const why = `this row has ${row.length} cells, and the header has ${header.length}`;
      const hint = 'put quotes around a cell with a separator in it';
      found.push(unreadableInventory(text.hidden(further.start, further.end), why, hint));
      continue;
    }
    const read = clusterOf(row, { columns, text });
    if (read.name === undefined) {
      const [first] = row;
      found.push(unreadableInventory(text.hidden(first?.start ?? 0, first?.end ?? 0), 'this row has no name'));
    } else clusters.push({ kind: 'CSV', name: read.name, keys: read.keys });
  }
  return { clusters, found };
}

interface Column {
  readonly cell: Cell;
  readonly at: Span;
  readonly key: InventoryKey | undefined;
}

interface Table {
  readonly columns: readonly Column[];
  readonly text: ShownText;
}

function clusterOf(row: Row, { columns, text }: Table) {
  const [first, last] = [row[0], row.at(-1)];
  const keys = new KeyTree(text.hidden(first?.start ?? 0, last?.end ?? 0));
  let name: InventoryCluster['name'] | undefined;
  for (const [index, { key, at }] of columns.entries()) {
    const cell = row[index];
    const written = cell?.text.trim() ?? '';
    if (cell === undefined || key === undefined || written === '') continue;
    const place = text.shown(cell.start, cell.end);
    if (key.path.length === 0) name = { value: written, at: place };
    else keys.set(key.path, key.nodeOf(written, place), at);
  }
  return { name, keys: keys.root };
}

const unknownColumns = (columns: readonly Column[]): Diagnostic[] =>
  columns.flatMap(({ cell, at, key }) => (key === undefined ? [unknownColumn(cell.text.trim(), at)] : []));

/** A column, or an annotation of weft, that is no key of a cluster. */
export function unknownColumn(name: string, at: Span): Diagnostic {
  const meant = meantKey(name.replace(/^weft\.dev\//, ''));
  return diagnostic('inventory/unknown-column', at, `"${name}" is no key of a cluster, and is not read`, {
    hint:
      meant === undefined
        ? 'name it like a key of the topology, or labels.NAME for a label; nothing is wrong if the fleet does not need it'
        : `did you mean "${meant}"?`,
  });
}

function* repeatedColumns(columns: readonly Column[]): Iterable<Diagnostic> {
  const first = new Map<string, Span>();
  for (const { at, key, cell } of columns) {
    if (key === undefined) continue;
    const path = key.path.join('.');
    const earlier = first.get(path);
    first.set(path, earlier ?? at);
    if (earlier === undefined) continue;
    yield diagnostic(
      'inventory/unreadable',
      at,
      `two columns are the same key, and "${cell.text.trim()}" is the second`,
      {
        hint: 'remove one of them',
        related: [{ message: 'the first column', span: earlier }],
      },
    );
  }
}

/** Splits a text by the rules of RFC 4180, with the separator that its first line has most of. */
function rowsOf(text: string): { readonly rows: readonly Row[]; readonly unclosed: number | undefined } {
  const separator = separatorOf(text.split('\n').find(isContent) ?? '');
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let at = 0;
  const end = (): void => {
    if (row.some((it) => it.text !== '') && !row[0]?.text.startsWith('#')) rows.push(row);
    row = [];
  };
  while (at <= text.length) {
    const isQuoted = text[at] === '"';
    const close = isQuoted ? closingQuote(text, at) : undefined;
    if (isQuoted && close === undefined) return { rows, unclosed: at };
    let stop = close ?? at;
    while (stop < text.length && text[stop] !== separator && text[stop] !== '\n') stop++;
    const written = close === undefined ? text.slice(at, stop) : text.slice(at + 1, close - 1).replaceAll('""', '"');
    row.push({ text: written, start: at, end: stop });
    if (text[stop] !== separator) end();
    at = stop + 1;
  }
  return { rows, unclosed: undefined };
}

/** The offset behind the quote that closes the one at `open`. */
function closingQuote(text: string, open: number): number | undefined {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return undefined;
}

function separatorOf(header: string): string {
  const [most] = [',', ';', '\t']
    .map((it) => ({ it, count: header.split(it).length }))
    .sort((a, b) => b.count - a.count);
  return most?.it ?? ',';
}
