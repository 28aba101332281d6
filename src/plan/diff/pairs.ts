import { clusterFolderOf, parseBundlePath, printBundlePath } from '../../base/core/bundle-path.ts';
import { byCodeUnit, groupBy } from '../../base/core/collections.ts';

/** A file that differs between two sides. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'add' | 'change' | 'remove';
  /** True for the same documents in another layout. */
  readonly onlyLayout?: true;
}

/** Clusters with another name on the new side. */
export interface Renames {
  readonly newNames: ReadonlyMap<string, string>;
  readonly oldNames: ReadonlyMap<string, string>;
}

export interface PairedFile extends ChangedFile {
  readonly formerPath: string | null;
}

export function renamesOf(renames: readonly { readonly from: string; readonly to: string }[]): Renames {
  return {
    newNames: new Map(renames.map(({ from, to }) => [from, to])),
    oldNames: new Map(renames.map(({ from, to }) => [to, from])),
  };
}

/**
 * The changed files by cluster, under its new name, in order; files of the whole fleet have the key `''` and come last.
 * A file that was removed under an old name and added under the new one is one file.
 */
export function pairFiles(
  changes: readonly ChangedFile[],
  renames: Renames,
): ReadonlyMap<string, readonly PairedFile[]> {
  const removed = new Map(
    changes.filter((it) => it.change === 'remove').map((it) => [renamedPath(it.path, renames), it.path]),
  );
  const paired = new Set<string>();
  const files: PairedFile[] = [];
  for (const it of changes) {
    const formerPath = it.change === 'add' ? removed.get(it.path) : undefined;
    if (formerPath !== undefined && formerPath !== it.path) paired.add(formerPath);
    files.push(
      formerPath === undefined ? { ...it, formerPath: null } : { path: it.path, change: 'change', formerPath },
    );
  }
  const byCluster = new Map<string, PairedFile[]>();
  for (const it of files.filter(({ path }) => !paired.has(path))) {
    const folder = clusterFolderOf(it.path) ?? '';
    const cluster = it.change === 'remove' ? (renames.newNames.get(folder) ?? folder) : folder;
    const list = byCluster.get(cluster);
    if (list === undefined) byCluster.set(cluster, [it]);
    else list.push(it);
  }
  const clusters = [...byCluster.keys()].filter((it) => it !== '').sort(byCodeUnit);
  return new Map([...clusters, ''].flatMap((it) => (byCluster.has(it) ? [[it, byCluster.get(it) ?? []]] : [])));
}

/** The path of a file after clusters were renamed, as far as it contains their names. */
function renamedPath(path: string, { newNames }: Renames): string {
  const name = (it: string): string => newNames.get(it) ?? it;
  const place = parseBundlePath(path);
  if (newNames.size === 0 || place === undefined) return path;
  return printBundlePath({
    ...place,
    ...('cluster' in place ? { cluster: name(place.cluster) } : {}),
    ...('peer' in place ? { peer: name(place.peer) } : {}),
    ...('name' in place ? { name: name(place.name) } : {}),
  });
}

/** The name of an object after clusters were renamed: their names are separate words in it. */
export function renamedObject(object: string, { newNames }: Renames): string {
  let name = object;
  for (const [from, to] of newNames) name = name.replace(new RegExp(`(?<![a-z0-9])${from}(?![a-z0-9])`, 'g'), () => to);
  return name;
}

