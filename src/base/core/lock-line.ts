/** A line of the lock, which has one line a decision. */
export const printLockLine = (key: string, value: string | number): string => `  ${key}: ${value}`;

/** The lines of a lock that have the indentation of decisions, each once. */
export const decisionLines = (lock: string): ReadonlySet<string> =>
  new Set(lock.split('\n').filter((it) => it.startsWith('  ')));

/**
 * The decisions of a lock by printed key, without places and without a check: `lock/` reads the same text, and reports what
 * is broken. A line in another form than `printLockLine` writes is left out.
 */
export function parseLockLines(lines: Iterable<string>): ReadonlyMap<string, string> {
  const decisions = new Map<string, string>();
  for (const line of lines) {
    const [, key, value] = LINE.exec(line) ?? [];
    if (key !== undefined && value !== undefined) decisions.set(key, value);
  }
  return decisions;
}

// Git may have written `\r\n`.
const LINE = /^ {2}([^\s:]+): (\S+)\r?$/;
