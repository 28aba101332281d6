import { withLf } from '../../base/core/encodings.ts';
import { decisionLines, type LockKey, parseLockKey, parseLockLines } from '../../base/core/lock-key.ts';
import { andMore, countOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type Source, type Span, startOf } from '../../base/source/source.ts';
import type { Change } from '../../plan/change.ts';

/** The texts of one lock, as different compiles write it. */
interface LockTexts {
  /** The path in messages, and the text in the pull request; `null` when it has none. */
  readonly path: string;
  readonly head: string | null;
  /** The texts in the base and in the commit that the pull request branched off. */
  readonly bases: readonly (string | null)[];
  /**
   * The lock that the topology of the pull request compiles to from the lock of the base; `null` when this gives
   * errors.
   */
  readonly kept: string | null;
  /**
   * The lock that the topology compiles to from the lock of the pull request; the plan shows the effects of their
   * differences.
   */
  readonly decided: string;
  /** The changes of the plan. */
  readonly changes: readonly Change[];
}

const SHOWN_LINES = 10;
const SHOWN_KEYS = 3;

/**
 * Diagnostics about lines of the lock. A valid line comes from the base, or from compiling with the base. Another line
 * that compiling keeps is part of the plan and is a warning at its place; a line without an effect, or with one that
 * the plan does not show, is an error.
 */
export function judgeLock(lock: LockTexts): readonly Diagnostic[] {
  const { path, head, bases } = lock;
  const base = bases[0] ?? null;
  if (head === null) return base === null ? [] : [lockRemoved(path, base)];
  const text = withLf(head);
  const source = { path, text };
  const known = [...bases, lock.kept].flatMap((it) => (it === null ? [] : [withLf(it)]));
  if (known.includes(text)) return [];
  const lines = strangeLines(source, known);
  const obeyed = new Set(lock.decided.split('\n'));
  const before = decisionsOf(base ?? '');
  const found = lines.flatMap(({ line, at }): readonly Diagnostic[] => {
    if (!obeyed.has(line)) return [hasNoEffect(at)];
    const [[text, value] = ['', '']] = decisionsOf(`${line}\n`);
    const [key, was] = [parseLockKey(text), before.get(text)];
    // Decisions about a new link are part of that link's plan.
    if (key === undefined || was === undefined || was === value) return [];
    return isPlanned(key, lock.changes) ? [decides(at, { key, value, was })] : [isNotPlanned(at, { key, value, was })];
  });
  return [...limited(found), ...linesLost(source, lock)];
}

interface Line {
  readonly line: string;
  readonly at: Span;
}

/** The lines that no known text contains. */
function strangeLines(source: Source, known: readonly string[]): readonly Line[] {
  const expected = new Set(known.flatMap((it) => it.split('\n')));
  let start = 0;
  return source.text.split('\n').flatMap((line) => {
    const at = { source, start, end: start + line.length };
    start = at.end + 1;
    return expected.has(line) ? [] : [{ line, at }];
  });
}

const decisionsOf = (lock: string): ReadonlyMap<string, string> => parseLockLines(decisionLines(lock));

/**
 * True when the plan shows a decision. Views, ports and blocks are in the files, so a plan always shows them; it shows
 * a join number only when the order matters.
 */
const isPlanned = (key: LockKey, changes: readonly Change[]): boolean =>
  key.kind !== 'join' ||
  changes.some((it) => {
    if (it.kind === 'lock-changed') return true;
    return it.kind === 'order-changed' && [key.link.first, key.link.second].includes(it.cluster);
  });

interface Decision {
  readonly key: LockKey;
  readonly value: string;
  readonly was: string;
}

const RESTORE = 'restore the lock of the base and run "weft compile"';

const decides = (at: Span, it: Decision): Diagnostic =>
  diagnostic('provenance/lock-decides', at, `this line changes a decision of the base: ${inWords(it)}`, {
    hint: `the plan lists what this breaks; if it is not intended, ${RESTORE}`,
  });

const isNotPlanned = (at: Span, it: Decision): Diagnostic =>
  diagnostic('provenance/lock-line', at, `this line was edited by hand, and no plan shows it: ${inWords(it)}`, {
    hint: RESTORE,
  });

const hasNoEffect = (at: Span): Diagnostic =>
  diagnostic('provenance/lock-line', at, 'this line was edited by hand, and "weft compile" does not write it', {
    hint: RESTORE,
  });

const lockRemoved = (path: string, base: string): Diagnostic =>
  diagnostic(
    'provenance/lock-line',
    startOf({ path, text: '' }),
    `the lock was removed, with ${countOf(decisionsOf(base).size, 'decision')} that keep addresses and ports as they are`,
    { hint: RESTORE },
  );

/** Errors about decisions that the base contains, that compiling would keep, and that the pull request leaves out. */
function linesLost(source: Source, { bases: [base = null], kept, decided }: LockTexts): readonly Diagnostic[] {
  const [had, needed, made, has] = [base, kept ?? decided, decided, source.text].map((it) =>
    decisionsOf(withLf(it ?? '')),
  );
  const lost = [...(had ?? [])].filter(([key]) => needed?.has(key) && made?.has(key) && !has?.has(key));
  if (lost.length === 0) return [];
  const names = lost.slice(0, SHOWN_KEYS).map(([key]) => quoted(key));
  const message = `${countOf(lost.length, 'decision')} of the base ${lost.length === 1 ? 'was' : 'were'} removed by hand: ${names.join(', ')}${andMore(lost.length - names.length)}`;
  return [diagnostic('provenance/lock-line', startOf(source), message, { hint: RESTORE })];
}

/** Errors before warnings, each limited to a readable number. */
function limited(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const [errors, warnings] = [
    found.filter((it) => it.severity === 'error'),
    found.filter((it) => it.severity !== 'error'),
  ];
  return [...cut(errors), ...cut(warnings)];
}

function cut(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const shown = found.slice(0, SHOWN_LINES);
  const [next] = found.slice(SHOWN_LINES);
  if (next === undefined) return shown;
  const message = `${countOf(found.length - SHOWN_LINES, 'more line')} of the lock like these`;
  return [...shown, diagnostic(next.code, next.span, message, { hint: RESTORE })];
}

function inWords({ key, value, was }: Decision): string {
  switch (key.kind) {
    case 'block':
      return `the ${key.block} CIDR of ${quoted(key.cluster)} is ${value} instead of ${was}`;
    case 'join':
      return `the link of ${quoted(key.link.first)} and ${quoted(key.link.second)} has the join number ${value} instead of ${was}`;
    case 'nudge':
      return `the link of ${quoted(key.link.first)} and ${quoted(key.link.second)} has the nudge ${value} instead of ${was}`;
    case 'port':
      return `the port of ${quoted(key.server)} for the link of ${quoted(key.link.first)} and ${quoted(key.link.second)} is ${value} instead of ${was}`;
    case 'view': {
      const peer = key.viewer === key.link.first ? key.link.second : key.link.first;
      return `${quoted(key.viewer)} sees ${printPrefix(key.cidr)} of ${quoted(peer)} as ${value} instead of ${was}`;
    }
  }
}
