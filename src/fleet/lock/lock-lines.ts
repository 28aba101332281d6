import { by } from '../../base/core/collections.ts';
import { printLockHeader } from '../../base/core/generated-files.ts';
import { printLockLine } from '../../base/core/lock-key.ts';
import { readPrintedPrefix } from '../../base/net/text.ts';
import { type DocumentProblem, duplicateKey } from '../../base/source/document-problem.ts';
import type { Located, Source, Span } from '../../base/source/source.ts';
import type { Decisions, NextDecisions } from './decisions.ts';

/** The lines of a lock as weft prints it. */
export interface LockLines {
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
export const VERSION = 'version: 1\n';
export const DECISIONS = 'decisions:\n';

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
export function keySpanOf(name: string, { at: { source, start } }: Located<string | number>): Span {
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
  const sorted = [...decisions].sort(by(([key]) => key));
  const body =
    sorted.length === 0 ? ' {}\n' : `\n${sorted.map(([key, value]) => `${printLockLine(key, value)}\n`).join('')}`;
  return `${printLockHeader(topologyFile)}version: 1\ndecisions:${body}`;
}
