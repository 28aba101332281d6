import type { DocumentProblem } from './document-problem.ts';
import type { Source, Span } from './source.ts';

/** The markers that git writes when it cannot merge; `|||||||` with merge.conflictStyle diff3 and zdiff3. */
const MARKER = /^(<{7}|={7}|>{7}|\|{7})(?: .*|\r?)$/gm;

/** The unresolved merge conflicts, each with both ends. A marker without its counterpart is one as well. */
export function mergeConflicts(source: Source): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  let open: Span | undefined;
  for (const found of source.text.matchAll(MARKER)) {
    const span = { source, start: found.index, end: found.index + found[0].trimEnd().length };
    const marker = found[1]?.charAt(0);
    if (marker === '<') {
      if (open) problems.push(conflict(open));
      open = span;
    } else if (marker === '>') {
      problems.push(open ? conflict(open, span) : conflict(span));
      open = undefined;
    } else if (!open) {
      problems.push(conflict(span));
    }
  }
  if (open) problems.push(conflict(open));
  return problems;
}

function conflict(span: Span, end?: Span): DocumentProblem {
  return {
    kind: 'merge-conflict',
    message: 'a merge conflict is not resolved',
    span,
    related: end ? [{ message: 'the conflict ends here', span: end }] : [],
    hint: 'edit the lines between the markers, then remove the markers',
  };
}
