import type { DocumentProblem, DocumentProblemKind } from '../source/document-problem.ts';
import type { Code } from './codes.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';

const CODES: Readonly<Record<DocumentProblemKind, Code>> = {
  // Users write YAML only; the JSON that weft reads is generated, and the room that reads it has codes of its own.
  syntax: 'source/yaml-syntax',
  'tab-indentation': 'source/tab-indentation',
  'duplicate-key': 'source/duplicate-key',
  anchor: 'source/anchor',
  tag: 'source/tag',
  'several-documents': 'source/several-documents',
  empty: 'source/empty',
  'not-a-map': 'source/not-a-map',
  'key-not-a-string': 'source/key-not-a-string',
  'merge-conflict': 'source/merge-conflict',
};

/** What a file reports differently from others: another code, or advice that fits it better. */
interface OwnWords {
  readonly code?: Code;
  readonly hint: string;
}

type OwnWordsByKind = Readonly<Partial<Record<DocumentProblemKind | 'others', OwnWords>>>;

/** The problems of a document as diagnostics. */
export function documentDiagnostics(problems: readonly DocumentProblem[], words: OwnWordsByKind = {}): Diagnostic[] {
  return problems.map(({ kind, span, message, hint, related }) => {
    const own = words[kind] ?? words.others;
    return diagnostic(own?.code ?? CODES[kind], span, message, { hint: own?.hint ?? hint, related });
  });
}
