import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome } from '../../base/diagnostics/outcome.ts';
import type { Source, Span } from '../../base/source/source.ts';

/** A failure in texts that are in no file: their paths say so, since whoever opens one of these would find nothing. */
export function notWritten(diagnostics: readonly Diagnostic[]): Outcome<never> {
  const marked = new Map<Source, Source>();
  const markedSpan = (span: Span): Span => {
    const source = marked.get(span.source) ?? { ...span.source, path: `${span.source.path} (not written)` };
    marked.set(span.source, source);
    return { ...span, source };
  };
  return failure(
    diagnostics.map((it) => ({
      ...it,
      span: markedSpan(it.span),
      related: it.related.map((one) => ({ ...one, span: markedSpan(one.span) })),
    })),
  );
}