/** An object on both sides, or on one. Ranges are line numbers of its file. */
export interface Pairing {
  readonly object: string;
  readonly old: Range | null;
  readonly now: Range | null;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Pairs the objects of both texts of a file by identity, so that an object that moves within its file is compared with
 * itself. Pairs are in the order of the new text, followed by objects that are only in the old one.
 *
 * @param renamed the name of an object after clusters were renamed
 */
export function pairObjects(
  path: string,
  old: readonly string[],
  now: readonly string[],
  renamed: (object: string) => string,
): readonly Pairing[] {
  if (!/\.ya?ml$/.test(path)) return [wholeFile(old.length, now.length)];
  const [was, is] = [splitDocuments(old), splitDocuments(now)];
  const pairs: readonly Pairing[] = [
    ...is.documents.map((it) => ({ object: it.object, old: null, now: it })),
    ...was.documents.map((it) => ({ object: it.object, old: it, now: null })),
  ];
  const exact = joinHalves(pairs, (it) => it.object);
  return [
    wholeFile(was.headerEnd, is.headerEnd),
    ...joinHalves(exact, (it) => (it.now === null ? renamed(it.object) : it.object)),
  ];
}

/** Pairs an object that is the only removed one of its kind with the only added one of that kind: it was renamed. */
export function pairByKind(pairs: readonly Pairing[]): readonly Pairing[] {
  const kindOf = ({ object }: Pairing): string => object.replace(/ .*$/s, '');
  const counts = new Map<string, number>();
  const sideOf = (it: Pairing): string =>
    `${it.old === null ? 'come' : it.now === null ? 'gone' : 'stay'} ${kindOf(it)}`;
  for (const it of pairs) counts.set(sideOf(it), (counts.get(sideOf(it)) ?? 0) + 1);
  return joinHalves(pairs, (it) => (counts.get(sideOf(it)) === 1 ? kindOf(it) : `${sideOf(it)} ${it.object}`));
}

/** Joins halves that are on one side only with halves of the other side that have the same key, in their orders. */
function joinHalves(pairs: readonly Pairing[], keyOf: (it: Pairing) => string): readonly Pairing[] {
  const halves = groupBy(
    pairs.filter((it) => it.now === null),
    (it) => [keyOf(it)],
  );
  const taken = new Map<string, number>();
  const used = new Set<Pairing>();
  const joined = pairs.map((it) => {
    if (it.old !== null || it.now === null) return it;
    const key = keyOf(it);
    const index = taken.get(key) ?? 0;
    const half = halves.get(key)?.[index];
    if (half === undefined) return it;
    taken.set(key, index + 1);
    used.add(half);
    return { ...it, old: half.old };
  });
  return joined.filter((it) => !used.has(it));
}

/** True when objects of both sides are in another order. */
export function isReordered(pairs: readonly Pairing[]): boolean {
  const places = pairs.flatMap((it) => (it.old === null || it.now === null ? [] : [it.old.start]));
  return places.some((it, i) => i > 0 && it < (places[i - 1] as number));
}

/** A whole file, or its header without objects. */
export const wholeFile = (oldEnd: number, newEnd: number): Pairing => ({
  object: '',
  old: { start: 0, end: oldEnd },
  now: { start: 0, end: newEnd },
});

/** The lines of one object in a file; the end is exclusive. */
interface DocumentRange {
  /**
   * The identity of the object, such as `Configuration liqo-tenant-rome/rome`; empty for a document that is no object.
   */
  readonly object: string;
  readonly start: number;
  readonly end: number;
}

interface SplitFile {
  /** Number of lines above the first document: the header of a generated file. */
  readonly headerEnd: number;
  /** The documents. One line `---` between two of them belongs to none. */
  readonly documents: readonly DocumentRange[];
}

/** The documents of a YAML file. Every line belongs to the header or to one document, or separates two documents. */
export function splitDocuments(lines: readonly string[]): SplitFile {
  let headerEnd = 0;
  while (headerEnd < lines.length && lines[headerEnd]?.startsWith('#')) headerEnd++;
  const documents: DocumentRange[] = [];
  let start = headerEnd;
  for (let at = headerEnd; at <= lines.length; at++) {
    if (at < lines.length && lines[at] !== '---') continue;
    documents.push({ object: objectIn(lines, start, at), start, end: at });
    start = at + 1;
  }
  return { headerEnd, documents };
}

/**
 * The identity of an object in block YAML; in another layout it is empty, and the object is compared by its position.
 */
function objectIn(lines: readonly string[], start: number, end: number): string {
  let [kind, name, namespace, section] = ['', '', '', ''];
  for (let at = start; at < end; at++) {
    const [, key, value = ''] = /^([A-Za-z][\w-]*):(?: (.*))?$/.exec(lines[at] as string) ?? [];
    if (key !== undefined) {
      section = key;
      if (key === 'kind' && kind === '') kind = scalar(value);
    } else if (section === 'metadata') {
      const [, field, text = ''] = /^ {2}(name|namespace): (.*)$/.exec(lines[at] as string) ?? [];
      if (field === 'name') name = scalar(text);
      if (field === 'namespace') namespace = scalar(text);
    }
  }
  if (kind === '') return '';
  const place = namespace === '' ? name : `${namespace}/${name}`;
  return place === '' ? kind : `${kind} ${place}`;
}

const scalar = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
