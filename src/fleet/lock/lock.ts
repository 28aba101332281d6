import { sortedEntries } from '../../base/core/collections.ts';
import { printLockHeader } from '../../base/core/generated-files.ts';
import {
  EVERY_CLUSTER,
  type LinkId,
  type LinkLockKey,
  type LockKey,
  networkTextOf,
  parseLockKey,
  printLockKey,
  printLockLine,
  printRelockTarget,
  type RelockTarget,
  reverseLinkId,
} from '../../base/core/lock-key.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { documentDiagnostics, readBySchema } from '../../base/diagnostics/document-diagnostics.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { SchemaFile } from '../../base/diagnostics/schema/schema-diagnostic.ts';
import { validateLock } from '../../base/generated/validators.js';
import { readPrintedPrefix } from '../../base/net/text.ts';
import type { LockFile } from '../../base/schema-types/lock.ts';
import type { DocumentEntry, DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import { type DocumentProblem, duplicateKey } from '../../base/source/document-problem.ts';
import { type DocumentResult, readDocument } from '../../base/source/read-document.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located, Source, Span } from '../../base/source/source.ts';

/** The recorded decisions, by printed lock key. Each is on one line, so that two pull requests rarely conflict. */
export type Decisions = ReadonlyMap<string, Located<string | number>>;

/** A decision to be written, by printed lock key: a network, a port, or a join number. */
export type NextDecisions = ReadonlyMap<string, string | number>;

/** The decision with this key. A link whose kind changes may change its identity, and keeps its decisions. */
export function decisionAbout<T extends string | number>(decisions: Decisions, key: LockKey): Located<T> | undefined {
  const found = decisions.get(printLockKey(key)) ?? (key.kind === 'block' ? undefined : decisions.get(reversed(key)));
  return found as Located<T> | undefined;
}

const reversed = (key: LinkLockKey): string => printLockKey({ ...key, link: reverseLinkId(key.link) });

/** All decisions of a lock; none without one. */
export const decisionsOf = (lock: LockDocument | undefined): Decisions => lock?.decisions ?? new Map();

/** A lock that follows its schema. */
export interface LockDocument {
  readonly source: Source;
  readonly decisions: Decisions;
}

/**
 * The decisions about renamed clusters, under their new names. An existing decision under a new name takes precedence
 * over one under the former name: two branches may have been merged.
 *
 * @param names new names by former name
 */
export function renameDecisions(decisions: Decisions, names: ReadonlyMap<string, string>): Decisions {
  const renamed = new Map(decisions);
  for (const [text, decision] of decisions) {
    const key = parseLockKey(text);
    if (key === undefined || !namesIn(key).some((it) => names.has(it))) continue;
    renamed.delete(text);
    const now = withNames(key, (it) => names.get(it) ?? it);
    if (decisionAbout(decisions, now) === undefined) renamed.set(printLockKey(now), decision);
  }
  return renamed;
}

/** Every cluster with a recorded decision. */
export function namesInDecisions(decisions: Decisions): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of decisions.keys()) {
    const key = parseLockKey(text);
    for (const it of key === undefined ? [] : namesIn(key)) names.add(it);
  }
  return names;
}

const namesIn = (key: LockKey): readonly string[] =>
  key.kind === 'block' ? [key.cluster] : [key.link.first, key.link.second];

function withNames(key: LockKey, name: (old: string) => string): LockKey {
  if (key.kind === 'block') return { ...key, cluster: name(key.cluster) };
  const link: LinkId = { first: name(key.link.first), second: name(key.link.second) };
  switch (key.kind) {
    case 'join':
    case 'nudge':
      return { ...key, link };
    case 'port':
      return { ...key, link, server: name(key.server) };
    case 'view':
      return { ...key, link, viewer: name(key.viewer) };
  }
}

const CODE = 'lock/unreadable';

const FILE: SchemaFile = {
  what: 'the lock',
  named: { key: 'decisions', noun: 'decision' },
  codes: { unknownKey: CODE, missingKey: CODE, wrongType: CODE, wrongValue: CODE },
};

const HINT =
  'this file is generated: restore it from git, or delete the broken lines and compile; only those decisions are made again';

const TWICE_HINT = 'keep one of the two lines and compile again; two branches decided this separately';

const CONFLICT_HINT =
  'keep the lines of both sides, delete the markers and compile again; run "weft compile --relock CLUSTER[/PEER]" where lines contradict each other';

/** Hints for the remains of a merge of two branches. */
const OWN_WORDS = {
  'merge-conflict': { hint: CONFLICT_HINT },
  'duplicate-key': { code: CODE, hint: TWICE_HINT },
  others: { hint: HINT },
} as const;

/** The lock, checked against its schema. The stages that use its decisions report those that contradict each other. */
export function parseLock(source: Source): Outcome<LockDocument> {
  const lines = readLockLines(source);
  if (lines?.isSound && lines.problems.length === 0) return outcome({ source, decisions: lines.decisions });
  const result = lines ? documentOfLines(source, lines) : readDocument(source, { language: 'yaml' });
  if (!result.ok) return failure(documentDiagnostics(result.problems, OWN_WORDS));
  const { reading, found } = readBySchema(result.root, validateLock, FILE);
  if (found.length > 0) return failure(found.map(withHint));
  const decisions = new Map<string, Located<string | number>>();
  for (const { name, value } of reading.at('decisions').scalars()) decisions.set(name.value, value);
  return outcome({ source, decisions }, notNetworks(reading));
}

