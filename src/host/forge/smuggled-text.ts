import { countDiagnostics } from '../../answers/report/count-diagnostics.ts';
import { placeRow } from '../../answers/report/diagnostics-document.ts';
import { markdownText } from '../../answers/report/markdown-text.ts';
import { countOf, shortened } from '../../base/core/words.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';

import { codeSpan } from './code-span.ts';
import type { ForgeWords } from './forge-words.ts';

/** Characters of one line, and of all lines. The plan needs the rest of a comment. */
const MAX_LINE_CHARACTERS = 700;
const MAX_CHARACTERS = 20_000;

interface Shown {
  readonly pathOf: (path: string) => string;
  readonly words: Pick<ForgeWords, 'pull'>;
}

/** Markdown above a plan: what in the pull request comes neither from its topology nor from its base; empty without any. */
export function smuggledText(smuggled: readonly Diagnostic[], { pathOf, words }: Shown): string {
  if (smuggled.length === 0) return '';
  const { errors, warnings } = countDiagnostics(smuggled);
  const head =
    errors > 0
      ? `> [!CAUTION]\n> **Do not merge: ${countOf(errors, 'change')} of this ${words.pull} ${errors === 1 ? 'comes' : 'come'} neither from the topology nor from the base.**`
      : `> [!WARNING]\n> **This ${words.pull} changes ${countOf(warnings, 'decision')} of the lock.**`;
  const lines: string[] = [];
  let room = MAX_CHARACTERS;
  for (const it of smuggled) {
    const line = lineOf(it, pathOf);
    if (line.length > room) break;
    room -= line.length;
    lines.push(line);
  }
  const left = smuggled.length - lines.length;
  const more = left === 0 ? [] : [`- ${countOf(left, 'more place')}: see the check.`];
  return `${[head, [...lines, ...more].join('\n')].join('\n\n')}\n`;
}

function lineOf({ span, message, severity }: Diagnostic, pathOf: (path: string) => string): string {
  const { file, line } = placeRow(span);
  const what = markdownText(shortened(message, MAX_LINE_CHARACTERS));
  return `- ${severity === 'error' ? '' : `${severity}: `}${codeSpan(`${pathOf(file)}:${line}`)}: ${what}`;
}
