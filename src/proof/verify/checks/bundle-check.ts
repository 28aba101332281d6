import { byCodeUnit } from '../../../base/core/collections.ts';
import type { Code } from '../../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, type DocumentPath, nodeAt, plainOf } from '../../../base/source/document-node.ts';
import { type Source, type Span, startOf } from '../../../base/source/source.ts';
import type { Expectation } from '../expectation.ts';
import type { ExpectedAddresses } from '../expected/expect-addresses.ts';
import { type FoundText, nearestKey, type ScalarType } from '../kube-object.ts';
import type { ReadBundle } from '../read-bundle.ts';
import type { RebuiltCluster, RebuiltNetwork, RebuiltPeer } from '../rebuild-network.ts';

/** The contents of the files, and what the topology requires. */
export interface CheckContext {
  readonly expected: Expectation;
  readonly bundle: ReadBundle;
  readonly network: RebuiltNetwork;
  /** By cluster: the addresses that its IPAM assigns, given the topology and the carved blocks of the files. */
  readonly addresses: ReadonlyMap<string, ExpectedAddresses>;
}

/** One check of the bundle: yields an error for each place where it fails. */
export type BundleCheck = FleetCheck | FolderCheck;

/**
 * A check of the whole fleet. It reads one folder after the other, because only the files of one folder are in memory.
 */
export type FleetCheck = (context: CheckContext) => Iterable<Diagnostic>;

/** A check of one folder at a time: that of a cluster, or another folder at the top of `out/`. */
export interface FolderCheck {
  readonly inFolder: (context: CheckContext, folder: string) => Iterable<Diagnostic>;
}

/** A check of one cluster at a time, and of its peers' files about it. */
export const forEachCluster = (
  check: (context: CheckContext, cluster: RebuiltCluster) => Iterable<Diagnostic>,
): FolderCheck => ({
  inFolder: (context, folder) => {
    const cluster = context.network.get(folder);
    return cluster ? check(context, cluster) : [];
  },
});

/** A check of a folder without a cluster, which runs while the folder's files are in memory. */
export const forFolder = (name: string, check: FleetCheck): FolderCheck => ({
  inFolder: (context, folder) => (folder === name ? check(context) : []),
});

type EndCheck = (context: CheckContext, cluster: RebuiltCluster, peer: RebuiltPeer) => Iterable<Diagnostic>;

/** A check of one end of a link at a time, as rebuilt from the files. */
export const forEachEnd = (check: EndCheck): FolderCheck =>
  forEachCluster(function* (context, cluster) {
    for (const peer of cluster.peers.values()) yield* check(context, cluster, peer);
  });

interface TextComparison {
  readonly code: Code;
  /** Text for the value and its owner, such as `the MTU of "rome" towards "milan"`. */
  readonly what: string;
  readonly found: FoundText;
  /** `null`: the value must not be set. */
  readonly wanted: string | null;
  /** The type of the wanted value when it is no string. */
  readonly type?: ScalarType;
  /** The words before the wanted value: `"milan" listens on`. By default `the topology requires`. */
  readonly phrase?: string;
  readonly other?: FoundText | undefined;
}

/** Yields an error unless a value is the wanted one and has its type. */
export function* compareText({ code, what, found, wanted, type, phrase, other }: TextComparison): Iterable<Diagnostic> {
  const sameType = found.type === type;
  if ((found.text ?? null) === wanted && (wanted === null || sameType)) return;
  // Quotes identify the string when only the types differ.
  const shown = (text: string, its: ScalarType | undefined): string =>
    found.text !== wanted || its !== undefined ? text : JSON.stringify(text);
  const is = found.text === undefined ? `${what} is missing` : `${what} is ${shown(found.text, found.type)}`;
  const should = wanted === null ? 'must not be set' : `${phrase ?? 'the topology requires'} ${shown(wanted, type)}`;
  const related = other ? [{ message: `${other.text ?? 'no value'} is set here`, span: other.at }] : undefined;
  yield diagnostic(code, found.at, `${is}, but ${should}`, { related });
}

/** The start of a file that is missing. */
export function missingPlace({ root }: ReadBundle, path: string): Span {
  const source: Source = { path: `${root}/${path}`, text: '' };
  return startOf(source);
}

/** The required value of a part of a file; `undefined` for one that must not be set. Order matters in lists only. */
export type Part =
  | string
  | number
  | boolean
  | readonly Part[]
  | { readonly [key: string]: Part | undefined }
  | undefined;

/** A map of parts; `undefined` when none of them is set. */
export const someOf = (members: Readonly<Record<string, Part>>): Part =>
  Object.values(members).some((it) => it !== undefined) ? members : undefined;

interface PartComparison {
  readonly code: Code;
  /** Text for the object and its owner. */
  readonly what: string;
  readonly node: DocumentNode;
  readonly path: DocumentPath;
  readonly wanted: Part;
}

/** Yields an error unless a part of an object is the wanted one. */
export function* comparePart({ code, what, node, path, wanted }: PartComparison): Iterable<Diagnostic> {
  const found = nodeAt(node, path);
  if (found === undefined ? wanted === undefined : found.kind === 'scalar' && found.value === wanted) return;
  const [is, should] = [canonical(found && plainOf(found)), canonical(wanted)];
  if (is === should) return;
  const place = found?.kind === 'scalar' ? found.span : nearestKey(node, path);
  const message = `\`${path.join('.')}\` of ${what} is ${is ?? 'missing'}, but ${should === undefined ? 'must not be set' : `the topology requires ${should}`}`;
  yield diagnostic(code, place, message);
}

/** Compares several parts of one object, by their path. */
export function* compareParts(
  object: Omit<PartComparison, 'path' | 'wanted'>,
  parts: Iterable<readonly [path: DocumentPath, wanted: Part]>,
): Iterable<Diagnostic> {
  for (const [path, wanted] of parts) yield* comparePart({ ...object, path, wanted });
}

/** JSON with sorted keys. `undefined` stays `undefined`; as a member it is left out. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map((it) => canonical(it) ?? 'null').join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, it]) => {
    const text = canonical(it);
    return text === undefined ? [] : [`${JSON.stringify(key)}: ${text}`];
  });
  return `{${members.sort(byCodeUnit).join(', ')}}`;
}