const withHint = (it: Diagnostic): Diagnostic => ({ ...it, hint: HINT });

/**
 * Errors about texts that are no networks. The schema checks only the pattern; 10.0.0.7/16 and 10.0.0.300/32 need
 * arithmetic.
 */
function notNetworks(reading: Reading<LockFile>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { name, value } of reading.at('decisions').scalars()) {
    const announced = networkTextOf(name.value);
    if (announced !== undefined && readPrintedPrefix(announced) === undefined)
      found.push(notANetwork(announced, name.at));
    if (typeof value.value === 'string' && readPrintedPrefix(value.value) === undefined) {
      found.push(notANetwork(value.value, value.at));
    }
  }
  return found;
}

const notANetwork = (text: string, at: Diagnostic['span']): Diagnostic =>
  diagnostic(CODE, at, `"${text}" is not a network`, { hint: HINT });

/** The lines of a lock as `readDocument` returns them, for the check against the schema. */
export function documentOfLines(source: Source, { start, decisions, problems }: LockLines): DocumentResult {
  if (problems.length > 0) return { ok: false, problems };
  const entries = new Map<string, DocumentEntry>();
  for (const [name, it] of decisions)
    entries.set(name, { key: keySpanOf(name, it), value: { kind: 'scalar', span: it.at, value: it.value } });
  const decisionsAt = start + VERSION.length;
  const listed: Span = { source, start: decisionsAt + DECISIONS.length + 2, end: source.text.length - 1 };
  const list: DocumentMap = { kind: 'map', span: listed, entries };
  const one: DocumentNode = { kind: 'scalar', span: { source, start: start + 9, end: start + 10 }, value: 1 };
  const parts = new Map<string, DocumentEntry>([
    ['version', { key: { source, start, end: start + 7 }, value: one }],
    ['decisions', { key: { source, start: decisionsAt, end: decisionsAt + 9 }, value: list }],
  ]);
  return { ok: true, root: { kind: 'map', span: { source, start, end: listed.end }, entries: parts } };
}

/** The lines of a lock as weft prints it. */
interface LockLines {
  /** Offset of the first line that is no comment. */
  readonly start: number;
  /** Decisions in the order of the lines; the first one of each key. */
  readonly decisions: Decisions;
  /** Two decisions with the same key. */
  readonly problems: readonly DocumentProblem[];
  /** True when the lock follows its schema, and every network is valid. */
  readonly isSound: boolean;
}

