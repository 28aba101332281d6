import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../base/source/located.ts';
import type { Span } from '../../base/source/source.ts';
import type { PortRange } from './declaration.ts';
import type { Report } from './report.ts';

/** `51840-52839`, or one port. Any other text is reported, and becomes a range from which nothing is compiled. */
export function readPortRange(text: Located<string | number>, what: string, report: Report): PortRange {
  const match = /^(\d{1,5})(?:\s*-\s*(\d{1,5}))?$/.exec(String(text.value));
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (match && first >= 1 && last <= 65535 && first <= last) return { first, last, at: text.at };
  report(
    diagnostic('topology/bad-range', text.at, `${what} is not a range of ports: "${text.value}"`, {
      hint:
        match && first > last
          ? `write the smaller port first: "${last}-${first}"`
          : 'write a range like "30000-32767", from 1 to 65535',
    }),
  );
  return unreadRange(text.at);
}

/** The placeholder for a range that was reported; nothing is compiled from it. */
const unreadRange = (at: Span): PortRange => ({ first: 1, last: 65535, at, isUnread: true });