const LOCK_HEAD = /(?:#[^\r\n]*\n)*(?=version)/y;
const VERSION = 'version: 1\n';
const DECISIONS = 'decisions:\n';

// A line as weft prints it. Its key contains a slash and its value is a network or a small integer, so that YAML reads
// both unchanged.
const PRINTED_LINE =
  / {2}([a-z0-9][a-z0-9-]{0,62}\/[a-z0-9./-]{1,200}): (?:(\d{1,3}(?:\.\d{1,3}){3}\/\d{1,2})|(0|[1-9]\d{0,9}))\n/y;

/**
 * Reads the lock as weft prints it, line by line. The decisions equal those that `readDocument` reads, but a line may be
 * repeated. `undefined` for any other text; the caller then uses `readDocument`.
 *
 * It is a reader of its own because of lines that a merge has left twice: YAML has no such map, so `readQuickYaml` leaves it to
 * the strict reader, which refuses it. Neither of the two is faster: 100,000 lines take 0.2 s.
 */
export function readLockLines(source: Source): LockLines | undefined {
  const { text } = source;
  LOCK_HEAD.lastIndex = 0;
  if (!LOCK_HEAD.test(text)) return undefined;
  const start = LOCK_HEAD.lastIndex;
  const decisionsAt = start + VERSION.length;
  if (!text.startsWith(VERSION, start) || !text.startsWith(DECISIONS, decisionsAt)) return undefined;
  const decisions = new Map<string, Located<string | number>>();
  const problems: DocumentProblem[] = [];
  let isSound = true;
  const first = decisionsAt + DECISIONS.length;
  for (let at = first; at < text.length; at = PRINTED_LINE.lastIndex) {
    PRINTED_LINE.lastIndex = at;
    const [line, name, network, integer = ''] = PRINTED_LINE.exec(text) ?? [];
    if (line === undefined || name === undefined) return undefined;
    const value = network ?? Number(integer);
    const end = at + line.length - 1;
    const known = decisions.get(name);
    if (known === undefined) {
      decisions.set(name, { value, at: { source, start: end - (network ?? integer).length, end } });
      isSound &&= isSoundDecision(name, value);
    } else if (known.value !== value) {
      // A merge that keeps the lines of both sides may repeat a line; only different values are a problem.
      problems.push(duplicateKey(name, { source, start: at + 2, end: at + 2 + name.length }, keySpanOf(name, known)));
    }
  }
  // Without a line `decisions:` is null, which the check against the schema reports.
  return decisions.size === 0 ? undefined : { start, decisions, problems, isSound };
}

/** The place of the key of a line, which is before `: ` and the value. */
function keySpanOf(name: string, { at: { source, start } }: Located<string | number>): Span {
  return { source, start: start - 2 - name.length, end: start - 2 };
}

const PRINTED_KEY =
  /^[a-z0-9-]+\/(?:external|internal|[a-z0-9-]+\/(?:(join)|(port)\/[a-z0-9-]+|view\/[a-z0-9-]+\/(?:pod|external)\/([\d./]+)))$/;

const LAST_JOIN = 999_999;
const LAST_PORT = 65_535;

/**
 * True when a decision follows the schema of the lock, and its networks are valid. It combines the checks of
 * `parseLock`, because a lock has a hundred thousand decisions. A test compares the two.
 */
function isSoundDecision(name: string, value: string | number): boolean {
  const key = PRINTED_KEY.exec(name);
  if (key === null) return false;
  const [, join, port, network] = key;
  if (join !== undefined || port !== undefined)
    return typeof value === 'number' && value >= 1 && value <= (join === undefined ? LAST_PORT : LAST_JOIN);
  return isNetwork(value) && (network === undefined || isNetwork(network));
}

const isNetwork = (it: string | number): boolean => typeof it === 'string' && readPrintedPrefix(it) !== undefined;

/**
 * The text of the lock file: sorted by key (code units), one decision per line. Every key is a plain scalar in YAML 1.1
 * and 1.2.
 */
export function printLock(topologyFile: string, decisions: NextDecisions): string {
  const sorted = sortedEntries(decisions);
  const body =
    sorted.length === 0 ? ' {}\n' : `\n${sorted.map(([key, value]) => `${printLockLine(key, value)}\n`).join('')}`;
  return `${printLockHeader(topologyFile)}version: 1\ndecisions:${body}`;
}

/**
 * Leaves out the decisions of a cluster, or those about one of its peers: its views, the ports of its server ends, its
 * carved blocks. Join numbers stay, so that new decisions follow the order in which links were created.
 *
 * @param clusters the names in the topology.
 */
export function forget(decisions: Decisions, targets: readonly RelockTarget[], clusters: readonly string[]): Decisions {
  if (targets.length === 0) return decisions;
  if (targets.some((it) => it.cluster === EVERY_CLUSTER && it.peer === null) && !clusters.includes(EVERY_CLUSTER))
    return new Map([...decisions].filter(([key]) => COUNTERS.includes(parseLockKey(key)?.kind)));
  const isForgotten = (text: string): boolean => {
    const key = parseLockKey(text);
    return key !== undefined && targets.some((it) => concerns(key, it));
  };
  return new Map([...decisions].filter(([key]) => !isForgotten(key)));
}

/** No address and no port depends on these decisions. */
const COUNTERS: readonly (LockKey['kind'] | undefined)[] = ['join', 'nudge'];

/** Adds one to the nudges of a link, or of all links of a cluster, that are in the lock. */
export function raiseNudges(decisions: Decisions, targets: readonly RelockTarget[]): Decisions {
  if (targets.length === 0) return decisions;
  const raised = new Map(decisions);
  for (const [text, { value: _, ...place }] of decisions) {
    const key = parseLockKey(text);
    if (key?.kind !== 'join') continue;
    const names = [key.link.first, key.link.second];
    const isMeant = ({ cluster, peer }: RelockTarget): boolean =>
      names.includes(cluster) && (peer === null || names.includes(peer));
    if (!targets.some(isMeant)) continue;
    const nudge = printLockKey({ kind: 'nudge', link: key.link });
    raised.set(nudge, { ...place, value: Number(decisions.get(nudge)?.value ?? 0) + 1 });
  }
  return raised;
}

function concerns(key: LockKey, { cluster, peer }: RelockTarget): boolean {
  switch (key.kind) {
    case 'block':
      return key.cluster === cluster && peer === null;
    case 'join':
    case 'nudge':
      return false;
    case 'port':
      return key.server === cluster && reachesPeer(key.link, peer);
    case 'view':
      return key.viewer === cluster && reachesPeer(key.link, peer);
  }
}

const reachesPeer = ({ first, second }: LinkId, peer: string | null): boolean =>
  peer === null || first === peer || second === peer;

/** Two decisions that contradict each other. The relock target is the cluster of the later decision, and its peer. */
interface Contradiction extends RelockTarget {
  /** A message with the two decisions. */
  readonly message: string;
  readonly later: Span;
  readonly earlier: { readonly message: string; readonly span: Span };
}

/** Two decisions of the lock that contradict each other: a merge kept both. */
export function contradiction({ message, later, earlier, ...relockTarget }: Contradiction): Diagnostic {
  const target = printRelockTarget(relockTarget);
  return diagnostic('lock/contradiction', later, message, {
    hint: `two branches decided this separately; run "weft compile --relock ${target}" to decide it again`,
    related: [earlier],
  });
}
